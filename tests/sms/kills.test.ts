// Promise M6 under SIGKILL: no text message is sent twice, and credit used equals messages the
// carrier accepted.
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { smsChannelContract } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queueSms, smsJobs } from "../../apps/server/src/features/messaging/sms/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { Vault } from "../../apps/server/src/platform/secrets.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { amount } from "../support/deep.ts";
import { anyPhone } from "../support/orders.ts";
import { SmsCarrierStandIn, smsChannelDraft } from "../support/sms-carriers.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const KILLS = amount("SMS_KILLS", { sample: 3, deep: 10 });
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const A_ROUND = 8;

const key = randomBytes(32);
const testServer = useTestServer({ vault: new Vault(key) });
const carriers = new SmsCarrierStandIn();
let platform: Person;
let owner: Person;
let sender: ChildProcess | null = null;

beforeAll(async () => {
  await carriers.open();
  platform = (await testServer.makeTenant(1)).people[0];
  owner = (await testServer.makeTenant()).people[1];
});
afterAll(async () => {
  sender?.kill("SIGKILL");
  await carriers.close();
});

async function startSender(): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, "sender-process.ts"), {
    env: {
      ...process.env,
      ...{
        DATABASE_URL: testServer.url,
        VAULT_KEY: key.toString("hex"),
        CARRIER_URL: carriers.origin,
      },
    },
  });
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}

async function countQueued(): Promise<number> {
  const { n } = await testServer.database.read("platform", (db) =>
    db.one<{ n: number }>(sql`select count(*)::int as n from sms_message where state = 'QUEUED'`),
  );
  return n;
}

it(
  `no message is sent twice and no credit is lost over ${KILLS} kills (SEED=${SEED})`,
  async () => {
    const { tenantId } = owner;
    const random = seededRandom(SEED);
    const bought = KILLS * A_ROUND + A_ROUND;
    await testServer.call(smsChannelContract.saveChannel, platform, {
      body: { ...smsChannelDraft, editVersion: 0 },
    });
    await testServer.call(smsCreditContract.recharge, platform, {
      body: { tenantId, segments: bought, amountFen: 0, reason: "合同 2026-11" },
    });
    const carrier = {
      templateCode: "SMS_1",
      variables: [["code", "012345"]] as [string, string][],
    };
    const write = (count: number) =>
      testServer.database.transaction({ tenantId }, async (db) => {
        for (let nth = 0; nth < count; nth++) {
          const message = {
            tenantId,
            phone: anyPhone(),
            scene: "PICKUP_CODE",
            text: "请取件",
          } as const;
          await queueSms(db, { ...message, carrier });
        }
      });
    for (let kill = 0; kill < KILLS; kill++) {
      await write(A_ROUND);
      sender = await startSender();
      const child = sender;
      const victim = carriers.taken.length + Math.floor(random() * A_ROUND);
      const waitMs = random() * 30;
      await new Promise<void>((resolve) => {
        child.once("exit", () => resolve());
        carriers.onTaken = () => {
          if (carriers.taken.length <= victim) return;
          carriers.onTaken = () => {};
          // Kill at once, or shortly after: while the answer travels or is being stored.
          if (random() < 0.5) child.kill("SIGKILL");
          else setTimeout(() => child.kill("SIGKILL"), waitMs);
        };
      });
    }
    sender = await startSender();
    await expect.poll(countQueued).toBe(0);
    sender.kill("SIGKILL");
    // Messages of killed senders: sms.follow asks the carrier and never sends them again.
    const urls = { aliyunSmsUrl: carriers.origin, tencentSmsUrl: carriers.origin };
    const { tasks } = smsJobs(urls);
    for (let look = 0; look < 9; look++) {
      await testServer.database.transaction("platform", (db) =>
        db.run(sql`update sms_message set due_at = now() where due_at is not null`),
      );
      await tasks["sms.follow"]?.(
        {},
        { database: testServer.database, log: pino({ level: "silent" }) },
      );
    }
    const keys = carriers.taken.map(({ sendKey }) => sendKey);
    expect(new Set(keys).size).toBe(keys.length);
    const states = await testServer.database.read("platform", (db) =>
      db.many<{ state: string; n: number }>(sql`
        select state, count(*)::int as n from sms_message group by state`),
    );
    const count = (state: string) => states.find((row) => row.state === state)?.n ?? 0;
    expect(count("SENT")).toBe(keys.length);
    expect(count("SENT") + count("FAILED")).toBe(KILLS * A_ROUND);
    const { data } = await testServer.call(smsCreditContract.info, owner);
    expect(data).toMatchObject({ held: 0, usedSegments: keys.length, left: bought - keys.length });
    expect(carriers.unbelieved).toEqual([]);
    process.stdout.write(
      `M6 SEED=${SEED}: ${KILLS} kills, ${KILLS * A_ROUND} messages, ${keys.length} taken by the ` +
        `carrier and paid, ${count("FAILED")} not taken and free, 0 twice\n`,
    );
  },
  KILLS * 6_000 + 180_000,
);
