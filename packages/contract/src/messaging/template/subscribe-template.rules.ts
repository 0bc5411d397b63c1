// Pure rules of WeChat subscribe messages: keyword types, validation, and fitting facts into them.

import { yuanOfFen } from "../../kit/money.rules.ts";
import { shanghaiMinute } from "../../kit/shanghai.rules.ts";
import type { MessageScenario } from "../sms/sms.rules.ts";
import { shortValue } from "./short-value.rules.ts";
import { type VariableKey, type VariableKind, variables, variablesOf } from "./template.rules.ts";

export const KEYWORD_TYPES = [
  "thing",
  "number",
  "letter",
  "symbol",
  "character_string",
  "time",
  "date",
  "amount",
  "phone_number",
  "car_number",
  "name",
  "phrase",
] as const;
export type KeywordType = (typeof KEYWORD_TYPES)[number];

interface TypeSpec {
  title: string;
  limit: string;
  pattern: RegExp;
  carries: readonly VariableKind[];
}

/**
 * Keyword types as documented by WeChat; it rejects the whole message if one value does not fit
 * (47003).
 */
const types: Record<KeywordType, TypeSpec> = {
  thing: {
    title: "事物",
    limit: "20 个以内字符",
    pattern: /^[^\r\n]{1,20}$/u,
    carries: ["CODE", "NUMBER", "TEXT", "TIME", "MONEY", "PHONE"],
  },
  number: {
    title: "数字",
    limit: "32 位以内数字，可带小数",
    pattern: /^(?=.{1,32}$)\d+(\.\d+)?$/,
    carries: ["CODE", "NUMBER", "MONEY"],
  },
  letter: { title: "字母", limit: "32 位以内字母", pattern: /^[A-Za-z]{1,32}$/, carries: [] },
  symbol: {
    title: "符号",
    limit: "5 位以内符号",
    pattern: /^[\p{P}\p{S}]{1,5}$/u,
    carries: [],
  },
  character_string: {
    title: "字符串",
    limit: "32 位以内数字、字母或符号",
    pattern: /^[\x20-\x7e]{1,32}$/,
    carries: ["CODE", "NUMBER", "TIME", "MONEY", "PHONE"],
  },
  time: {
    title: "时间",
    limit: "24 小时制时间，可带年月日",
    pattern: /^(\d{4}年\d{1,2}月\d{1,2}日 )?([01]?\d|2[0-3]):[0-5]\d$/,
    carries: ["TIME"],
  },
  date: {
    title: "日期",
    limit: "年月日，可带 24 小时制时间",
    pattern: /^\d{4}年\d{1,2}月\d{1,2}日( ([01]?\d|2[0-3]):[0-5]\d)?$/,
    carries: ["TIME"],
  },
  amount: {
    title: "金额",
    limit: "币种符号和 10 位以内数字，可带小数，结尾可带“元”",
    pattern: /^[¥￥$]?(?=[\d.]{1,10}元?$)\d+(\.\d+)?元?$/,
    carries: ["MONEY"],
  },
  phone_number: {
    title: "电话",
    limit: "17 位以内数字、符号",
    pattern: /^[\d+*() -]{1,17}$/,
    carries: ["PHONE"],
  },
  car_number: {
    title: "车牌",
    limit: "8 位以内，首尾可为汉字",
    pattern: /^(?=.{1,8}$)[\p{sc=Han}A-Z\d]?[A-Za-z\d]*[\p{sc=Han}A-Z\d]?$/u,
    carries: [],
  },
  name: {
    title: "姓名",
    limit: "10 个以内汉字，或 20 个以内字母、符号",
    pattern: /^(\p{sc=Han}{1,10}|[A-Za-z\p{P} ]{1,20})$/u,
    carries: ["TEXT"],
  },
  phrase: {
    title: "汉字",
    limit: "5 个以内汉字",
    pattern: /^\p{sc=Han}{1,5}$/u,
    carries: ["TEXT"],
  },
};
export const keywordTypeText = (type: KeywordType) => types[type].title;
export const keywordLimitText = (type: KeywordType) => types[type].limit;

