// Form control for rates: rows of a size, hours and fees, which grow and shrink.

import { fieldProblem, isRequired } from "@cabinet/contract/kit/field.rules.ts";
import { PricingRateBody } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import {
  MAX_RATES,
  type PricingRate,
  RATE_FIELDS,
  ratesProblem,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { SIZES, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Form from "antd/es/form";
import { NoFormStyle } from "antd/es/form/context";
import Select from "antd/es/select";
import { cloneElement, type ReactElement, useId, useState } from "react";
import { Button } from "../../ui/display/button.tsx";
import type { Control } from "../../ui/form/control.ts";
import type { Field } from "../../ui/form/record-form.tsx";
import { TimeSpanInput } from "../../ui/form/time-span-input.tsx";
import "./rates-input.css";

/** As typed: fees may be empty or text that is no amount. */
type Row = Pick<PricingRate, "size" | "hours"> & Record<string, unknown>;

const NIGHT = { from: "20:00", to: "08:00" };
const ANY_SIZE = "ANY";
const sizes = [
  { value: ANY_SIZE, label: "不限" },
  ...SIZES.map((size) => ({ value: size, label: `${sizeText[size]}格` })),
];
const times = [
  { value: false, label: "全天" },
  { value: true, label: "时段" },
];

interface RatesInputProps extends Control<Row[]> {
  /** Fields of the fees. */
  fields: readonly Field[];
  /** Name of the form value that holds the rule. */
  under?: string;
}

export function RatesInput({ id, value = [], onChange, fields, under }: RatesInputProps) {
  const form = Form.useFormInstance();
  const { errors } = Form.Item.useStatus();
  const [keys, setKeys] = useState<number[]>([]);
  const keyOf = (nth: number) => keys[nth] ?? -nth - 1;
  const put = (nth: number, part: Partial<Row>) =>
    onChange?.(value.map((row, at) => (at === nth ? ({ ...row, ...part } as Row) : row)));
  const remove = (nth: number) => {
    setKeys(value.map((_, at) => keyOf(at)).toSpliced(nth, 1));
    onChange?.(value.toSpliced(nth, 1));
  };
  /** A new row begins with the fees of the row before it, else with those of the rule. */
  const add = () => {
    const all = form.getFieldsValue(true);
    const from = value.at(-1) ?? (under === undefined ? all : all[under]) ?? {};
    const fees = Object.fromEntries(RATE_FIELDS.map((name) => [name, from[name] ?? null]));
    setKeys([...value.map((_, at) => keyOf(at)), Date.now()]);
    onChange?.([...value, { ...fees, size: null, hours: null }]);
  };
  return (
    <div className="rates" {...(id && { id })}>
      {/* The problem names its rows: only these are marked, instead of all controls of all rows. */}
      <NoFormStyle status override>
        {value.map((row, nth) => (
          <RateRow
            key={keyOf(nth)}
            nth={nth + 1}
            row={row}
            fields={fields}
            isWrong={errors.some((error) => String(error).includes(`第 ${nth + 1} 行`))}
            onChange={(part) => put(nth, part)}
            onRemove={() => remove(nth)}
          />
        ))}
      </NoFormStyle>
      <Button disabled={value.length >= MAX_RATES} onClick={add}>
        添加规格或时段价格
      </Button>
    </div>
  );
}

interface RateRowProps {
  /** From 1. */
  nth: number;
  row: Row;
  fields: readonly Field[];
  isWrong: boolean;
  onChange: (part: Partial<Row>) => void;
  onRemove: () => void;
}

function RateRow({ nth, row, fields, isWrong, onChange, onRemove }: RateRowProps) {
  const id = useId();
  const label = `第 ${nth} 行`;
  return (
    <fieldset className="rate" aria-label={label} data-wrong={isWrong}>
      <div className="rate-scope">
        <span>{label}</span>
        <Select
          aria-label={`${label}规格`}
          value={row.size ?? ANY_SIZE}
          options={sizes}
          onChange={(size) => onChange({ size: SIZES.find((each) => each === size) ?? null })}
        />
        <Select
          aria-label={`${label}时段`}
          value={row.hours !== null}
          options={times}
          onChange={(isSpan) => onChange({ hours: isSpan ? NIGHT : null })}
        />
        {row.hours && (
          <TimeSpanInput label={label} span={row.hours} onChange={(hours) => onChange({ hours })} />
        )}
        <Button size="small" aria-label={`删除${label}`} onClick={onRemove}>
          删除
        </Button>
      </div>
      <div className="rate-fees">
        {fields.map(({ name, label: title, control }) => (
          <div key={name}>
            <label htmlFor={`${id}${name}`}>{title}</label>
            {cloneElement(control as ReactElement<Control<unknown>>, {
              id: `${id}${name}`,
              value: row[name] ?? null,
              onChange: (next) => onChange({ [name]: next }),
            })}
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** Describes the first problem in the rows, or null. */
export function ratesFieldProblem(fields: readonly Field[], value: unknown): string | null {
  const rows = (value ?? []) as Row[];
  for (const [nth, row] of rows.entries()) {
    for (const { name, label, problem } of fields) {
      const title = `第 ${nth + 1} 行${label}`;
      const given = row[name] ?? null;
      if (given === null && isRequired(PricingRateBody, name)) return `${title}不能为空`;
      const schema = PricingRateBody.properties[name as keyof PricingRate];
      const found = fieldProblem(schema, title, given) ?? problem?.(given);
      if (found) return found.startsWith("第") ? found : `第 ${nth + 1} 行${found}`;
    }
  }
  return ratesProblem(rows);
}
