// Pure rules of the search box: how long its text may be, and how digits in it are read.
import { normalizePhone } from "../../kit/phone.rules.ts";
import { snOfCode } from "../app/app-page.rules.ts";

export const SEARCH_MIN = 2;
export const SEARCH_MAX = 64;
/** Most rows of a group. */
export const HITS_A_GROUP = 6;

/** Number of last digits of a phone that people give instead of all. */
const TAIL = 4;
const WHOLE_PHONE = 11;
/** Order numbers encode their time (decision 0025): 15 digits, later 16. */
const ORDER_NO = /^\d{14,16}$/;

/** Meanings of a search text; absent ones do not apply. */
export interface SearchMeaning {
  /** Whole phone. */
  phone?: string;
  /** Last digits of a phone, four or more. */
  phoneEnd?: string;
  /** First digits of a phone, with the next larger number of this length. */
  phoneStart?: { from: string; before: string };
  orderId?: number;
  thirdPartyNo: string;
  /** Part of a name, number or account. */
  keyword: string;
}

export function meaningOf(text: string): SearchMeaning {
  const written = text.trim();
  // A scanner types the address of a label.
  const keyword = written.includes("/") ? (snOfCode(written) ?? written) : written;
  const digits = normalizePhone(keyword);
  const plain = { thirdPartyNo: keyword, keyword };
  if (!/^\d+$/.test(digits)) return plain;
  const isPart = digits.length >= TAIL && digits.length < WHOLE_PHONE;
  return {
    ...plain,
    ...(digits.length === WHOLE_PHONE && { phone: digits }),
    ...(isPart && { phoneEnd: digits }),
    ...(isPart && digits.startsWith("1") && { phoneStart: rangeOf(digits) }),
    ...(ORDER_NO.test(digits) &&
      Number.isSafeInteger(Number(digits)) && { orderId: Number(digits) }),
  };
}

/** Starts with 1, therefore the next number has as many digits. */
const rangeOf = (digits: string) => ({ from: digits, before: String(Number(digits) + 1) });

/** Last four digits, which an index finds. */
export const tailOf = (digits: string): string => digits.slice(-TAIL);
