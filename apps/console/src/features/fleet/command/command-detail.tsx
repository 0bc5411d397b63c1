// Details of a command: its stages as a live timeline, actor and reason.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { doorStateText, itemStateText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { actorKindText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { CommandProgress, useCommand } from "../../../domain/cabinet/command-progress.tsx";
import { OrderLink } from "../../../domain/order-link.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { CommandFrames } from "./command-frames.tsx";
import { StageTimes } from "./stage-times.tsx";

export function CommandDetail({ command: given }: { command: Command }) {
  const command = useCommand(given);
  return (
    <>
      <DrawerSection title="过程">
        <CommandProgress command={command} />
      </DrawerSection>
      <DrawerSection title="各阶段用时">
        <StageTimes command={command} />
      </DrawerSection>
      <DrawerSection title="详情">
        <Facts
          facts={[
            ["设备名称", command.cabinetName],
            ["设备编号", command.cabinetSn],
            ["操作人", `${command.actorName}（${actorKindText[command.actorKind]}）`],
            ["原因", command.reason],
            ["订单号", <OrderLink key="order" id={command.orderId} side={command.cabinetSide} />],
            ["操作前物品", command.itemBefore && itemStateText[command.itemBefore]],
            ["操作前柜门", command.doorBefore && doorStateText[command.doorBefore]],
            ["提交时间", formatDateTime(command.createdAt)],
            ["有效期至", formatDateTime(command.expiresAt)],
            ["下发时间", formatDateTime(command.sentAt)],
            ["执行时间", formatDateTime(command.ackedAt)],
            ["结束时间", formatDateTime(command.settledAt)],
            ["指令编号", command.id],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="收发报文">
        <CommandFrames command={command} />
      </DrawerSection>
    </>
  );
}
