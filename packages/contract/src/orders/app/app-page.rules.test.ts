// Tests the number of a cabinet as people scan, type and paste it.
import { expect, it } from "vitest";
import { snOfCode } from "./app-page.rules.ts";

it.each([
  "CAB00000001",
  " cab0000 0001\n",
  "ＣＡＢ００００００01",
  "CAB–0000.0001\u200b",
  "编号：CAB00000001",
  "https://cabinet.example/m/c/CAB00000001 ",
])("number of a cabinet: %j", (typed) => {
  expect(snOfCode(typed)).toBe("CAB00000001");
});

it.each(["", "1", "https://other.example/CAB00000001", "CAB_00000001"])(
  "no number of a cabinet: %j",
  (typed) => expect(snOfCode(typed)).toBeNull(),
);
