// Promise M3: SIGKILL of server, database or both while money is posted; acknowledged posts are
// never lost.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { openVault } from "../../apps/server/src/platform/secrets.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { type Server, startServer } from "../../e2e/support/server.ts";
import { amount } from "../support/deep.ts";
import {
  Cashier,
  databaseUrl,
  expectBooks,
  type Post,
  postmaster,
  readBooks,
  sleep,
} from "./cashier.ts";

const ROUNDS = amount("CRASH_ROUNDS", { sample: 5, deep: 15 });
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const HANDS = 6;

let dataDir: string;
let server: Server;
let database: Database;
const cashier = new Cashier();

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "storage-crash-"));
  server = await startServer({ dataDir });
  const vault = await openVault(dataDir);
  database = openDatabase(await databaseUrl(dataDir), { vault, max: 2 });
  await cashier.settle(database);
});
afterAll(async () => {
  await database.close().catch(() => {});
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`${server.origin}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

async function killServer(): Promise<void> {
  const ended = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGKILL");
  await ended;
}

async function killDatabase(): Promise<void> {
  process.kill(Number((await postmaster(dataDir))[0]), "SIGKILL");
}

const deaths = ["both", "server", "database"] as const;

it(
  `no acknowledged post is lost over ${ROUNDS} kills (SEED=${SEED})`,
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
          const endUserId = cashier.people[Math.floor(random() * cashier.people.length)] as number;
          const principalFen = 1 + Math.floor(random() * 500);
          const post = { key: randomUUID(), endUserId, principalFen, bonusFen: principalFen % 3 };
          const journalId = await cashier.send(server.origin, post);
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
      // A worker stops at its first unanswered post; only then has a client noticed the kill.
      while (inDoubt.length === 0) await sleep(5);
      while (!(await isReady())) await sleep(25);
      readyMs.push(performance.now() - killed);
      isOver = true;
      await Promise.all(hands);
      unknown += inDoubt.length;
      // Repeat unanswered posts with the same key: each gets exactly one journal.
      for (const post of inDoubt) {
        acknowledged.set(post.key, {
          post,
          journalId: await cashier.sendUntilAnswered(server.origin, post),
        });
      }
      await expectAll([...acknowledged.values()]);
    }
    process.stdout.write(
      `M3 SEED=${SEED}: ${ROUNDS} kills, ${acknowledged.size} posts acknowledged, ${unknown} in doubt, ` +
        `0 lost; ready again after ${readyMs.map((ms) => Math.round(ms)).join(", ")} ms\n`,
    );
  },
  180_000 + ROUNDS * 30_000,
);

/** Expects each post exactly once, and wallets that equal their sums. */
async function expectAll(posts: readonly { post: Post; journalId: number }[]): Promise<void> {
  await database.close();
  database = openDatabase(await databaseUrl(dataDir), { max: 2 });
  expectBooks(
    await readBooks(database),
    posts.map(({ journalId, post: { key: _, ...amounts } }) => ({ id: journalId, ...amounts })),
  );
}
