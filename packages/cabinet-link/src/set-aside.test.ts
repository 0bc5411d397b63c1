// Tests which invalid fields are set aside and which drop the report, by the vectors for other implementations.
import { expect, test } from "vitest";
import ranges from "../vectors/ranges.json" with { type: "json" };
import { parseUp, type UpKind } from "./index.ts";

type Fields = Record<string, unknown>;
const reports = ranges.reports as Record<string, Fields>;

/** A copy of the report with `value` in one field; `[]` is the first entry of an array. */
function withValue(kind: string, field: string, value: unknown): unknown {
  const report = structuredClone(reports[kind]);
  const path = field.replaceAll("[]", ".0").split(".");
  const name = path.pop() ?? "";
  const holder = path.reduce((inner, part) => inner[part] as Fields, report as Fields);
  expect(holder).toHaveProperty(name);
  holder[name] = value;
  return report;
}

test.each(Object.keys(reports))("%s: the vectors' report is valid", (kind) => {
  const parsed = parseUp(kind as UpKind, reports[kind]);
  expect(parsed).toEqual({ ok: true, message: reports[kind], setAside: [] });
});

test.each(ranges.vectors)("$kind $field = $value: $outcome", (vector) => {
  const { kind, field, value, outcome } = vector;
  const parsed = parseUp(kind as UpKind, withValue(kind, field, value));
  expect(parsed.ok).toBe(outcome !== "DROPPED");
  if (!parsed.ok) return;
  const names = parsed.setAside.map((each) => each.field);
  if (outcome === "TAKEN") expect(names).toEqual([]);
  else expect([field, field.replaceAll("[]", "")].some((name) => isOfOne(name, names))).toBe(true);
});

/** An invalid inner field may set the object aside that holds it. */
function isOfOne(name: string, names: readonly string[]): boolean {
  return names.length === 1 && (name === names[0] || name.startsWith(`${names[0]}.`));
}

test("an invalid measurement: the others count, and the value is kept for the log", () => {
  const parsed = parseUp("hb", { ...reports.hb, temperatureC: -127, signalDbm: 99 });
  expect(parsed).toMatchObject({
    message: { supplyVolts: 12.1, openDoors: 0 },
    setAside: [
      { field: "signalDbm", value: 99 },
      { field: "temperatureC", value: -127 },
    ],
  });
  expect(parsed.ok && "temperatureC" in parsed.message).toBe(false);
});

test("a required measurement that is missing: set aside, too", () => {
  const { openDoors: _, ...rest } = reports.hb as Fields;
  expect(parseUp("hb", rest)).toMatchObject({
    message: { openDoors: 0 },
    setAside: [{ field: "openDoors" }],
  });
});

test("text that the database cannot store: set aside", () => {
  for (const appVersion of ["1.0\u0000", "1.0\ud800"]) {
    expect(parseUp("birth", { ...reports.birth, appVersion })).toMatchObject({
      message: { appVersion: "unknown" },
    });
  }
  const parsed = parseUp("birth", { ...reports.birth, appVersion: "版本😀" });
  expect(parsed).toMatchObject({ message: { appVersion: "版本😀" }, setAside: [] });
});
