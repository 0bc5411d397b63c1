// Tests the counter of inputs.
import { expect, it } from "vitest";
import { counted } from "./counted.ts";

it("counts characters, as the server's check does", () => {
  expect(counted(20).strategy("𠮷家😀")).toBe(3);
  expect(counted(20).max).toBe(20);
});
