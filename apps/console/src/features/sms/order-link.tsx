// From a text message to the order that it tells of.
import type { SmsMessage } from "@cabinet/contract/sms/sms.contract.ts";
import { Link } from "react-router";
import { usePermission } from "../../kit/permission.ts";
import { sideBase } from "../../ui/page-side.ts";
import "../../ui/basics.css";

export const orderPath = (side: "SINGLE" | "DOUBLE", id: number) =>
  `${sideBase(side)}/rider/order?orderNo=${id}&open=${id}`;

export function OrderLink({ message: { orderId, orderSide } }: { message: SmsMessage }) {
  const maySeeOrders = usePermission("order:read");
  if (orderId === null) return <>—</>;
  if (!maySeeOrders || orderSide === null) return <>{orderId}</>;
  return (
    <Link className="ui-link" to={orderPath(orderSide, orderId)}>
      {orderId}
    </Link>
  );
}
