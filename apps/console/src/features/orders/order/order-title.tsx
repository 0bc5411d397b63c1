// Title of an order's drawer: compartment, recipient, state; the number below.
import { type Order, orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { useCall } from "../../../kit/query.ts";
import "./order-detail.css";

/** `order`: the row, if it is in the list. */
export function OrderTitle({ id, order }: { id: number; order?: Order }) {
  const { data } = useCall(orderContract.get, { params: { id } }, { enabled: !order });
  const known = order ?? data;
  return (
    <span className="order-title">
      {known && (
        <span>
          {known.cabinetName} {known.compartmentNo} 号 · {known.recipient.name}{" "}
          {known.recipient.phone} · {orderStateText[known.state]}
        </span>
      )}{" "}
      <small>订单 {id}</small>
    </span>
  );
}
