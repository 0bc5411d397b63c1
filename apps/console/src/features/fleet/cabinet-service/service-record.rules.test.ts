// Service records: text of the change and nothing else.
import { expect, it } from "vitest";
import { changeText, periodText } from "./service-record.rules.ts";

const year = { startsOn: "2026-01-01", endsOn: "2026-12-31", isStopped: false };
const none = { startsOn: null, endsOn: null, isStopped: false };

it("changeText: names the days that changed", () => {
  expect(changeText({ before: year, after: { ...year, endsOn: "2027-12-31" } })).toBe(
    "到期日 2026-12-31 → 2027-12-31",
  );
  expect(changeText({ before: none, after: year })).toBe("未设置 → 2026-01-01 至 2026-12-31");
  expect(periodText(none)).toBe("未设置");
});

it("changeText: describes the effect of stopping and resuming", () => {
  expect(changeText({ before: year, after: { ...year, isStopped: true } })).toBe("不再接新单");
  expect(changeText({ before: { ...none, isStopped: true }, after: none })).toBe("按服务期接单");
});
