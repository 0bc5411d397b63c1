// Display of values in audit entries.
import { expect, test } from "vitest";
import { valueText } from "./audit-value.ts";

test.each([
  ["priceFen", "123450", "¥1,234.50"],
  ["priceFen", "[100,200]", "¥1.00、¥2.00"],
  ["count", "3", "3"],
  ["isOn", "true", "是"],
  ["isOn", "false", "否"],
  ["name", '"店长"', "店长"],
  ["name", '""', "（空）"],
  ["name", "null", "（空）"],
  ["name", null, "—"],
  ["roles", "[]", "（空）"],
  ["roles", '["店长","财务"]', "店长、财务"],
  ["at", '"2026-11-21T04:30:05.000Z"', "2026-11-21 12:30:05"],
  ["expiresOn", '"2026-12-31"', "2026-12-31"],
  ["deep", '{"a":1}', '{"a":1}'],
])("valueText: %s %s is displayed as %s", (field, json, text) => {
  expect(valueText(field, json)).toBe(text);
});
