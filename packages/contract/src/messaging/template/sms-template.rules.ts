// Pure rules of SMS templates: placeholders of both carriers, rendering, cost, validation.
import { type MessageScenario, signedText, smsSegments } from "../sms/sms.rules.ts";
import { shortValue } from "./short-value.rules.ts";
import {
  type Facts,
  scenarioSpecs,
  spokenValue,
  type VariableKey,
  variables,
  variablesOf,
} from "./template.rules.ts";

/** Maps a carrier's placeholder to one of our variables. */
export interface Placeholder {
  name: string;
  variable: VariableKey;
}

export interface SmsTemplate {
  /** Template code at the carrier; without one no carrier accepts the message. */
  templateCode: string;
  text: string;
  placeholders: Placeholder[];
}

export const MAX_SMS_TEXT = 300;
/** Longest value that carriers accept. */
const MAX_VALUE = 35;

/** `${code}` is Aliyun's form, `{1}` Tencent's. */
const PLACEHOLDER = /\$\{(\w{1,20})\}|\{(\d{1,2})\}/g;

/** Distinct placeholder names in the order of their first appearance. */
export function placeholderNames(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, word, no]) => word ?? no ?? ""))];
}

export function builtInSms(scene: MessageScenario): SmsTemplate {
  const text = scenarioSpecs[scene].builtIn;
  return { templateCode: "", text, placeholders: guessPlaceholders(scene, text, []) };
}

/** Keeps known mappings; maps a new placeholder to the scene's variable of the same name. */
export function guessPlaceholders(
  scene: MessageScenario,
  text: string,
  known: readonly Placeholder[],
): Placeholder[] {
  const named = new Map(known.map((each) => [each.name, each]));
  const own = variablesOf(scene);
  return placeholderNames(text).flatMap((name) => {
    const found = named.get(name);
    if (found) return [found];
    const variable = own.find((key) => key === name);
    return variable ? [{ name, variable }] : [];
  });
}

export interface RenderedSms {
  /** Text without the sign. */
  text: string;
  /** Values by the carrier's names, in the order of the text. */
  values: [name: string, value: string][];
}

/** Renders the text, and the values that the carrier puts into its own copy of the template. */
export function renderSms(
  { text, placeholders, templateCode }: SmsTemplate,
  facts: Readonly<Record<string, string | number>>,
): RenderedSms {
  const variableOf = new Map(placeholders.map(({ name, variable }) => [name, variable]));
  const spoken = (name: string) => {
    const key = variableOf.get(name);
    const value = key ? spokenValue(key, facts[key] ?? "") : "";
    // Shortens for both, so that our text equals the carrier's; carriers refuse longer values.
    return templateCode && key ? shortValue(key, value, MAX_VALUE) : value;
  };
  return {
    text: text.replace(PLACEHOLDER, (_, word?: string, no?: string) => spoken(word ?? no ?? "")),
    values: placeholderNames(text).map((name) => [name, spoken(name)]),
  };
}

/** Text of the built-in template with these facts. */
export function builtInText<Scene extends MessageScenario>(
  scene: Scene,
  facts: Facts<Scene>,
): string {
  return renderSms(builtInSms(scene), facts as Readonly<Record<string, string | number>>).text;
}

/** Length and segments of the text with its sign. */
export function smsCost(sign: string, text: string): { length: number; segments: number } {
  const signed = signedText(sign, text);
  return { length: signed.length, segments: smsSegments(signed) };
}

/** Problem of a template that a schema cannot express, in Chinese; null when it is valid. */
export function smsTemplateProblem(scene: MessageScenario, template: SmsTemplate): string | null {
  const { text, placeholders, templateCode } = template;
  if (text.trim() === "") return "请填写短信内容";
  if (/[【】]/.test(text)) return "短信内容不用写签名，也不能有【】：签名在租户其他配置中设置";
  const names = placeholderNames(text);
  const rest = text.replace(PLACEHOLDER, "");
  if (/[{}]/.test(rest)) {
    return `占位符写法不对：阿里云写 \${code}（字母、数字、下划线），腾讯云写 {1}`;
  }
  const numbered = names.filter((name) => /^\d+$/.test(name));
  if (numbered.length > 0 && numbered.length < names.length) {
    return `\${code} 和 {1} 两种占位符不能混用，请按短信服务商的模板填写`;
  }
  // Tencent fills in values by position.
  if (numbered.some((name, index) => Number(name) !== index + 1)) {
    return "{1}、{2}… 请从 1 开始按出现的先后编号";
  }
  const mapped = new Map(placeholders.map(({ name, variable }) => [name, variable]));
  const own = variablesOf(scene);
  for (const name of names) {
    const variable = mapped.get(name);
    if (!variable) return `请为占位符 ${name} 选择变量`;
    if (!own.includes(variable)) return `占位符 ${name} 不能用“${variables[variable].title}”`;
  }
  const used = new Set(names.map((name) => mapped.get(name)));
  for (const needed of scenarioSpecs[scene].needs) {
    if (!used.has(needed)) return `短信内容须有“${variables[needed].title}”的占位符`;
  }
  if (templateCode !== "" && !/^[\w-]{3,40}$/.test(templateCode)) {
    return "模板编号只能是 3–40 位字母、数字、下划线或短横线，如 SMS_123456789、1234567";
  }
  return null;
}
