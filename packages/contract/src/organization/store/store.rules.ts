// Pure rules of a store: validation across fields, and the next store code.
import { openingHoursProblem } from "../../kit/opening-hours.rules.ts";
import { coordinatesProblem } from "../../kit/place.rules.ts";

interface StoreFields {
  longitude: number | null;
  latitude: number | null;
  openingHours: string;
}

/** Problem beyond the form of single fields, in Chinese; null when there is none. */
export function storeProblem(store: StoreFields): string | null {
  return coordinatesProblem(store) ?? openingHoursProblem(store.openingHours);
}

const FIRST_CODE = "S001";

/** Next free code after the tenant's newest one: `HZ-06` gives `HZ-07`. */
export function nextStoreCode(codes: readonly string[], newest: string | null): string {
  if (newest === null) return FIRST_CODE;
  const taken = new Set(codes);
  const [, head = `${newest}-`, digits = "01"] = /^(.*?)(\d{1,9})$/.exec(newest) ?? [];
  for (let number = Number(digits) + 1; ; number++) {
    const code = `${head}${String(number).padStart(digits.length, "0")}`;
    if (!taken.has(code)) return code;
  }
}
