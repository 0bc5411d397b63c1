// An order's number, leading to the order for whoever may see orders.
import type { Side } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { Link } from "react-router";
import { usePermission } from "../kit/permission.ts";
import { sideBase } from "./page-side.ts";
import "./basics.css";

/** The list with this one order in it, opened. */
export const orderPath = (side: Side, id: number) =>
  `${sideBase(side)}/rider/order?orderNo=${id}&open=${id}`;

/** `—` for what belongs to no order. */
export function OrderLink({ id, side }: { id: number | null; side: Side | null }) {
  const maySeeOrders = usePermission("order:read");
  if (id === null) return <span className="ui-cell-none">—</span>;
  if (!maySeeOrders || side === null) return <>{id}</>;
  return (
    <Link className="ui-link" to={orderPath(side, id)}>
      {id}
    </Link>
  );
}
