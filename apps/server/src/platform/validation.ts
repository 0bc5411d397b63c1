// Validation: compiles the contract's schemas and says in Chinese what is wrong with an input.
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";

const options = { useDefaults: true, removeAdditional: false, allErrors: false, verbose: true };
/** JSON says its types; what travels as text (paths, queries, forms) is read as the type asked for. */
const exact = new Ajv({ ...options, coerceTypes: false, strictTypes: false });
const reading = new Ajv({ ...options, coerceTypes: "array", strictTypes: false });
for (const ajv of [exact, reading]) addFormats.default(ajv, ["date", "date-time", "uuid"]);

export function compileSchema(schema: object, isText: boolean) {
  return (isText ? reading : exact).compile(schema);
}

/** One sentence: which field, and what it should be. */
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
