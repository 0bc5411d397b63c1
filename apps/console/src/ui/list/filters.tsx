// Filter kinds of a list; each reads and writes URL parameters.
import { fitsPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { cleanCode } from "@cabinet/contract/kit/text.rules.ts";
import type { ReactNode } from "react";
import { PhoneInput } from "../form/phone-input.tsx";
import { TextInput } from "../form/text-input.tsx";
import { LightSelect } from "../popup/light-select.tsx";
import type { SearchValues } from "./list-state.ts";

export interface FilterControlProps {
  id: string;
  texts: SearchValues;
  change: (texts: SearchValues) => void;
}

export interface Filter<Name extends string = string> {
  label: string;
  /** Names of its URL parameters, the same as in the request's query. */
  names: readonly Name[];
  control: (props: FilterControlProps) => ReactNode;
  /** Applied values in words; default: the values themselves. */
  shown?: (texts: SearchValues) => ReactNode;
  /** Its values are ids of one tenant's records: cleared when the tenant changes. */
  isOfTenant?: true;
  /** Collapsed behind 更多筛选 unless it is applied. */
  isRare?: true;
  /** Describes why the current input cannot be applied. */
  problem?: (texts: SearchValues) => string | null;
}

/** `待取件`, `2026-11-01 – 2026-11-21`: what an applied filter selects. */
export function shownFilter({ names, shown }: Filter, texts: SearchValues): ReactNode {
  if (shown) return shown(texts);
  return names.map((name) => texts[name] || "不限").join(" – ");
}

export function isApplied({ names }: Pick<Filter, "names">, texts: SearchValues): boolean {
  return names.some((name) => texts[name]);
}

export interface Choice {
  value: string | number | boolean;
  label: string;
}

export function textFilter<Name extends string>(
  name: Name,
  label: string,
  placeholder?: string,
): Filter<Name> {
  return {
    label,
    names: [name],
    control: ({ id, texts, change }) => (
      <TextInput
        id={id}
        isClearable
        maxLength={64}
        placeholder={placeholder ?? "请输入"}
        value={texts[name] ?? ""}
        onChange={(text) => change({ [name]: text })}
      />
    ),
  };
}

export function digitsFilter<Name extends string>(
  name: Name,
  label: string,
  placeholder?: string,
  maxLength = 9,
): Filter<Name> {
  return {
    label,
    names: [name],
    control: ({ id, texts, change }) => (
      <TextInput
        id={id}
        isClearable
        inputMode="numeric"
        placeholder={placeholder ?? "请输入"}
        value={texts[name] ?? ""}
        onChange={(text) =>
          change({ [name]: cleanCode(text).replace(/\D/g, "").slice(0, maxLength) })
        }
      />
    ),
  };
}

/** Filters by a whole phone number or its last four digits; other parts are for accounts that may reveal numbers. */
export function phoneFilter(): Filter<"phone"> {
  return {
    label: "手机号",
    names: ["phone"],
    control: ({ id, texts, change }) => (
      <PhoneInput
        id={id}
        isClearable
        placeholder="完整号码或后四位"
        value={texts.phone ?? ""}
        onChange={(phone) => change({ phone })}
      />
    ),
    problem: ({ phone }) =>
      phone && !fitsPhone("PART", phone) ? "手机号请填完整号码或后四位" : null,
  };
}

/** `choices` is undefined while loading. */
export function choiceFilter<Name extends string>(
  name: Name,
  label: string,
  choices: readonly Choice[] | undefined,
): Filter<Name> {
  const options = choices?.map((choice) => ({ value: String(choice.value), label: choice.label }));
  return {
    label,
    names: [name],
    control: ({ id, texts, change }) => (
      <LightSelect
        id={id}
        isClearable
        placeholder="全部"
        value={texts[name] ?? ""}
        options={options}
        onChange={(value) => change({ [name]: value })}
      />
    ),
    shown: (texts) => options?.find(({ value }) => value === texts[name])?.label ?? texts[name],
  };
}

/** Choices from a table of texts, in its order. */
export function choicesOf<Word extends string>(texts: Readonly<Record<Word, string>>): Choice[] {
  return Object.entries<string>(texts).map(([value, label]) => ({ value, label }));
}