/**
 * Keyword of a template: bound to one of our variables, or to fixed text where `variable` is null.
 */
export interface Keyword {
  /** WeChat's name of the keyword: `thing4`. */
  name: string;
  /** Label in front of the value. */
  title: string;
  variable: VariableKey | null;
  text: string;
}

export interface SubscribeTemplate {
  templateId: string;
  title: string;
  /** Page opened by a tap on the message; empty: none. */
  page: string;
  keywords: Keyword[];
}

/** Most keywords that WeChat accepts. */
export const MAX_KEYWORDS = 5;
export const MAX_PAGE = 128;

const longest = [...KEYWORD_TYPES].sort((one, other) => other.length - one.length);

/** Type of a keyword: `character_string12` gives `character_string`; null for an unknown type. */
export function keywordTypeOf(name: string): KeywordType | null {
  const type = longest.find((known) => name.startsWith(known));
  return type && /^\d{1,3}$/.test(name.slice(type.length)) ? type : null;
}

/** True if WeChat accepts this value for such a keyword. */
export function isKeywordValue(type: KeywordType, value: string): boolean {
  return types[type].pattern.test(value);
}

/** True if the variable may be used in such a keyword. */
export function mayCarry(type: KeywordType, key: VariableKey): boolean {
  return types[type].carries.includes(variables[key].kind);
}

/** `2026年11月22日 12:26` */
function chineseTime(iso: string): string {
  const [day = "", clock = ""] = shanghaiMinute(iso).split(" ");
  const [year, month, date] = day.split("-").map(Number);
  return `${year}年${month}月${date}日 ${clock}`;
}

/**
 * Converts a fact into a value that WeChat accepts; a fact that cannot be expressed gives an
 * empty-like value.
 */
export function fitKeyword(type: KeywordType, key: VariableKey, value: string | number): string {
  const { kind } = variables[key];
  const given = String(value).replace(/\s+/g, " ").trim();
  const fitted = fits[type](kind, given, key);
  return isKeywordValue(type, fitted) ? fitted : nothing[type];
}

const nothing: Record<KeywordType, string> = {
  thing: "无",
  number: "0",
  letter: "N",
  symbol: "-",
  character_string: "-",
  time: "00:00",
  date: "1970年1月1日",
  amount: "0元",
  phone_number: "-",
  car_number: "0",
  name: "用户",
  phrase: "无",
};

function plainText(kind: VariableKind, given: string): string {
  if (given === "") return "";
  if (kind === "TIME") return chineseTime(given);
  return kind === "MONEY" ? `${yuanOfFen(Number(given))} 元` : given;
}

const hanOf = (text: string) => text.replace(/[^\p{sc=Han}]/gu, "");
const timeOf = (_: VariableKind, given: string) => (given === "" ? "" : chineseTime(given));
const fits: Record<KeywordType, (kind: VariableKind, given: string, key: VariableKey) => string> = {
  thing: (kind, given, key) => shortValue(key, plainText(kind, given), 20),
  number: (kind, given) => (kind === "MONEY" ? yuanOfFen(Number(given)) : given),
  letter: (_, given) => given,
  symbol: (_, given) => given,
  character_string: (kind, given) => {
    if (kind === "TIME") return given === "" ? "" : shanghaiMinute(given);
    return kind === "MONEY" ? yuanOfFen(Number(given)) : given;
  },
  time: timeOf,
  date: timeOf,
  amount: (_, given) => `${yuanOfFen(Number(given))}元`,
  phone_number: (_, given) => given,
  car_number: (_, given) => given,
  name: (_, given) => hanOf(given).slice(0, 10) || given.replace(/[^A-Za-z ]/g, "").slice(0, 20),
  phrase: (_, given) => hanOf(given).slice(0, 5),
};

/** `data` of a message, keyed by WeChat's names. */
export function renderKeywords(
  keywords: readonly Keyword[],
  facts: Readonly<Record<string, string | number>>,
): Record<string, { value: string }> {
  return Object.fromEntries(
    keywords.map(({ name, variable, text }) => {
      const type = keywordTypeOf(name) ?? "thing";
      const value = variable === null ? text : fitKeyword(type, variable, facts[variable] ?? "");
      return [name, { value }];
    }),
  );
}

