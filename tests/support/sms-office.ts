// Text messages through a carrier stand-in: each test has its own tenant and a freshly set channel.
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { smsChannelContract } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { queueSms, smsJobs } from "../../apps/server/src/features/messaging/sms/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { anyPhone } from "./orders.ts";
import { carrierAccount, SmsCarrierStandIn, smsChannelDraft } from "./sms-carriers.ts";
import type { Person, TestServer } from "./test-server.ts";

interface World {
  platform: Person;
  staff: Person;
  tenantId: number;
  jobs: ReturnType<typeof smsJobs>;
}

interface Wanted {
  phone?: string;
  scene?: MessageScenario;
  text?: string;
  carrier?: Parameters<typeof queueSms>[1]["carrier"];
}

export const pickup = {
  templateCode: "SMS_276300001",
  variables: [
    ["code", "012345"],
    ["place", "仓前小镇店 4 号柜"],
  ] as [string, string][],
};

export function useSmsCarrier(testServer: TestServer) {
  const office = {} as World;
  const carriers = new SmsCarrierStandIn();
  const { channel, saveChannel } = smsChannelContract;

  const tools = () => ({ database: testServer.database, log: pino({ level: "silent" }) });
  const run = (task: string) =>
    office.jobs.tasks[task]?.({}, tools()) ?? Promise.reject(new Error(task));
  const send = () => Promise.all(["sms.sendNotices", "sms.send"].map(run));

  /** Makes all follow-ups due and runs them. */
  async function follow(): Promise<void> {
    await hurry();
    await run("sms.follow");
  }

  async function hurry(): Promise<void> {
    await testServer.database.transaction("platform", (db) =>
      db.run(
        sql`update sms_message set due_at = now() - interval '1 second' where due_at is not null`,
      ),
    );
  }

  async function setChannel(change: object = {}) {
    const { data } = await testServer.call(channel, office.platform);
    const reply = await testServer.call(saveChannel, office.platform, {
      body: { ...smsChannelDraft, ...change, editVersion: data.editVersion },
    });
    if (reply.code !== 0) throw new Error(reply.errMsg);
  }

  const useTencent = () => setChannel({ carrier: "TENCENT", appId: carrierAccount.appId });

  beforeAll(async () => {
    await carriers.open();
    office.platform = (await testServer.makeTenant(1)).people[0];
  });
  afterAll(() => carriers.close());
  beforeEach(async () => {
    office.staff = (await testServer.makeTenant()).people[1];
    office.tenantId = office.staff.tenantId;
    const urls = { aliyunSmsUrl: carriers.origin, tencentSmsUrl: carriers.origin };
    office.jobs = smsJobs(urls);
    await setChannel();
  });
  afterEach(async () => {
    expect(carriers.unbelieved.splice(0)).toEqual([]);
    Object.assign(carriers, { afterTaking: "ANSWER", isBroken: false, onTaken: () => {} });
    carriers.taken.length = 0;
    carriers.refusals.length = 0;
    await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`delete from ask_count`);
      await db.run(sql`
        update sms_message set state = 'OUTBOX', due_at = null where state in ('QUEUED', 'SENDING')`);
    });
  });

  async function buy(segments: number): Promise<void> {
    const body = { tenantId: office.tenantId, segments, amountFen: 0, reason: "合同 2026-11" };
    const reply = await testServer.call(smsCreditContract.recharge, office.platform, { body });
    if (reply.code !== 0) throw new Error(reply.errMsg);
  }

  function write({ phone = anyPhone(), scene = "PICKUP_CODE", ...rest }: Wanted = {}) {
    return testServer.database.transaction({ tenantId: office.tenantId }, (db) =>
      queueSms(db, {
        tenantId: office.tenantId,
        phone,
        scene,
        text: "请取件",
        carrier: pickup,
        ...rest,
      }),
    );
  }

  async function read(id: number) {
    const { data } = await testServer.call(smsContract.history, office.staff, {
      query: { pageSize: 100 },
    });
    const found = data.list.find((message) => message.id === id);
    if (!found) throw new Error(`no message ${id}`);
    return found;
  }

  const account = async () => (await testServer.call(smsCreditContract.info, office.staff)).data;

  async function otherProcess(): Promise<void> {
    const urls = { aliyunSmsUrl: carriers.origin, tencentSmsUrl: carriers.origin };
    const { tasks } = smsJobs(urls);
    await Promise.all([tasks["sms.sendNotices"]?.({}, tools()), tasks["sms.send"]?.({}, tools())]);
  }

  const actions = { run, send, follow, hurry, setChannel, useTencent, buy, write, read, account };
  return Object.assign(office, actions, { carriers, otherProcess, tools });
}
