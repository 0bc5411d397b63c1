// One past order under both rules, line by line.

import type { ReplayedOrder } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import {
  minutesText,
  type PricingRule,
  pricingText,
  type RatedRule,
  ruleFor,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { priceLineText, SUM_LINES } from "@cabinet/contract/money/pricing/stay-lines.rules.ts";
import { explainPrice } from "@cabinet/contract/orders/order/price-lines.rules.ts";
import { sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { usePageSide } from "../../../domain/cabinet/page-side.ts";
import { orderPath } from "../../../domain/order-link.tsx";
import { formatDateTime, formatMoney, formatMoneyChange } from "../../../kit/format.ts";
import { Link } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import "../../../ui/display/basics.css";

export function Compared({ order, rule }: { order: ReplayedOrder; rule: RatedRule }) {
  const { orderId, cabinetName, compartmentNo, size, createdAt, minutes, oldFen, newFen } = order;
  const mayRead = usePermission("order:read");
  const side = usePageSide();
  return (
    <>
      <Facts
        facts={[
          ["格口", `${cabinetName} ${compartmentNo} 号（${sizeText[size]}）`],
          ["下单时间", formatDateTime(createdAt)],
          ["计费时长", minutesText(minutes)],
          ["差额", formatMoneyChange(newFen - oldFen)],
        ]}
      />
      <DrawerSection title="实际">
        <Lines rule={order.rule} minutes={minutes} fen={oldFen} />
      </DrawerSection>
      <DrawerSection title="试算">
        <Lines rule={ruleFor(rule, size, Date.parse(createdAt))} minutes={minutes} fen={newFen} />
      </DrawerSection>
      {mayRead && (
        <Link className="ui-link" to={orderPath(side, orderId)}>
          查看这个订单
        </Link>
      )}
    </>
  );
}

const nothingPaid = {
  coveredFen: 0,
  waivedFen: 0,
  paidPrincipalFen: 0,
  paidBonusFen: 0,
  refundedPrincipalFen: 0,
  refundedBonusFen: 0,
};

function Lines({ rule, minutes, fen }: { rule: PricingRule; minutes: number; fen: number }) {
  const lines = explainPrice(rule, minutes, { ...nothingPaid, priceFen: fen });
  return (
    <>
      <table className="simulator-table simulator-lines">
        <tbody>
          {lines
            .filter(({ kind }) => kind !== "OWED")
            .map(({ kind, note, fen: lineFen }) => (
              <tr key={kind} data-sum={SUM_LINES.includes(kind)}>
                <th scope="row">
                  {priceLineText[kind]}
                  {note && <small>{note}</small>}
                </th>
                <td>{formatMoney(lineFen)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <p className="simulator-note">{pricingText(rule)}</p>
    </>
  );
}
