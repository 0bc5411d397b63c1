// Display of a value in an audit entry: money in yuan, times in Shanghai, booleans as words.
import { formatDateTime, formatMoney } from "../../../kit/format.ts";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const NOTHING = "（空）";

function textOf(field: string, value: unknown): string {
  if (value === null || value === "") return NOTHING;
  if (typeof value === "boolean") return value ? "是" : "否";
  if (typeof value === "number") return field.endsWith("Fen") ? formatMoney(value) : String(value);
  if (typeof value === "string") return ISO_TIME.test(value) ? formatDateTime(value) : value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? NOTHING : value.map((item) => textOf(field, item)).join("、");
}

/** `json`: as sent by the server; null if the field did not exist. */
export function valueText(field: string, json: string | null): string {
  return json === null ? "—" : textOf(field, JSON.parse(json));
}
