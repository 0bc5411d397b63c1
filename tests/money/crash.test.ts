// Promise M3: SIGKILL of the server, of the database and of both while money is posted; what was acknowledged is there.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { walletContract } from "@cabinet/contract/wallet/wallet.contract.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertOperator } from "../../apps/server/src/features/operator/index.ts";
import { ensureTenant } from "../../apps/server/src/features/tenant/index.ts";
import { Database, sql } from "../../apps/server/src/platform/db.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { type Server, startServer } from "../../e2e/support/server.ts";
import { anyPhone } from "../support/orders.ts";

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const TENANT_ID = 7;
const HANDS = 6;
const PEOPLE = 3;

let dataDir: string;
let server: Server;
let database: Database;
const token = randomBytes(32).toString("base64url");
const people: number[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "storage-crash-"));
  server = await startServer({ dataDir });
  database = new Database(await databaseUrl(), { max: 2 });
  await database.transaction("platform", async (db) => {
    await ensureTenant(db, { id: TENANT_ID, name: "租户" });
    const operatorId = await insertOperator(db, {
      tenantId: TENANT_ID,
      username: "cashier",
      displayName: "收银",
      passwordHash: "none",
      userType: 0,
      mustChangePassword: false,
    });
    await db.run(sql`
      insert into session (token_hash, tenant_id, operator_id, expires_at)
      values (${createHash("sha256").update(token).digest()}, ${TENANT_ID}, ${operatorId},
        now() + interval '8 hours')`);
    for (let at = 0; at < PEOPLE; at++) {
      const { id } = await db.one<{ id: number }>(sql`
        insert into end_user (tenant_id, phone) values (${TENANT_ID}, ${anyPhone()}) returning id`);
      people.push(id);
    }
  });
}, 120_000);
afterAll(async () => {
  await database.close().catch(() => {});
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Lines of postmaster.pid: 1 its process, 4 the port, 5 the folder of its socket. */
async function postmaster(): Promise<string[]> {
  const text = await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8");
  return text.split("\n").map((line) => line.trim());
}

async function databaseUrl(): Promise<string> {
  const lines = await postmaster();
  return `postgresql://cabinet@localhost:${lines[3]}/cabinet?host=${encodeURIComponent(lines[4] ?? "")}`;
}

interface Post {
  key: string;
  endUserId: number;
  principalFen: number;
  bonusFen: number;
}

/** The journal that it was acknowledged with; null where nobody knows. */
async function send({ key, ...amounts }: Post): Promise<number | null> {
  try {
    const response = await fetch(`${server.origin}${urlPath(walletContract.change)}`, {
      method: "POST",
      headers: {
        "auth-token": token,
        tenantid: String(TENANT_ID),
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ ...amounts, kind: "RECHARGE", reason: "收现金" }),
      signal: AbortSignal.timeout(10_000),
    });
    const reply = (await response.json()) as { code: number; data: { journalId: number } | null };
    return response.ok && reply.code === 0 && reply.data ? reply.data.journalId : null;
  } catch {
    return null;
  }
}

const PATIENCE_MS = 10_000;

/** As a client does: a connection that died with the database may still be in the pool. */
async function sendUntilTold(post: Post): Promise<number> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const journalId = await send(post);
    if (journalId !== null) return journalId;
    expect(Date.now(), "a post that is repeated after the crash").toBeLessThan(end);
  }
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`${server.origin}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function killServer(): Promise<void> {
  const ended = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGKILL");
  await ended;
}

async function killDatabase(): Promise<void> {
  process.kill(Number((await postmaster())[0]), "SIGKILL");
}

const deaths = ["server", "database", "both"] as const;

it(
  `loses nothing that was acknowledged over ${ROUNDS} kills (SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const acknowledged = new Map<string, { post: Post; journalId: number }>();
    const readyMs: number[] = [];
    let unknown = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const death = deaths[round % deaths.length];
      const inDoubt: Post[] = [];
      let isOver = false;
      const hand = async () => {
        while (!isOver) {
          const endUserId = people[Math.floor(random() * PEOPLE)] as number;
          const principalFen = 1 + Math.floor(random() * 500);
          const post = { key: randomUUID(), endUserId, principalFen, bonusFen: principalFen % 3 };
          const journalId = await send(post);
          if (journalId === null) {
            inDoubt.push(post);
            return;
          }
          acknowledged.set(post.key, { post, journalId });
        }
      };
      const before = acknowledged.size;
      const hands = Array.from({ length: HANDS }, hand);
      while (acknowledged.size < before + 20) await sleep(5);
      await sleep(random() * 150);
      const killed = performance.now();
      if (death !== "server") await killDatabase();
      if (death !== "database") {
        await killServer();
        server = await startServer({ dataDir });
      }
      // A hand ends at the first post that nobody answered; until there is one, nobody has seen the death.
      while (inDoubt.length === 0) await sleep(5);
      while (!(await isReady())) await sleep(25);
      readyMs.push(performance.now() - killed);
      isOver = true;
      await Promise.all(hands);
      unknown += inDoubt.length;
      // Whoever does not know asks again under the same key, and is told once and for all.
      for (const post of inDoubt) {
        acknowledged.set(post.key, { post, journalId: await sendUntilTold(post) });
      }
      await expectAll([...acknowledged.values()]);
    }
    process.stdout.write(
      `M3 SEED=${SEED}: ${ROUNDS} kills, ${acknowledged.size} posts acknowledged, ${unknown} in doubt, ` +
        `0 lost; ready again after ${readyMs.map((ms) => Math.round(ms)).join(", ")} ms\n`,
    );
  },
  60_000 + ROUNDS * 30_000,
);

/** Each once, each with its own amount; the wallets are their sum. */
async function expectAll(posts: readonly { post: Post; journalId: number }[]): Promise<void> {
  await database.close();
  database = new Database(await databaseUrl(), { max: 2 });
  const { journals, wallets, topUps } = await database.read("platform", async (db) => ({
    journals: await db.many<{
      id: number;
      endUserId: number;
      principalFen: number;
      bonusFen: number;
    }>(sql`
      select id, end_user_id as "endUserId", principal_fen as "principalFen", bonus_fen as "bonusFen"
      from ledger_journal order by id`),
    wallets: await db.many<{ endUserId: number; principalFen: number; bonusFen: number }>(sql`
      select end_user_id as "endUserId", principal_fen as "principalFen", bonus_fen as "bonusFen"
      from wallet order by end_user_id`),
    topUps: await db.one<{ count: number }>(sql`select count(*)::int as count from top_up`),
  }));
  const expected = posts
    .map(({ journalId, post: { key: _, ...amounts } }) => ({ id: journalId, ...amounts }))
    .sort((one, other) => one.id - other.id);
  expect(journals).toEqual(expected);
  expect(topUps.count).toBe(expected.length);
  const sum = (endUserId: number, part: "principalFen" | "bonusFen") =>
    expected.reduce((all, each) => all + (each.endUserId === endUserId ? each[part] : 0), 0);
  for (const wallet of wallets) {
    expect(wallet).toMatchObject({
      principalFen: sum(wallet.endUserId, "principalFen"),
      bonusFen: sum(wallet.endUserId, "bonusFen"),
    });
  }
}
