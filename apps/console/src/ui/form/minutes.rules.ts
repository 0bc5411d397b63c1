// Units in which a length of time is shown and typed.

export const TIME_UNITS: { value: number; label: string }[] = [
  { value: 1, label: "分钟" },
  { value: 60, label: "小时" },
  { value: 1_440, label: "天" },
];

/** True if `minutes` is a whole number of this unit. */
export const isWholeIn = (unit: number, minutes: number | null): boolean =>
  minutes === null || minutes % unit === 0;

/** Largest unit in which the time is a whole number; minutes for none and for no time. */
export function unitOf(minutes: number | null): number {
  if (!minutes) return 1;
  return TIME_UNITS.findLast(({ value }) => isWholeIn(value, minutes))?.value ?? 1;
}
