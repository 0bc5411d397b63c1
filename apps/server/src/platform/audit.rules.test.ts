// Tests that phones and secrets never reach the audit log, whatever a call notes.
import { expect, test } from "vitest";
import { scrubbed } from "./audit.rules.ts";

test("audit log: phones are masked except their ends, longer numbers stay", () => {
  expect(scrubbed("请回电 13812345678，订单 1381234567890123")).toBe(
    "请回电 138****5678，订单 1381234567890123",
  );
  expect(scrubbed("+8613812345678")).toBe("+86138****5678");
});

test("audit log: secrets keep their field names only, at any depth", () => {
  expect(
    scrubbed({
      name: "店长",
      password: "correct horse 42",
      people: [{ phone: "13812345678", newPassword: "x", mustChangePassword: true }],
      token: "abc",
      mapKey: "",
      count: 13812345678,
    }),
  ).toEqual({
    name: "店长",
    password: "******",
    people: [{ phone: "138****5678", newPassword: "******", mustChangePassword: true }],
    token: "******",
    mapKey: "",
    count: 13812345678,
  });
});
