// Compiles the contract's schemas and explains in Chinese why an input is refused.
import { type EndpointSpec, MAX_MISTAKES, type Mistake } from "@cabinet/contract/kit/endpoint.ts";
import { type NameLimits, nameProblem, normalizeName } from "@cabinet/contract/kit/name.rules.ts";
import {
  fitsPhone,
  normalizePhone,
  PHONE_HINT,
  type PhoneForm,
} from "@cabinet/contract/kit/phone.rules.ts";
import { inputCleaner } from "@cabinet/contract/kit/text.rules.ts";
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from "ajv";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import addFormats from "ajv-formats";
import { Refusal } from "../errors.ts";
import { unstorableTextIn } from "./well-formed.gate.ts";

const options = { useDefaults: true, removeAdditional: false, allErrors: false, verbose: true };
/** JSON is typed; text (paths, queries, forms) is converted to the type that the schema names. */
const exact = new Ajv({ ...options, coerceTypes: false, strictTypes: false });
const reading = new Ajv({ ...options, coerceTypes: "array", strictTypes: false });
/** The same for an input that one of the above has refused: all its mistakes. */
const exactAll = new Ajv({ ...exact.opts, allErrors: true });
const readingAll = new Ajv({ ...reading.opts, allErrors: true });
for (const ajv of [exact, reading, exactAll, readingAll]) {
  addFormats.default(ajv, ["uuid"]);
  for (const name of ["date", "date-time"] as const) {
    const { validate } = addFormats.default.get(name) as { validate: (text: string) => boolean };
    ajv.addFormat(name, (text) => validate(text) && isStorable(text));
  }
  ajv.addKeyword({
    keyword: "x-phone",
    type: "string",
    modifying: true,
    validate: readPhone,
    before: "maxLength",
  });
  ajv.addKeyword("x-phone-reveal");
  ajv.addKeyword("x-text");
  ajv.addKeyword({
    keyword: "x-name",
    type: "string",
    modifying: true,
    validate: readName,
    before: "maxLength",
  });
}

/** Checks a phone and replaces it by its normalised form, the only one that handlers see. */
function readPhone(
  form: PhoneForm,
  text: string,
  _: unknown,
  context?: DataValidationCxt,
): boolean {
  if (context && form !== "SEARCH") {
    context.parentData[context.parentDataProperty] = normalizePhone(text);
  }
  return fitsPhone(form, text);
}

/** Checks a name and replaces it by its one spelling. */
function readName(
  _: unknown,
  text: string,
  limits: AnySchemaObject = {},
  context?: DataValidationCxt,
): boolean {
  if (context) context.parentData[context.parentDataProperty] = normalizeName(text);
  return nameProblem(text, limits as NameLimits) === null;
}

/** RFC 3339 allows the year 0000 and leap seconds; PostgreSQL and Date do not. */
function isStorable(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

interface Check {
  (input: unknown): boolean;
  errors?: ErrorObject[] | null | undefined;
}

/** Compiles the schema at the first check: hundreds of calls at once would take a third of the server's start. */
export function compileSchema(schema: object, isText: boolean): Check {
  let validate: ValidateFunction | undefined;
  let clean: ReturnType<typeof inputCleaner> | undefined;
  const check: Check = (input) => {
    validate ??= (isText ? reading : exact).compile(schema);
    if (clean === undefined) clean = inputCleaner(schema, isText);
    const unstorable = textError(input);
    if (!unstorable) clean?.(input);
    const error = unstorable ?? (isText ? (numberErrors(schema, input)[0] ?? null) : null);
    const isValid = error === null && validate(input);
    check.errors = error ? [error] : validate.errors;
    return isValid;
  };
  return check;
}

/** For every API at once: the database would fail at half an emoji, or store another text. */
function textError(input: unknown): ErrorObject | null {
  const instancePath = unstorableTextIn(input);
  if (instancePath === null) return null;
  return { keyword: "wellFormed", instancePath, schemaPath: "#", params: {} };
}

const numberTexts = { integer: /^-?\d+$/, number: /^-?\d+(\.\d+)?$/ };

/**
 * Ajv converts whatever JavaScript reads as a number: "0x10", "1e3", " 5", and "Infinity" and "1e400", which it then
 * compares with no bound. Only plain decimal numbers are accepted. Text has no depth.
 */
function numberErrors(schema: { properties?: object }, input: unknown): ErrorObject[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const types: string[] = [field.type].flat();
    const type = types.find((one) => one in numberTexts) as keyof typeof numberTexts | undefined;
    const text = (input as Record<string, unknown>)?.[name];
    if (!type || typeof text !== "string") return [];
    // Ajv converts an empty text to null.
    if (text === "" && types.includes("null")) return [];
    const pattern = numberTexts[type];
    if (pattern.test(text) && Number.isFinite(Number(text))) return [];
    return {
      ...{ keyword: "type", instancePath: `/${name}`, schemaPath: `#/properties/${name}/type` },
      ...{ params: { type }, parentSchema: field, message: `must be ${type}` },
    };
  });
}

const allChecks = new WeakMap<object, ValidateFunction>();

