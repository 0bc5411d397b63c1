// Pure rules of the search box: how long its text may be, and how digits in it are read.
import { normalizePhone, phoneSearchOf } from "../../kit/phone.rules.ts";
import { snOfCode } from "../app/app-page.rules.ts";

export const SEARCH_MIN = 2;
export const SEARCH_MAX = 64;
/** Most rows of a group. */
export const HITS_A_GROUP = 6;

/** Order numbers encode their time (decision 0025): 15 digits, later 16. */
const ORDER_NO = /^\d{14,16}$/;

/** Meanings of a search text; absent ones do not apply. */
export interface SearchMeaning {
  /** Whole phone. */
  phone?: string;
  /** Last four digits of a phone. Other parts would tell the digits that results do not show. */
  phoneTail?: string;
  orderId?: number;
  thirdPartyNo: string;
  /** Part of a name, number or account. */
  keyword: string;
}

export function meaningOf(text: string): SearchMeaning {
  const written = text.trim();
  // A scanner types the address of a label.
  const keyword = written.includes("/") ? (snOfCode(written) ?? written) : written;
  // Never those of the address: the gate of phone searches (0135) counts what is written.
  const digits = normalizePhone(written);
  const plain = { thirdPartyNo: keyword, keyword };
  if (!/^\d+$/.test(digits)) return plain;
  const kind = phoneSearchOf(digits);
  return {
    ...plain,
    ...(kind === "WHOLE" && { phone: digits }),
    ...(kind === "TAIL" && { phoneTail: digits }),
    ...(ORDER_NO.test(digits) &&
      Number.isSafeInteger(Number(digits)) && { orderId: Number(digits) }),
  };
}
