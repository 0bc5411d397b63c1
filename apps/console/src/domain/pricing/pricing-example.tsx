// Example prices of a rule for a few durations, updated while typing.
import {
  exampleMinutes,
  isOverdue,
  minutesText,
  type PricingRule,
  priceOf,
  pricingText,
  wholeRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { formatMoney } from "../../kit/format.ts";
import "../../ui/display/basics.css";
import "./pricing-example.css";

/** `rule`: the raw form values, possibly incomplete. */
export function PricingExample({ rule: given }: { rule: unknown }) {
  const rule = wholeRule(given);
  if (!rule) return <p className="ui-cell-none">填写以上各项后，显示各时长的费用</p>;
  return (
    <div className="pricing-example">
      <p>{pricingText(rule)}</p>
      <table aria-label="费用示例">
        <thead>
          <tr>
            <th>存放时长</th>
            <th>费用</th>
            <th>说明</th>
          </tr>
        </thead>
        <tbody>
          {exampleMinutes(rule).map((minutes) => (
            <tr key={minutes}>
              <td>{minutesText(minutes)}</td>
              <td>{formatMoney(priceOf(rule, minutes))}</td>
              <td>{noteOf(rule, minutes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function noteOf(rule: PricingRule, minutes: number): string {
  const price = priceOf(rule, minutes);
  const notes = [
    minutes > 0 && minutes <= rule.freeMinutes && "免费时长内",
    rule.capFen !== null && price > 0 && price === rule.capFen && "已封顶",
    isOverdue(rule, minutes + 1) && "之后为滞留",
  ];
  return notes.filter(Boolean).join("，");
}