/** All mistakes of a part of a request that `compileSchema` has refused, which names the first one only. */
function mistakesOfPart(schema: object, isText: boolean, input: unknown): ErrorObject[] {
  const unstorable = textError(input);
  if (unstorable) return [unstorable];
  const check = allChecks.get(schema) ?? (isText ? readingAll : exactAll).compile(schema);
  allChecks.set(schema, check);
  check(input);
  const numbers = isText ? numberErrors(schema, input) : [];
  const places = new Set(numbers.map(({ instancePath }) => instancePath));
  const others = (check.errors ?? []).filter(({ instancePath }) => !places.has(instancePath));
  return [...numbers, ...others];
}

/** Mistakes of the whole request, the first one as its refusal names it; one for each field, at most MAX_MISTAKES. */
export function mistakesOf(
  { params, query, body, bodyForm }: EndpointSpec,
  input: { params: unknown; query: unknown; body: unknown },
  first: ErrorObject,
): ErrorObject[] {
  const all = [
    first,
    ...(params ? mistakesOfPart(params, true, input.params) : []),
    ...(query ? mistakesOfPart(query, true, input.query) : []),
    ...(body && bodyForm !== "multipart"
      ? mistakesOfPart(body, bodyForm === "form", input.body)
      : []),
  ];
  const byField = new Map<string | undefined, ErrorObject>();
  for (const mistake of all) {
    if (byField.size === MAX_MISTAKES) break;
    const param = paramOf(mistake);
    if (!byField.has(param)) byField.set(param, mistake);
  }
  return [...byField.values()];
}

/** Refusal of an input that its schema does not allow: the sentence and the path of the field. */
export function validationRefusal(error: ErrorObject): Refusal {
  const [text, english] = [explainValidation(error), explainInEnglish(error)];
  return new Refusal("VALIDATION", undefined, text, paramOf(error), english);
}

/** A mistake as the answer to a program names it. */
export function mistakeIn(error: ErrorObject, isEnglish: boolean): Mistake {
  const param = paramOf(error);
  const errMsg = isEnglish ? explainInEnglish(error) : explainValidation(error);
  return { ...(param && { param }), errMsg };
}

function explainInEnglish(error: ErrorObject): string {
  const { keyword, params, schema } = error;
  const problem = englishProblems[keyword] ?? error.message ?? "is not valid";
  const values = keyword === "enum" ? `: ${params.allowedValues.join(", ")}` : "";
  const example = keyword === "x-phone" && schema === "PART" ? " or its last four digits" : "";
  return `${paramOf(error) ?? "The request"} ${problem}${values}${example}`;
}

/** Problems where the validator's own words name no field, or a keyword of ours. */
const englishProblems: Record<string, string> = {
  required: "is missing",
  additionalProperties: "is not a known field",
  "x-phone": "must be a mobile number of 11 digits",
  "x-name": "is not a valid name",
  wellFormed: "has characters that cannot be stored, such as half an emoji",
};

/** `/items/0/no` as `items[0].no`; a missing or unknown field is named by itself. */
function paramOf({ instancePath, params }: ErrorObject): string | undefined {
  const at = instancePath.split("/").slice(1);
  const own = params.missingProperty ?? params.additionalProperty;
  const parts = own === undefined ? at : [...at, String(own)];
  const path = parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join("");
  return path.replace(/^\./, "") || undefined;
}

/** One sentence (Chinese) that names the field and the expected value. */
export function explainValidation(error: ErrorObject): string {
  const field = error.parentSchema?.title ?? lastName(error);
  const { keyword, params } = error;
  switch (keyword) {
    case "required":
      return `缺少“${titleOf(error, params.missingProperty)}”`;
    case "additionalProperties":
      return `不认识的字段“${params.additionalProperty}”，请去掉后重试`;
    case "minLength":
      return params.limit === 1 ? `“${field}”不能为空` : `“${field}”至少 ${params.limit} 个字`;
    case "maxLength":
      return `“${field}”最多 ${params.limit} 个字`;
    case "minimum":
      return `“${field}”不能小于 ${params.limit}`;
    case "maximum":
      return `“${field}”不能大于 ${params.limit}`;
    case "minItems":
      return `“${field}”至少选择 ${params.limit} 项`;
    case "maxItems":
      return `“${field}”最多 ${params.limit} 项`;
    case "enum":
      return `“${field}”只能是：${params.allowedValues.join("、")}`;
    case "type":
      return `“${field}”的类型不对，应为${typeNames[String(params.type)] ?? params.type}`;
    case "wellFormed":
      return `“${field}”含有无法保存的字符（如半个表情符号），请删去后重试`;
    case "x-name":
      return `“${field}”${nameProblem(String(error.data), (error.parentSchema ?? {}) as NameLimits)}`;
    case "x-phone":
      return error.schema === "PART"
        ? `“${field}”应为完整的手机号或后四位`
        : `“${field}”应为 ${PHONE_HINT}`;
    case "format":
    case "pattern":
      return `“${field}”的格式不对`;
    default:
      return `“${field}”不符合要求`;
  }
}

const typeNames: Record<string, string> = {
  integer: "整数",
  number: "数字",
  string: "文字",
  boolean: "是或否",
  array: "列表",
  object: "对象",
};

function lastName(error: ErrorObject): string {
  return (
    error.instancePath
      .split("/")
      .filter((part) => part && !/^\d+$/.test(part))
      .at(-1) ?? "内容"
  );
}

function titleOf(error: ErrorObject, property: string): string {
  return error.parentSchema?.properties?.[property]?.title ?? property;
}
