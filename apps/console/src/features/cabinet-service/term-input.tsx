// For how long: so many months, or until a day; one of the two.
import type { RenewalWish } from "@cabinet/contract/cabinet/cabinet-service.rules.ts";
import { RenewalFields } from "@cabinet/contract/cabinet-service/cabinet-service.contract.ts";
import Button from "antd/es/button";
import InputNumber from "antd/es/input-number";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { DayInput } from "../../ui/day-input.tsx";
import { fieldProblem } from "../../ui/field-rules.ts";

export type Term = Pick<RenewalWish, "months" | "endsOn">;

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

/** In words, or null. */
export function termProblem(value: unknown): string | null {
  const { months, endsOn } = (value ?? {}) as { [Name in keyof Term]: Term[Name] | null };
  if (endsOn) return null;
  if (months === undefined || months === null) return "请填写月数，或选择到期日";
  return fieldProblem(RenewalFields.months, "续期月数", months);
}

export interface TermInputProps {
  id?: string;
  value?: Term;
  onChange?: (term: Term) => void;
  /** The first day that can be chosen. */
  from: string | undefined;
}

export function TermInput({ id, value = {}, onChange, from }: TermInputProps) {
  const mode = "endsOn" in value ? "endsOn" : "months";
  return (
    <div className="renewal-term">
      <ChoiceBar
        label="续期方式"
        choices={modes}
        chosen={mode}
        onChoose={(word) =>
          onChange?.(word === "months" ? { months: 12 } : ({ endsOn: undefined } as Term))
        }
      />
      {mode === "endsOn" ? (
        <DayInput
          {...(id && { id })}
          from={from}
          value={value.endsOn}
          onChange={(endsOn) => onChange?.({ endsOn } as Term)}
        />
      ) : (
        <div className="renewal-months">
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
