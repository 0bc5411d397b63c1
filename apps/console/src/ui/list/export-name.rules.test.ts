// Tests the names of exported files.
import { expect, it } from "vitest";
import { exportName } from "./export-name.rules.ts";

it.each([
  [{}, undefined, "交易记录"],
  [{ side: "SINGLE" }, "单面", "交易记录-单面"],
  [{ from: "2026-10-01", to: "2026-10-31" }, "全部", "交易记录-全部-2026-10-01至2026-10-31"],
  [
    { from: "2026-09-30T16:00:00.000Z", to: "2026-10-31T15:59:59.000Z" },
    "双面",
    "交易记录-双面-2026-10-01至2026-10-31",
  ],
  [{ from: "2026-10-01", to: "2026-10-01" }, undefined, "交易记录-2026-10-01"],
  [{ from: "2026-10-01T00:30:00.000Z" }, undefined, "交易记录-2026-10-01 08.30起"],
  [{ to: "2026-10-31T15:59:00.000Z" }, undefined, "交易记录-至2026-10-31"],
  [{ fromDay: "2026-10-01", toDay: "2026-10-02" }, undefined, "交易记录-2026-10-01至2026-10-02"],
])("name of an export: %j of %s", (query, scope, name) => {
  expect(exportName("交易记录", query, scope)).toBe(name);
});