/** Problem of one keyword that a schema cannot express, in Chinese; null when it is valid. */
export function keywordProblem(scene: MessageScenario, keyword: Keyword): string | null {
  const { name, title, variable, text } = keyword;
  const what = `关键词“${title || name}”`;
  const type = keywordTypeOf(name);
  if (!type) return `${what}的名称 ${name} 不对：请照抄模板详情中的名称，如 thing1、time3`;
  if (variable === null) {
    return isKeywordValue(type, text)
      ? null
      : `${what}的固定文字不符合“${keywordTypeText(type)}”的要求：${keywordLimitText(type)}`;
  }
  if (!variablesOf(scene).includes(variable)) {
    return `${what}不能用“${variables[variable].title}”：这个场景没有它`;
  }
  return mayCarry(type, variable)
    ? null
    : `${what}是“${keywordTypeText(type)}”（${keywordLimitText(type)}），不能放“${variables[variable].title}”`;
}

/** Problem of a template that a schema cannot express, in Chinese; null when it is valid. */
export function subscribeTemplateProblem(
  scene: MessageScenario,
  { templateId, page, keywords }: SubscribeTemplate,
): string | null {
  if (!/^[\w-]{20,64}$/.test(templateId)) {
    return "模板 ID 不对：请从小程序后台“订阅消息 › 我的模板”中复制";
  }
  if (keywords.length === 0) return "请填写模板的关键词";
  if (new Set(keywords.map(({ name }) => name)).size < keywords.length) {
    return "关键词的名称有重复";
  }
  if (page !== "" && !/^[\w-]+(\/[\w-]+)*(\?[\w=&%.-]*)?$/.test(page)) {
    return "小程序页面写法不对，如 pages/order/detail，前面不要加 /";
  }
  for (const keyword of keywords) {
    const problem = keywordProblem(scene, keyword);
    if (problem) return problem;
  }
  return null;
}

/**
 * Parses the keywords of a template from WeChat's content: `取件码:{{character_string1.DATA}}` per
 * line.
 */
export function keywordsOfContent(content: string): { name: string; title: string }[] {
  return [...content.matchAll(/^\s*(.*?)[:：]?\s*\{\{(\w+)\.DATA\}\}/gm)].map(
    ([, title, name]) => ({
      title: (title ?? "").trim(),
      name: name ?? "",
    }),
  );
}

/**
 * Suggests for each keyword an unused variable of the scene that fits its type, similar titles
 * first.
 */
export function guessKeywords(
  scene: MessageScenario,
  content: readonly { name: string; title: string }[],
  taken: readonly (VariableKey | null)[] = [],
): Keyword[] {
  const left = new Set(variablesOf(scene).filter((key) => !taken.includes(key)));
  return content.map(({ name, title }) => {
    const type = keywordTypeOf(name);
    const able = [...left].filter((key) => type !== null && mayCarry(type, key));
    const variable = able.find((key) => isAlike(title, variables[key].title)) ?? able[0] ?? null;
    if (variable) left.delete(variable);
    return { name, title, variable, text: "" };
  });
}

function isAlike(title: string, other: string): boolean {
  const pairs = [...title].slice(1).map((letter, index) => `${title[index]}${letter}`);
  return pairs.some((pair) => other.includes(pair));
}

/** States of a message. UNKNOWN: the server stopped while it was being sent. */
export const SUBSCRIBE_STATES = [
  "QUEUED",
  "SENDING",
  "SENT",
  "DELIVERED",
  "FAILED",
  "UNKNOWN",
] as const;
export type SubscribeState = (typeof SUBSCRIBE_STATES)[number];
export const subscribeStateText: Record<SubscribeState, string> = {
  QUEUED: "等待发送",
  SENDING: "发送中",
  SENT: "已发送",
  DELIVERED: "已送达",
  FAILED: "未送达",
  UNKNOWN: "结果未知",
};

/** Most templates in one wx.requestSubscribeMessage. */
export const MAX_ASKED = 3;
