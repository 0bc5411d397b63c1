// Unit tests of the type-ahead of menus and lists.
import { expect, test } from "vitest";
import { typeAhead } from "./type-ahead.ts";

const labels = ["10 条/页", "20 条/页", "100 条/页", "Edit", "enable"];

test("type-ahead: one letter goes to the next item that begins with it, and around", () => {
  expect(typeAhead(labels, "1", -1)).toBe(0);
  expect(typeAhead(labels, "1", 0)).toBe(2);
  expect(typeAhead(labels, "1", 2)).toBe(0);
  expect(typeAhead(labels, "e", 3)).toBe(4);
});

test("type-ahead: several letters name one item, whatever is active", () => {
  expect(typeAhead(labels, "100", 4)).toBe(2);
  expect(typeAhead(labels, "en", 3)).toBe(4);
  expect(typeAhead(labels, "x", 0)).toBe(-1);
});
