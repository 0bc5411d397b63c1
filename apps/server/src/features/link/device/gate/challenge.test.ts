// Challenges that are requested at once are one statement, and each can be used once.
import { newNonce } from "@cabinet/link";
import { expect, test } from "vitest";
import { useTestServer } from "../../../../../../../tests/support/test-server.ts";
import { Challenges, useChallenge } from "./challenge.sql.ts";

const testServer = useTestServer();

test("a flood takes one connection at a time, and all get theirs", async () => {
  const challenges = new Challenges(testServer.database, 60);
  let uses = 0;
  const count = () => uses++;
  testServer.database.pool.on("acquire", count);
  const nonces = Array.from({ length: 500 }, newNonce);
  const times = await Promise.all(nonces.map((nonce) => challenges.issue(nonce)));
  testServer.database.pool.off("acquire", count);
  expect(uses).toBeLessThanOrEqual(2);
  expect(Math.min(...times)).toBeGreaterThan(Date.now() - 60_000);
  const use = (nonce: string) =>
    testServer.database.transaction("platform", (db) => useChallenge(db, nonce));
  expect(await use(nonces[499] ?? "")).toBe(true);
  expect(await use(nonces[499] ?? "")).toBe(false);
  expect(await use(newNonce())).toBe(false);
});
