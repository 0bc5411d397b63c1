// Promise W1: senders are killed while events are published; no webhook is lost, and none is
// invented.
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { publishEvent } from "../../apps/server/src/features/messaging/webhook/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { Vault } from "../../apps/server/src/platform/secrets.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { amount } from "../support/deep.ts";
import { type Person, useTestServer } from "../support/test-server.ts";
import { Receiver } from "../support/webhooks.ts";

const KILLS = amount("CALLBACK_KILLS", { sample: 5, deep: 20 });
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Two senders run side by side, so that one takes over what the other leaves. */
const SENDERS = 2;
const TIMEOUT_MS = 800;
const LEASE_SECONDS = 2;

const key = randomBytes(32);
const testServer = useTestServer({ vault: new Vault(key), allowsLoopbackCallbacks: true });
let owner: Person;
let receiver: Receiver;
const senders: ChildProcess[] = [];

async function startSender(): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, "sender-process.ts"), {
    env: {
      ...process.env,
      ...{ DATABASE_URL: testServer.url, VAULT_KEY: key.toString("hex") },
      ...{ TIMEOUT_MS: String(TIMEOUT_MS), LEASE_SECONDS: String(LEASE_SECONDS) },
    },
  });
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}

beforeAll(async () => {
  receiver = await Receiver.start();
  owner = (await testServer.makeTenant()).people[0];
  for (let n = 0; n < SENDERS; n++) senders.push(await startSender());
});
afterAll(async () => {
  for (const sender of senders) sender.kill("SIGKILL");
  await receiver.close();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it(
  `no event is lost or invented over ${KILLS} kills (SEED=${SEED})`,
  async () => {
    const { tenantId } = owner;
    const random = seededRandom(SEED);
    await testServer.call(webhookContract.create, owner, {
      body: { name: "配送", url: receiver.url, types: ["order.stored"], appId: null },
    });
    // Slow and failing answers, so that kills interrupt every step of a delivery.
    receiver.answer = (response) => {
      const chance = random();
      if (chance < 0.1) response.writeHead(500).end();
      else setTimeout(() => response.writeHead(204).end(), chance * 60);
    };
    const published = new Set<string>();
    let isOver = false;
    const publishing = (async () => {
      for (let n = 0; !isOver; n++) {
        const name = `${SEED}-${n}`;
        const isUndone = random() < 0.2;
        await testServer.database
          .transaction({ tenantId }, async (db) => {
            const data = { name };
            const event = { tenantId, appId: null, type: "order.stored" as const, key: name, data };
            await publishEvent(db, event);
            if (isUndone) throw new Error("undone");
            // An event published again under the same key is not delivered again.
            if (random() < 0.1) await publishEvent(db, event);
          })
          .then(
            () => published.add(name),
            () => {},
          );
        await sleep(random() * 60);
      }
    })();

    let unfinished = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(60 + random() * 240);
      const at = kill % SENDERS;
      const victim = senders[at] as ChildProcess;
      const ended = new Promise((resolve) => victim.once("exit", resolve));
      victim.kill("SIGKILL");
      await ended;
      unfinished += await countSending(tenantId);
      senders[at] = await startSender();
    }
    isOver = true;
    await publishing;

    const nameOf = (body: string) => (JSON.parse(body) as { data: { name: string } }).data.name;
    for (;;) {
      await testServer.database.transaction({ tenantId }, (db) =>
        db.run(sql`
          update callback_delivery set next_at = now()
          where tenant_id = ${tenantId} and state = 'WAITING'`),
      );
      const left = await testServer.database.read({ tenantId }, (db) =>
        db.one<{ n: number }>(sql`
          select (select count(*) from callback_delivery where tenant_id = ${tenantId}
              and state <> 'DELIVERED')::int
            + (select count(*) from callback_event where tenant_id = ${tenantId}
              and seq is null)::int as n`),
      );
      if (left.n === 0) break;
      await sleep(100);
    }

    const { received } = receiver;
    const delivered = new Set(received.map(({ body }) => nameOf(body)));
    expect(
      [...published].filter((name) => !delivered.has(name)),
      "lost",
    ).toEqual([]);
    expect(
      [...delivered].filter((name) => !published.has(name)),
      "invented",
    ).toEqual([]);
    // One id per event and one event per id, with the same bytes each time.
    const idsOf = Map.groupBy(received, ({ body }) => nameOf(body));
    for (const copies of idsOf.values()) {
      expect(new Set(copies.map(({ id }) => id)).size).toBe(1);
      expect(new Set(copies.map(({ body }) => body)).size).toBe(1);
    }
    expect(new Set(received.map(({ id }) => id)).size).toBe(delivered.size);
    const numbers = [...idsOf.values()].map(
      ([one]) => (JSON.parse(one?.body ?? "") as { tenantSeq: number }).tenantSeq,
    );
    expect(numbers.sort((one, other) => one - other)).toEqual(
      Array.from({ length: published.size }, (_, n) => n + 1),
    );
    console.info(
      `W1: ${KILLS} kills, ${published.size} published, ${received.length} requests, ` +
        `${received.length - delivered.size} repeats, ${unfinished} found in the hands of the killed`,
    );
  },
  180_000 + KILLS * 12_000,
);

async function countSending(tenantId: number): Promise<number> {
  const { n } = await testServer.database.read({ tenantId }, (db) =>
    db.one<{ n: number }>(sql`
      select count(*)::int as n from callback_delivery
      where tenant_id = ${tenantId} and state = 'SENDING'`),
  );
  return n;
}
