// Access tokens: which of them cost a query.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { useTestServer } from "../../../../tests/support/test-server.ts";
import { makeToken, Tokens } from "./access-token.ts";
import { sql } from "./db/sql.ts";

const testServer = useTestServer();
const origin = { address: "198.51.100.7" };
const found = async () => true as const;

/** Runs `work`; returns its result, and how often it took a connection. */
async function counted<Result>(work: () => Promise<Result>) {
  const { pool } = testServer.database;
  let uses = 0;
  const count = () => uses++;
  pool.on("acquire", count);
  const result = await work();
  pool.off("acquire", count);
  return { result, uses };
}

const ask = (tokens: Tokens, token: string, isLive = true) =>
  counted(() =>
    tokens.look(token, origin, async (database, hash) => {
      await database.unscoped(sql`select ${hash}::bytea`);
      return isLive ? true : null;
    }),
  );

test("a token is looked up by its hash", async () => {
  const tokens = new Tokens(testServer.database, "session");
  const { token, tokenHash } = makeToken(testServer.vault, "session");
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await tokens.look(token, origin, found)).toEqual({ row: true, tokenHash });
});

test.each([
  ["invented", () => randomBytes(32).toString("base64url")],
  ["of another kind", () => makeToken(testServer.vault, "appSession").token],
  ["too short", () => makeToken(testServer.vault, "session").token.slice(1)],
  ["empty", () => ""],
])("a token that is %s costs no query", async (_, make) => {
  const tokens = new Tokens(testServer.database, "session");
  // One query for all of them: the release before issued tokens without a MAC.
  await ask(tokens, make());
  expect(await ask(tokens, make())).toEqual({ result: null, uses: 0 });
});

test("a token that has ended costs one query", async () => {
  const tokens = new Tokens(testServer.database, "session");
  const { token } = makeToken(testServer.vault, "session");
  expect(await ask(tokens, token, false)).toEqual({ result: null, uses: 1 });
  expect(await ask(tokens, token, false)).toEqual({ result: null, uses: 0 });
});

test("tokens of the release before are looked up while one of them lives", async () => {
  const { people } = await testServer.makeTenant();
  const { tenantId, operatorId } = people[1];
  const insert = (expires: string) =>
    testServer.database.transaction("platform", (db) =>
      db.run(sql`
        insert into session (token_hash, tenant_id, operator_id, expires_at)
        values (${randomBytes(32)}, ${tenantId}, ${operatorId}, now() + ${expires}::interval)`),
    );
  const older = () => randomBytes(32).toString("base64url");
  await insert("-1 minute");
  expect((await ask(new Tokens(testServer.database, "session"), older())).result).toBe(null);
  await insert("1 hour");
  expect((await ask(new Tokens(testServer.database, "session"), older())).result).toMatchObject({
    row: true,
  });
  expect((await ask(new Tokens(testServer.database, "appSession"), older())).result).toBe(null);
});
