// Causes on top of an order's detail, each with the button that mends it.
import type { OrderDetail, TimelineEntry } from "@cabinet/contract/orders/order/order.contract.ts";
import { hasGoods } from "@cabinet/contract/orders/order/order.rules.ts";
import { formatAge, formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { type Why, whyOf } from "./order-why.rules.ts";
import "../../../ui/display/basics.css";
import "./order-why.css";

interface OrderWhyProps {
  order: OrderDetail;
  /** Undefined while it loads: the causes are shown together. */
  timeline: readonly TimelineEntry[] | undefined;
  actions: readonly RowAction[];
}

export function OrderWhy({ order, timeline, actions }: OrderWhyProps) {
  if (!timeline) return null;
  const causes = whyOf(order, timeline);
  if (causes.length === 0) {
    if (!hasGoods(order.state) || order.state === "EXCEPTION") return null;
    return <p className="order-why-none">取件码已送达，设备在线，可正常取件</p>;
  }
  return (
    <ul className="order-why" aria-label="无法取件的原因">
      {causes.map((why) => (
        <li key={why.kind} data-problem={why.isProblem}>
          <span>
            {why.text}
            {why.at && (
              <time dateTime={why.at}>
                {" "}
                {formatDateTime(why.at)}（{formatAge(why.at, Date.now())}）
              </time>
            )}
          </span>
          <Remedy why={why} order={order} actions={actions} />
        </li>
      ))}
    </ul>
  );
}

function Remedy({ why, order, actions }: Omit<OrderWhyProps, "timeline"> & { why: Why }) {
  const may = usePermissions();
  const { remedy } = why;
  const { cabinetId, compartmentNo } = order;
  if (remedy === "board") {
    if (!may("compartment:read")) return null;
    const to = pathTo("/cupboard/blockManage", { id: cabinetId, no: compartmentNo });
    return (
      <Link className="ui-link" to={to}>
        格口管理
      </Link>
    );
  }
  if (remedy === "log") {
    if (!may("cabinet-event:read")) return null;
    return (
      <Link className="ui-link" to={pathTo("/cupboard/log", { cabinetId })}>
        状态日志
      </Link>
    );
  }
  const free = (wanted: string | null) =>
    actions.find(({ key, blocked }) => key === wanted && !blocked);
  // Without the permission to read the code there is still the door.
  const action = free(remedy) ?? (remedy === "showCode" ? free("open") : undefined);
  if (!action || !("run" in action)) return null;
  return (
    <button type="button" className="ui-link" onClick={action.run}>
      {action.label}
    </button>
  );
}
