// Converts money between typed yuan and stored integer fen; never uses a float.
import { groupedText } from "./number.rules.ts";
import { cleanCode } from "./text.rules.ts";

/** Up to 9,999,999 yuan with at most two digits of fen. */
const YUAN = /^(\d{1,7})(?:\.(\d{1,2}))?$/;

/** `3²` and `3 50` are no amounts, though they would become digits. */
const DOUBTFUL = /\p{No}|\p{Nd}\p{Cf}*\s[\s\p{Cf}]*\p{Nd}/u;

const GROUPED = /^\d{1,3}(,\d{3})+(?=\.|$)/;

/** Parses `3`, `3.5`, `¥3,000.50` or `3.50 元` to fen, wide digits too; null for anything else. */
export function fenOfYuan(text: string): number | null {
  if (DOUBTFUL.test(text)) return null;
  const plain = cleanCode(text)
    .replace(/^¥/, "")
    .replace(/元$/, "")
    .replace(GROUPED, (yuan) => yuan.replaceAll(",", ""));
  const [, yuan, fen = ""] = YUAN.exec(plain) ?? [];
  return yuan === undefined ? null : Number(yuan) * 100 + Number(fen.padEnd(2, "0"));
}

/** Formats fen as typed yuan: `3`, `3.50`. */
export function yuanOfFen(fen: number): string {
  const rest = fen % 100;
  const yuan = String((fen - rest) / 100);
  return rest === 0 ? yuan : `${yuan}.${String(rest).padStart(2, "0")}`;
}

/** Formats fen for display: `¥1,234.50`, `-¥3.00`. */
export function moneyText(fen: number): string {
  const amount = Math.abs(fen);
  const yuan = groupedText(Math.floor(amount / 100));
  return `${fen < 0 ? "-" : ""}¥${yuan}.${String(amount % 100).padStart(2, "0")}`;
}
