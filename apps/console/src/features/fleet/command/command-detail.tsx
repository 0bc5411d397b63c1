// Details of a command: its stages as a live timeline, actor and reason.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { CommandProgress, useCommand } from "../../../domain/cabinet/command-progress.tsx";
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
            ["操作人", command.actorName],
            ["原因", command.reason],
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
