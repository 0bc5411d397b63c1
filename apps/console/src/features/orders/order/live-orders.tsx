// Live orders within a person's card: what keeps the goods inside, and the buttons that help.
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import type { ReactNode } from "react";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { ActionButtons } from "../../../ui/list/row-actions.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { useOrderActions } from "./order-actions.tsx";
import { useTimeline } from "./order-timeline.tsx";
import { OrderWhy } from "./order-why.tsx";
import "./order-why.css";

/** `of` renders an order's row; below it come its causes and actions. */
export function LiveOrders<Row extends { id: number }>({
  orders,
  of,
}: {
  orders: readonly Row[];
  of: (order: Row) => ReactNode;
}) {
  const mayRead = usePermission("order:read");
  const { actionsOf, dialogs } = useOrderActions();
  return (
    <>
      {orders.map((order) => (
        <div key={order.id} className="live-order">
          <ul className="ui-drawer-rows">{of(order)}</ul>
          {mayRead && <LiveOrder id={order.id} actionsOf={actionsOf} />}
        </div>
      ))}
      {dialogs}
    </>
  );
}

interface LiveOrderProps {
  id: number;
  actionsOf: ReturnType<typeof useOrderActions>["actionsOf"];
}

function LiveOrder({ id, actionsOf }: LiveOrderProps) {
  const { data: order, refetch } = useCall(orderContract.get, { params: { id } });
  const cabinetId = order?.cabinetId;
  const timeline = useTimeline(id, cabinetId);
  useLiveRefresh("order", () => refetch(), { cabinetId, pace: "close" });
  useLiveRefresh("cabinet", () => refetch(), { cabinetId, pace: "close" });
  if (!order) return null;
  const actions = actionsOf(order);
  return (
    <>
      <OrderWhy order={order} timeline={timeline.data} actions={actions} />
      <ActionButtons
        actions={actions.filter(({ blocked }) => !blocked)}
        first="open"
        of={`订单 ${id}`}
        visibleCount={2}
      />
    </>
  );
}
