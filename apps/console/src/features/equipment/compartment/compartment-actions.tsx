// Actions on a compartment's records: 启用, 停用, 标记故障, 清柜, each with confirmation and reason.

import {
  type Compartment,
  compartmentContract,
} from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { occupancyText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { dwellText } from "../../../domain/cabinet/open-door.rules.ts";
import { useWrite } from "../../../kit/query.ts";
import type { useAction } from "../../../ui/display/action.tsx";

type Ask = ReturnType<typeof useAction>["ask"];

export type CompartmentActions = ReturnType<typeof useCompartmentActions>;

export function useCompartmentActions(cabinet: CabinetDetail, ask: Ask) {
  const enable = useWrite(compartmentContract.enable);
  const disable = useWrite(compartmentContract.disable);
  const markFault = useWrite(compartmentContract.markFault);
  const clear = useWrite(compartmentContract.clear);
  const input = (cell: Compartment, reason: string) => ({
    params: { id: cabinet.id, no: cell.no },
    body: { reason },
  });
  const nameOf = (cell: Compartment) => (
    <b>
      “{cabinet.name}”的 {cell.no} 号格口
    </b>
  );

  return {
    enable: (cell: Compartment) =>
      ask({
        title: `启用 ${cell.no} 号格口`,
        effect: (
          <>
            <p>{nameOf(cell)}将重新接收新的存件。</p>
            {cell.adminState === "FAULT" && <p>标记故障时登记的故障会一并标为已解决。</p>}
          </>
        ),
        confirm: "启用",
        reasons: ["检修完成，测试正常", "清洁完成", "误停用，恢复"],
        run: (reason) => enable.mutateAsync(input(cell, reason)),
        done: `${cell.no} 号格口已启用`,
      }),
    disable: (cell: Compartment) =>
      ask({
        title: `停用 ${cell.no} 号格口`,
        effect: (
          <>
            <p>{nameOf(cell)}将不再接收新的存件，直到重新启用。</p>
            <GoodsInside cell={cell} />
          </>
        ),
        confirm: "停用",
        isDanger: true,
        reasons: ["格口清洁", "预留给设备调试", "门板更换中"],
        run: (reason) => disable.mutateAsync(input(cell, reason)),
        done: `${cell.no} 号格口已停用`,
        undo: () => enable.mutateAsync(input(cell, "撤销停用")),
      }),
    markFault: (cell: Compartment) =>
      ask({
        title: `标记 ${cell.no} 号格口故障`,
        effect: (
          <>
            <p>{nameOf(cell)}将不再接收新的存件，并登记一条故障，等待检修。</p>
            <GoodsInside cell={cell} />
          </>
        ),
        confirm: "标记故障",
        isDanger: true,
        reasons: ["锁舌卡住，门打不开", "门板变形，关不严", "物品传感器不准", "有撬痕"],
        run: (reason) => markFault.mutateAsync(input(cell, reason)),
        done: `${cell.no} 号格口已标记故障`,
      }),
    clear: (cell: Compartment) =>
      ask({
        title: `清柜：${cell.no} 号格口`,
        effect: (
          <>
            <p>
              {nameOf(cell)}的记录将从“{occupancyWithDwell(cell)}
              ”改为“空闲”，随后可能分配给下一位用户。
            </p>
            {cell.order && (
              <p>
                订单 {cell.order.id} 将以“{orderStateText.ADMIN_CLEARED}
                ”结束：取件码作废，尚未支付的费用不再收取。
              </p>
            )}
            <p>清柜不会打开箱门：请先开门取出其中的物品，并写明物品去向。</p>
            {cell.item === "UNKNOWN" && <p>物品传感器没有数据，以现场实际为准。</p>}
          </>
        ),
        confirm: "物品已取出，清柜",
        isDanger: true,
        reasons: ["物品已由用户取走", "滞留物品已移交门店保管", "物品已退回寄件方"],
        run: (reason) => clear.mutateAsync(input(cell, reason)),
        done: `${cell.no} 号格口已清柜`,
      }),
  };
}

function GoodsInside({ cell }: { cell: Compartment }) {
  if (cell.occupancy !== "OCCUPIED") return null;
  return <p>格口内记录有物品：不受影响，仍可取出。</p>;
}

function occupancyWithDwell(cell: Compartment): string {
  const dwell = dwellText(cell.occupiedSince, Date.now());
  return dwell ? `${occupancyText[cell.occupancy]}，已 ${dwell}` : occupancyText[cell.occupancy];
}
