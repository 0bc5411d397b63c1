// Order number, linked to the order if the account may read orders.
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { Link, pathTo } from "../kit/paths.ts";
import { usePermission } from "../kit/permission.ts";
import { sideBase } from "./cabinet/page-side.ts";
import "../ui/display/basics.css";

/** Path of the order list, filtered to this order and with its drawer open. */
export const orderPath = (side: Side, id: number) =>
  pathTo(`${sideBase(side)}/rider/order`, { orderNo: id, open: id });

/** Fits the 15 digits of an order: without its end, a number cannot be told from others. */
export const orderNumberWidth = { width: 160, keepsWidth: true } as const;

/** Shows `—` if there is no order. */
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
