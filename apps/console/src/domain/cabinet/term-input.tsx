// Form control for a term: a number of months, an end date or, if offered, no end; exactly one of
// these.
import { RenewalFields } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { fieldProblem } from "@cabinet/contract/kit/field.rules.ts";
import type { RenewalTerms } from "@cabinet/contract/kit/service-period.rules.ts";
import InputNumber from "antd/es/input-number";
import { Button } from "../../ui/display/button.tsx";
import { ChoiceBar } from "../../ui/form/choice-bar.tsx";
import type { Control } from "../../ui/form/control.ts";
import { DayInput } from "../../ui/form/day-input.tsx";
import "./term-input.css";

export interface Term extends Pick<RenewalTerms, "months" | "endsOn"> {
  isEndless?: true;
}

const usualMonths = [
  [1, "1 个月"],
  [3, "3 个月"],
  [6, "半年"],
  [12, "1 年"],
  [24, "2 年"],
] as const;

const modes = [
  ["months", "按月续期"],
  ["endsOn", "到指定日期"],
] as const;
const endless = ["isEndless", "长期有效"] as const;

/** Describes the problem, or null. */
export function termProblem(value: unknown): string | null {
  const { months, endsOn, isEndless } = (value ?? {}) as {
    [Name in keyof Term]: Term[Name] | null;
  };
  if (endsOn || isEndless) return null;
  if (months === undefined || months === null) return "请填写月数，或选择到期日";
  return fieldProblem(RenewalFields.months, "续期月数", months);
}

const firstOf: Record<keyof Term, Term> = {
  months: { months: 12 },
  endsOn: { endsOn: undefined } as Term,
  isEndless: { isEndless: true },
};

export interface TermInputProps extends Control<Term> {
  /** Earliest selectable day. */
  from: string | undefined;
  /** Offers a term without an end. */
  hasEndless?: boolean;
}

export function TermInput(props: TermInputProps) {
  const { id, value = {}, onChange, from, hasEndless = false } = props;
  const mode = value.isEndless ? "isEndless" : "endsOn" in value ? "endsOn" : "months";
  return (
    <div className="ui-term">
      <ChoiceBar
        label="续期方式"
        choices={hasEndless ? [...modes, endless] : modes}
        chosen={mode}
        onChoose={(word) => onChange?.(firstOf[word])}
      />
      {mode === "endsOn" && (
        <DayInput
          {...(id && { id })}
          from={from}
          value={value.endsOn}
          onChange={(endsOn) => onChange?.({ endsOn } as Term)}
        />
      )}
      {mode === "months" && (
        <div className="ui-term-months">
          {usualMonths.map(([months, text]) => (
            <Button
              key={months}
              type={value.months === months ? "primary" : "default"}
              onClick={() => onChange?.({ months })}
            >
              {text}
            </Button>
          ))}
          <InputNumber
            {...(id && { id })}
            aria-label="续期月数"
            precision={0}
            suffix="个月"
            value={value.months ?? null}
            onChange={(months) => onChange?.({ months } as Term)}
          />
        </div>
      )}
    </div>
  );
}
