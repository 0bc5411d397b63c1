// Pure rules of a store: what its fields may be together, and which code comes next.
import { openingHoursProblem } from "../kit/opening-hours.rules.ts";
import { isPhone } from "../kit/phone.rules.ts";
import { coordinatesProblem } from "../kit/place.rules.ts";

interface StoreFields {
  longitude: number | null;
  latitude: number | null;
  openingHours: string;
  contactPhone?: string;
}

export const PHONE_HINT = "11 位手机号，如 13812345678";

/** What is wrong with it, in words; null when nothing is, or none is given. */
export function phoneProblem(phone: string): string | null {
  return phone === "" || isPhone(phone) ? null : `联系电话应为 ${PHONE_HINT}`;
}

/** What is wrong beyond the form of each field, in words; null when nothing is. */
export function storeProblem(store: StoreFields): string | null {
  return (
    coordinatesProblem(store) ??
    openingHoursProblem(store.openingHours) ??
    phoneProblem(store.contactPhone ?? "")
  );
}

const FIRST_CODE = "S001";

/** Counts on from the tenant's newest code, `HZ-06` to `HZ-07`, to one that is free. */
export function nextStoreCode(codes: readonly string[], newest: string | null): string {
  if (newest === null) return FIRST_CODE;
  const taken = new Set(codes);
  const [, head = `${newest}-`, digits = "01"] = /^(.*?)(\d{1,9})$/.exec(newest) ?? [];
  for (let number = Number(digits) + 1; ; number++) {
    const code = `${head}${String(number).padStart(digits.length, "0")}`;
    if (!taken.has(code)) return code;
  }
}
