// Price of an order, line by line, down to the amount still owed.

import { pricingScopeText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { priceLineText, SUM_LINES } from "@cabinet/contract/money/pricing/stay-lines.rules.ts";
import type { OrderDetail } from "@cabinet/contract/orders/order/order.contract.ts";
import { explainPrice } from "@cabinet/contract/orders/order/price-lines.rules.ts";
import { formatMoney } from "../../../kit/format.ts";
import "./order-price.css";

export function OrderPrice({ order }: { order: OrderDetail }) {
  const { pricing, chargedMinutes, packageName } = order;
  const lines = explainPrice(pricing.rule, chargedMinutes, order, packageName ?? undefined);
  return (
    <>
      <table className="order-price">
        <tbody>
          {lines.map(({ kind, note, fen }) => (
            <tr key={kind} data-sum={SUM_LINES.includes(kind)} data-owed={kind === "OWED"}>
              <th scope="row">
                {priceLineText[kind]}
                {note && <small>{note}</small>}
              </th>
              <td>{formatMoney(fen)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="order-price-rule">
        按下单时的{pricingScopeText[pricing.scope]}计费，之后改价不影响本单
        {order.endedAt === null && order.storedAt !== null && "；费用算到此刻"}
      </p>
    </>
  );
}
