// Current order of a compartment: its state, and a link to its actions.

import type { CompartmentOrder } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { OrderLink } from "../../../domain/order-link.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { OrderStateStatus } from "../../orders/order/index.ts";

interface CurrentOrderProps {
  cabinet: CabinetDetail;
  order: CompartmentOrder;
}

export function CurrentOrder({ cabinet, order }: CurrentOrderProps) {
  const { id, createdAt, storedAt, depositUntil, overdueAt, isInDoubt } = order;
  const status = <OrderStateStatus of={order.state} />;
  const facts: DescriptionItem[] = [
    ["订单号", <OrderLink key="order" id={id} side={cabinet.side} />],
    ["订单状态", status],
    ...(isInDoubt ? [["开门结果", "待核实：请在订单中确认箱门是否打开过"] as const] : []),
    ["取件人", order.recipientPhone],
    storedAt ? ["存入时间", formatDateTime(storedAt)] : ["下单时间", formatDateTime(createdAt)],
    ...(depositUntil ? [["存入截止", formatDateTime(depositUntil)] as const] : []),
    ...(overdueAt ? [["滞留时间", formatDateTime(overdueAt)] as const] : []),
  ];
  return (
    <DrawerSection title="当前订单">
      <Facts facts={facts} />
    </DrawerSection>
  );
}

/** Warns that opening the door from this panel neither advances nor charges the order. */
export function HeldByOrder({ order }: { order: CompartmentOrder | null }) {
  if (!order) return null;
  return (
    <p>
      该格口有进行中的订单 {order.id}：此处开门不会推进订单，也不收费；要交付物品请在订单中开门。
    </p>
  );
}
