// Opening hours as one line of text: parsing, formatting and validation.

/** Time span; `24:00` is the end of the day; a `to` before `from` is on the next day. */
export interface TimeSpan {
  from: string;
  to: string;
}
/** Null: closed. */
export type DayHours = TimeSpan | "ALL_DAY" | null;

export interface OpeningHours {
  weekdays: DayHours;
  weekend: DayHours;
}

const SPAN = "([01]\\d|2[0-3]):[0-5]\\d-(([01]\\d|2[0-3]):[0-5]\\d|24:00)";
const DAY = `(${SPAN}|全天|休息)`;

/** Empty, `全天`, `08:00-22:00`, or `工作日 08:00-22:00，周末 休息`. */
export const OPENING_HOURS_PATTERN = `^$|^(${SPAN}|全天)$|^工作日 ${DAY}，周末 ${DAY}$`;

const ALL_DAY = "全天";
const CLOSED = "休息";

function dayOf(text: string): DayHours {
  if (text === ALL_DAY) return "ALL_DAY";
  if (text === CLOSED) return null;
  const [from = "", to = ""] = text.split("-");
  return { from, to };
}

/** Null for empty text and for text that does not match the pattern. */
export function parseOpeningHours(text: string): OpeningHours | null {
  if (text === "" || !new RegExp(OPENING_HOURS_PATTERN).test(text)) return null;
  const parts = /^工作日 (.+)，周末 (.+)$/.exec(text);
  const [weekdays, weekend] = parts ? [parts[1] ?? "", parts[2] ?? ""] : [text, text];
  return { weekdays: dayOf(weekdays), weekend: dayOf(weekend) };
}

function dayText(day: DayHours): string {
  if (day === "ALL_DAY") return ALL_DAY;
  return day ? `${day.from}-${day.to}` : CLOSED;
}

/** Formats as `08:00-22:00`, or 工作日 and 周末 separately where they differ. */
export function formatOpeningHours(hours: OpeningHours): string {
  const [weekdays, weekend] = [dayText(hours.weekdays), dayText(hours.weekend)];
  const isEveryDay = weekdays === weekend && weekdays !== CLOSED;
  return isEveryDay ? weekdays : `工作日 ${weekdays}，周末 ${weekend}`;
}

/** Problem of the text beyond its pattern, in Chinese; null when there is none. */
export function openingHoursProblem(text: string): string | null {
  if (text === "") return null;
  const hours = parseOpeningHours(text);
  if (!hours) return "营业时间不完整，请填写开始和结束时间，如 08:00 到 22:00";
  const { weekdays, weekend } = hours;
  if (!weekdays && !weekend) return "工作日和周末不能都休息；不确定营业时间时可以留空";
  const isEmpty = [weekdays, weekend].some(
    (day) => day && day !== "ALL_DAY" && day.from === day.to,
  );
  return isEmpty ? "营业的开始和结束时间不能相同；整天营业请选“全天”" : null;
}
