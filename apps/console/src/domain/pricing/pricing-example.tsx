// Example prices of a rule for a few durations, updated while typing; with rates, for a size and a time.
import { shanghaiClock, shanghaiDay, shanghaiToIso } from "@cabinet/contract/kit/shanghai.rules.ts";
import {
  exampleMinutes,
  isOverdue,
  minutesText,
  type PricingRule,
  priceOf,
  pricingText,
  type RatedRule,
  ruleFor,
  wholeRatedRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { SIZES, type Size, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Select from "antd/es/select";
import { useState } from "react";
import { formatMoney } from "../../kit/format.ts";
import { ChoiceBar } from "../../ui/form/choice-bar.tsx";
import "../../ui/display/basics.css";
import "./pricing-example.css";

/** `rule`: the raw form values, possibly incomplete. */
export function PricingExample({ rule: given }: { rule: unknown }) {
  const rule = wholeRatedRule(given);
  if (!rule) return <p className="ui-cell-none">填写以上各项后，显示各时长的费用</p>;
  return (
    <div className="pricing-example">
      <p>{pricingText(rule)}</p>
      {rule.rates.length > 0 ? <ChosenExample rule={rule} /> : <Examples rule={rule} />}
    </div>
  );
}

const sizes = SIZES.map((size) => [size, `${sizeText[size]}格`] as const);

/** The prices of a stay in a compartment of the chosen size that begins at the chosen time. */
function ChosenExample({ rule: rated }: { rule: RatedRule }) {
  const [size, setSize] = useState<Size>(SIZES[0]);
  const [clock, setClock] = useState(() => `${shanghaiClock(Date.now()).slice(11, 13)}:00`);
  const times = [...new Set([...HOURS, ...(rated.rates ?? []).flatMap(bordersOf)])].sort();
  const day = shanghaiDay(Date.now());
  const rule = ruleFor(rated, size, Date.parse(shanghaiToIso(`${day}T${clock}:00`)));
  return (
    <>
      <div className="pricing-example-chosen">
        <ChoiceBar label="规格" choices={sizes} chosen={size} onChoose={setSize} />
        <Select
          showSearch
          aria-label="下单时间"
          value={clock}
          options={times.map((time) => ({ value: time, label: `${time} 下单` }))}
          onChange={setClock}
        />
      </div>
      <p>{pricingText(rule)}</p>
      <Examples rule={rule} />
    </>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

const bordersOf = ({ hours }: { hours: { from: string; to: string } | null }) =>
  hours ? [hours.from, hours.to].filter((clock) => clock !== "24:00") : [];

function Examples({ rule }: { rule: PricingRule }) {
  return (
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
