// Money between people and the house: yuan as they are typed, fen as they are kept; never a float.

/** Up to 9,999,999 yuan with at most two digits of fen. */
const YUAN = /^(\d{1,7})(?:\.(\d{1,2}))?$/;

/** `3`, `3.5` and `3.50` yuan in fen; null for what is no such amount. */
export function fenOfYuan(text: string): number | null {
  const [, yuan, fen = ""] = YUAN.exec(text.trim()) ?? [];
  return yuan === undefined ? null : Number(yuan) * 100 + Number(fen.padEnd(2, "0"));
}

/** Fen as a person would type the yuan: `3`, `3.50`. */
export function yuanOfFen(fen: number): string {
  const rest = fen % 100;
  const yuan = String((fen - rest) / 100);
  return rest === 0 ? yuan : `${yuan}.${String(rest).padStart(2, "0")}`;
}

/** Fen as money is shown: `¥1,234.50`, `-¥3.00`. */
export function moneyText(fen: number): string {
  const amount = Math.abs(fen);
  const yuan = Math.floor(amount / 100).toLocaleString("en-US");
  return `${fen < 0 ? "-" : ""}¥${yuan}.${String(amount % 100).padStart(2, "0")}`;
}
