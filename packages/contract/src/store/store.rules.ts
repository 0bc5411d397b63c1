// Pure rules of a store: what its fields may be together, and which code comes next.
import { openingHoursProblem } from "../kit/opening-hours.rules.ts";
import { coordinatesProblem } from "../kit/place.rules.ts";

interface StoreFields {
  longitude: number | null;
  latitude: number | null;
  openingHours: string;
}

/** What is wrong beyond the form of each field, in words; null when nothing is. */
export function storeProblem(store: StoreFields): string | null {
  return coordinatesProblem(store) ?? openingHoursProblem(store.openingHours);
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
