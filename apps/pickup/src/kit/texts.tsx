// Words of the page in Chinese and English, with a switch that is remembered.
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import { useEffect } from "react";
import { en, refusals } from "../texts/en.ts";
import { zh } from "../texts/zh.ts";
import { type Failure, Refusal } from "./api.ts";
import { kept } from "./storage.ts";

export type Language = "zh" | "en";
export type TextKey = keyof typeof zh;

/** Names of the `{facts}` in a text. */
type FactOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | FactOf<Rest>
  : never;
type Facts<Key extends TextKey> = [FactOf<(typeof zh)[Key]>] extends [never]
  ? []
  : [facts: Readonly<Record<FactOf<(typeof zh)[Key]>, string | number>>];

export type Translate = <Key extends TextKey>(key: Key, ...facts: Facts<Key>) => string;

const tables: Record<Language, Readonly<Record<TextKey, string>>> = { zh, en };
const language = kept<Language>("local", "language", "zh");

export const switchLanguage = (): void => language.set(language.get() === "zh" ? "en" : "zh");

export function useLanguage(): Language {
  const current = language.use();
  useEffect(() => {
    document.documentElement.lang = current === "zh" ? "zh-CN" : "en";
  }, [current]);
  return current;
}

export function useTexts(): Translate {
  const table = tables[language.use()];
  return (key, ...[facts]) => {
    const given: Readonly<Record<string, string | number>> = facts ?? {};
    return table[key].replace(/\{(\w+)\}/g, (_, name: string) => String(given[name]));
  };
}

/** Sentence for a failure: the server's own in Chinese, ours in English. */
export function useFailureText(): (failure: Failure) => string {
  const current = language.use();
  const t = useTexts();
  return (failure) => {
    if (!(failure instanceof Refusal)) return t("failure.noAnswer");
    const known: Partial<Record<ErrorCode, string>> = refusals;
    return current === "zh" ? failure.message : (known[failure.code] ?? t("failure.other"));
  };
}
