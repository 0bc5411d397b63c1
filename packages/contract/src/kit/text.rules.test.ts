// Tests cleaning of typed and pasted text, and that each text field of a request has a rule.
import { describe, expect, it, test } from "vitest";
import { contracts } from "../contracts.ts";
import type { EndpointSpec } from "./endpoint.ts";
import { normalizeName } from "./name.rules.ts";
import { isPhone, normalizePhone } from "./phone.rules.ts";
import {
  cleanCode,
  cleanerOf,
  cleanProse,
  cleanSearch,
  fittingCode,
  inputCleaner,
  type TextFacts,
} from "./text.rules.ts";

const CODE = /^\d{6}$/u;
const SN = /^[A-Z0-9]{8,32}$/u;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/u;
const IDS = /^\d{1,15}(,\d{1,15}){0,9}$/u;
const ADDRESS = /^\S+$/u;
const USERNAME = /^[A-Za-z][A-Za-z0-9._-]{2,31}$/u;

test.each([
  ["123 456", CODE, "123456"],
  [" 123456\n", CODE, "123456"],
  ["１２３４５６", CODE, "123456"],
  ["123-456", CODE, "123456"],
  ["123–456", CODE, "123456"],
  ["123\u200b456\ufe0f", CODE, "123456"],
  ["取件码：123456", CODE, "123456"],
  ["(123) 456", CODE, "123456"],
  ["ＺＣ２６Ａ０００９Ｓ２４", SN, "ZC26A0009S24"],
  ["zc26 a0009 s24", SN, "ZC26A0009S24"],
  ["ZC26A0009S24\u202c", SN, "ZC26A0009S24"],
  ["编号: ZC26-A0009-S24", SN, "ZC26A0009S24"],
  ["０８：３０", TIME, "08:30"],
  ["\ufeffli.wei ", USERNAME, "li.wei"],
  ["https://a.example/x\u200b", ADDRESS, "https://a.example/x"],
])("code as typed: %j for %s is %s", (typed, pattern, code) => {
  expect(fittingCode(typed, pattern)).toBe(code);
});

test.each([
  ["12345", CODE],
  ["123a456", CODE],
  ["li@wei", USERNAME],
  ["li wei", USERNAME],
  ["25:00", TIME],
  ["12 34", IDS],
  ["1.2", IDS],
])("code that fits in no form: %j stays as it is", (typed, pattern) => {
  expect(fittingCode(typed, pattern)).toBe(typed);
});

test.each([
  "13812345678\u200b",
  "\u202a13812345678\u202c",
  "１３８１２３４５６７８",
  "138–1234–5678",
  "138.1234.5678",
  "(+86)138 1234 5678",
  "＋86 138-1234-5678",
  "tel:13812345678",
  "138\u00a01234\u20095678",
  "138\u20111234\u22125678",
])("phone as pasted: %j", (typed) => {
  expect(isPhone(typed)).toBe(true);
  expect(normalizePhone(typed)).toBe("13812345678");
});

test.each(["1381234567", "138123456789", "138a1234567", "１２３", "+8513812345678"])(
  "no phone: %j",
  (typed) => {
    expect(isPhone(typed)).toBe(false);
  },
);

test("prose: composed, with plain line breaks, without controls and marks of direction", () => {
  expect(cleanProse(" e\u0301tage\r\n\u202e二\u0007楼\u200b ")).toBe("\u00e9tage\n二楼");
  expect(cleanProse("\u200b\u2060\ufeff ")).toBe("");
  expect(cleanProse("一家 👨\u200d👩\u200d👧 ❤\ufe0f")).toBe("一家 👨\u200d👩\u200d👧 ❤\ufe0f");
});

test("search: wide letters and digits are plain ones, wide punctuation stays", () => {
  expect(cleanSearch("ＺＣ２６\u200b  （大）")).toBe("ZC26 （大）");
});

test("code: no blanks, each dash is a plain one", () => {
  expect(cleanCode(" ab – 12 ")).toBe("ab-12");
});

test("prose: line breaks of other programs are kept, text that nobody sees is none", () => {
  expect(cleanProse("一\v二\u2028三\u0085四\f五")).toBe("一\n二\n三\n四\n五");
  expect(cleanProse("\u3164\u115f\u2800 ")).toBe("");
  for (const seen of ["👨\u200d👩\u200d👧", "·", "\u0301", "1\ufe0f\u20e3"])
    expect(cleanProse(seen)).toBe(seen);
});

test("prose: a pattern for a part of the text is no form", () => {
  const reason = { type: "string", pattern: "\\S\\s*\\S" };
  expect(cleanerOf(reason, false)?.("补\u200b货")).toBe("补货");
});

test("each cleaner takes linear time for 100,000 marks on one letter", () => {
  const heap = `a${"\u0301\u0327".repeat(50_000)}`;
  const start = performance.now();
  for (const clean of [cleanProse, cleanSearch, cleanCode, normalizeName]) clean(heap);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test("code: a text that is far too long for one is not blown up", () => {
  expect(cleanCode("\ufdfa".repeat(60_000))).toHaveLength(60_000);
});

test("input: fields of objects, lists and alternatives are cleaned, raw ones are not", () => {
  const schema: TextFacts = {
    properties: {
      note: { type: "string" },
      password: { type: "string", "x-text": "raw" },
      codes: { items: { type: "string", pattern: "^\\d{6}$" } },
      account: { properties: { note: { type: ["string", "null"] } } },
    },
    anyOf: [{ properties: { other: { type: "string" } } }],
  };
  const typed = "a\u200b";
  const input = {
    ...{ note: typed, password: typed, codes: ["123 456"], account: { note: typed }, other: typed },
    unknown: typed,
  };
  expect(inputCleaner(schema, false)?.(input)).toEqual({
    ...{ note: "a", password: typed, codes: ["123456"], account: { note: "a" }, other: "a" },
    unknown: typed,
  });
  expect(inputCleaner({ properties: { id: { type: "integer" } } }, false)).toBeNull();
});

/** Text fields of all requests that nothing cleans: passwords, HTML, and texts whose bytes count. */
const RAW = ["answer", "content", "deviceToken", "newPassword", "oldPassword", "password", "text"];
const SIGNED = ["authorization", "body", "contentType", "host", "idempotencyKey", "target"];

function rawFieldsOf(facts: TextFacts, name: string): string[] {
  const isText = [facts.type].flat().includes("string") && !facts.enum && !facts.format;
  const isOwn = facts["x-name"] || facts["x-phone"] || facts.const !== undefined;
  const own = isText && !isOwn && !cleanerOf(facts, false) ? [name] : [];
  const parts = [facts, ...(facts.anyOf ?? [])];
  return [
    ...own,
    ...parts.flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([each, field]) => rawFieldsOf(field, each)),
    ),
    ...(facts.items ? rawFieldsOf(facts.items, name) : []),
  ];
}

describe("contract", () => {
  it("each text of a request is cleaned but for passwords and signed texts", () => {
    const parts = Object.values(contracts).flatMap((contract) =>
      Object.values(contract as Record<string, EndpointSpec>).flatMap(({ params, query, body }) => [
        params,
        query,
        body,
      ]),
    );
    const raw = parts.flatMap((part) => (part ? rawFieldsOf(part as TextFacts, "") : []));
    expect([...new Set(raw)].sort()).toEqual([...RAW, ...SIGNED].sort());
  });
});
