import { expect, test } from "vitest";
import { clientErrorOf } from "./client-error.rules.ts";

test("an error is told without phones, codes and queries, in bounded length", () => {
  const error = new TypeError("no order 13812345678 with 108637");
  error.stack = `TypeError: no order 13812345678
    at show (https://example.com/assets/list-Ab1.js?key=abc:1:523817)
    at https://example.com/user/normalUser?phone=13812345678`;
  expect(clientErrorOf(error)).toEqual({
    message: "TypeError: no order # with #",
    stack: `    at show (https://example.com/assets/list-Ab1.js:1:523817)
    at https://example.com/user/normalUser`,
  });
  const long = Object.assign(new Error("é".repeat(1_000)), { stack: "at x\n".repeat(9_000) });
  expect(clientErrorOf(long).message).toHaveLength(300);
  expect(clientErrorOf(long).stack).toHaveLength(4_000);
});
