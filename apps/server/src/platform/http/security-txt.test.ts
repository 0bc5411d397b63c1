// security.txt: a contact and a date in the future, or no file.
import Fastify from "fastify";
import { expect, it } from "vitest";
import { addSecurityTxt } from "./security-txt.ts";

const get = async (contact: string | null) => {
  const app = Fastify();
  addSecurityTxt(app, contact);
  return app.inject({ url: "/.well-known/security.txt" });
};

it("names the contact, and expires within a year", async () => {
  const { statusCode, headers, body } = await get("mailto:security@example.cn");
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(body).toMatch(
    /^Contact: mailto:security@example\.cn\nExpires: .+\nPreferred-Languages: zh, en\n$/,
  );
  const left = Date.parse(/Expires: (.+)/.exec(body)?.[1] ?? "") - Date.now();
  expect(left).toBeGreaterThan(150 * 86_400_000);
  expect(left).toBeLessThan(366 * 86_400_000);
});

it("without a contact: not there", async () => {
  expect((await get(null)).statusCode).not.toBe(200);
});
