// Form fields of a pricing rule: times in minutes, hours or days, amounts in yuan, and rates for sizes and hours.
import { PricingRuleBody } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { MinutesInput } from "../../ui/form/minutes-input.tsx";
import type { FieldOf } from "../../ui/form/record-form.tsx";
import { YuanInput, yuanProblem } from "../../ui/form/yuan-input.tsx";
import { RatesInput, ratesFieldProblem } from "./rates-input.tsx";

type RuleField = FieldOf<typeof PricingRuleBody>;
type Name = keyof PricingRuleBody;

const mostFen = (name: Name) =>
  (PricingRuleBody.properties[name] as { maximum?: number }).maximum ?? 0;

const yuan = (name: Name, label: string, unit: string, placeholder: string) => ({
  name,
  label,
  control: <YuanInput unit={unit} placeholder={placeholder} />,
  problem: (value: unknown) => yuanProblem(value, label, mostFen(name)),
});

const feeFields: RuleField[] = [
  {
    name: "freeMinutes",
    label: "免费时长",
    control: <MinutesInput placeholder="如：30" />,
    hint: "该时长内免费",
  },
  { ...yuan("perUseFen", "每次起步价", "元 / 次", "如：1"), hint: "超过免费时长后收取一次" },
  {
    name: "stepMinutes",
    label: "计费单位时长",
    control: <MinutesInput placeholder="如：1" />,
    hint: "不足一个单位按一个单位计",
  },
  { ...yuan("stepFen", "每单位价格", "元 / 单位", "如：1.50"), hint: "超出免费时长后开始计费" },
  { ...yuan("capFen", "单次封顶", "元 / 次", "不封顶"), hint: "留空为不封顶" },
];

/** `under`: name of the form value that holds the rule; absent: the top level. */
export function pricingFields(under?: string): RuleField[] {
  const fields: RuleField[] = [
    ...feeFields,
    {
      name: "overdueAfterMinutes",
      label: "滞留时限",
      control: <MinutesInput placeholder="如：1" />,
      hint: "超过即为滞留件",
    },
    {
      name: "rates",
      label: "按规格、时段",
      control: <RatesInput fields={feeFields} {...(under && { under })} />,
      hint: "以下单时刻（北京时间）为准，其余按上面的价格；几行都符合时，规格和时段都写明的优先，其次是规格",
      problem: (value) => ratesFieldProblem(feeFields, value),
      isWide: true,
    },
  ];
  return under === undefined ? fields : fields.map((field) => ({ ...field, under }));
}
