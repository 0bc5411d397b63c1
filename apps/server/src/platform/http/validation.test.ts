// Tests validation of text and JSON against the contract's schemas.
import {
  Day,
  Id,
  Nullable,
  OptionalPhone,
  PersonPhonePart,
  Phone,
  Strict,
  Timestamp,
} from "@cabinet/contract/kit/fields.ts";
import { describe, expect, test } from "vitest";
import { compileSchema, explainValidation } from "./validation.ts";

const Query = {
  type: "object",
  properties: { id: Id, ratio: { type: "number" }, isOpen: { type: "boolean" } },
};

test.each([
  "Infinity",
  "-Infinity",
  "1e400",
  "9".repeat(400),
  "0x10",
  "1e3",
  " 1",
  "+1",
  "1.0",
  "",
])("integer as text: %s is refused", (id) => {
  const check = compileSchema(Query, true);
  expect(check({ id })).toBe(false);
  const [error] = check.errors ?? [];
  expect(error && explainValidation(error)).toBe("“id”的类型不对，应为整数");
});

test("plain decimal numbers as text are converted", () => {
  const input = { id: "42", ratio: "-1.5", isOpen: "true" };
  expect(compileSchema(Query, true)(input)).toBe(true);
  expect(input).toEqual({ id: 42, ratio: -1.5, isOpen: true });
  expect(compileSchema(Query, true)({ id: "9".repeat(20) })).toBe(false);
});

test("number in JSON: one beyond all bounds is refused", () => {
  const check = compileSchema(Query, false);
  expect(check(JSON.parse('{"ratio":1e400}'))).toBe(false);
  expect(check({ id: "1" })).toBe(false);
});

test.each([
  ["0001-01-01T00:00:00Z", true],
  ["9999-12-31T23:59:59.999Z", true],
  ["2026-11-22T08:00:00+08:00", true],
  ["0000-01-01T00:00:00Z", false],
  ["0001-01-01T00:00:00+14:00", false],
  ["9999-12-31T23:59:59-14:00", false],
  ["2026-11-22T23:59:60Z", false],
  ["2026-02-30T00:00:00Z", false],
])("instant %s is accepted: %s", (at, isAccepted) => {
  expect(compileSchema(Strict({ at: Timestamp }), false)({ at })).toBe(isAccepted);
});

test.each([
  ["2026-02-28", true],
  ["0000-01-01", false],
])("day %s is accepted: %s", (day, isAccepted) => {
  const plain = { type: "object", properties: { day: { type: "string", format: "date" } } };
  expect(compileSchema(plain, false)({ day })).toBe(isAccepted);
  expect(compileSchema(Strict({ day: Day }), false)({ day })).toBe(isAccepted);
});

test("nullable number as text: plain decimal or empty", () => {
  const check = compileSchema(Strict({ limit: Nullable(Id) }), true);
  const empty = { limit: "" };
  expect(check(empty)).toBe(true);
  expect(empty).toEqual({ limit: null });
  expect(check({ limit: "5" })).toBe(true);
  expect(check({ limit: "0x10" })).toBe(false);
});

function read(field: typeof Phone | typeof PersonPhonePart, phone: string, isText = false) {
  const check = compileSchema(Strict({ phone: field }), isText);
  const input = { phone };
  const [error] = check(input) ? [] : (check.errors ?? []);
  return error ? explainValidation(error) : input.phone;
}

describe("phones", () => {
  test.each(["13812345678", "+8613812345678", "008613812345678", "86 138-1234-5678"])(
    "%s: accepted and normalised, in a body and in a query",
    (text) => {
      for (const field of [Phone, OptionalPhone, PersonPhonePart]) {
        expect(read(field, text)).toBe("13812345678");
        expect(read(field, text, true)).toBe("13812345678");
      }
    },
  );

  test("a wrong phone: refused with an example", () => {
    expect(read(Phone, "+8513812345678")).toBe("“手机号”应为 11 位手机号，如 13812345678");
    expect(read(Phone, "")).toContain("应为 11 位手机号");
    expect(read(PersonPhonePart, "123")).toContain("应为完整的手机号或后四位");
  });

  test("an optional phone: may be empty", () => {
    expect(read(OptionalPhone, "")).toBe("");
    expect(read(OptionalPhone, " ")).toBe("");
  });

  test("a phone within an object: normalised as well", () => {
    const check = compileSchema(Strict({ account: Strict({ phone: Phone }) }), false);
    const input = { account: { phone: "+86 13812345678" } };
    expect(check(input)).toBe(true);
    expect(input.account.phone).toBe("13812345678");
  });
});
