// Restored backup: messages and commands of the old installation do not run again; messages can be
// resent by hand.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { smsChannelContract } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { smsResultText } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import { templateContract } from "@cabinet/contract/messaging/template/template.contract.ts";
import { COMMAND_TTL_MS } from "@cabinet/link";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { settleMessages } from "../../apps/server/src/backup/settle.ts";
import {
  claimCommand,
  expireUnsent,
} from "../../apps/server/src/features/fleet/command/delivery.sql.ts";
import { MiniPrograms } from "../../apps/server/src/features/messaging/mini-program/index.ts";
import { queueSms, smsJobs } from "../../apps/server/src/features/messaging/sms/index.ts";
import { templateJobs } from "../../apps/server/src/features/messaging/template/index.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { addJob } from "../../apps/server/src/platform/jobs/jobs.ts";
import { makeCabinet } from "../support/cabinets.ts";
import {
  bindSubscriber,
  insertMiniProgramSetting,
  MiniProgramStandIn,
  miniProgramDraft,
} from "../support/mini-programs.ts";
import { anyPhone } from "../support/orders.ts";
import { withClient } from "../support/postgres.ts";
import { SmsCarrierStandIn, smsChannelDraft } from "../support/sms-carriers.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const run = promisify(execFile);
const testServer = useTestServer();
const carriers = new SmsCarrierStandIn();
const wechat = new MiniProgramStandIn();
let platform: Person;
let staff: Person;
let tenantId: number;

beforeAll(async () => {
  await Promise.all([carriers.open(), wechat.open()]);
  platform = (await testServer.makeTenant(1)).people[0];
  staff = (await testServer.makeTenant()).people[1];
  tenantId = staff.tenantId;
  await testServer.call(smsChannelContract.saveChannel, platform, {
    body: { ...smsChannelDraft, editVersion: 0 },
  });
  const body = { tenantId, segments: 100, amountFen: 0, reason: "合同 2026-11" };
  await testServer.call(smsCreditContract.recharge, platform, { body });
});
afterAll(() => Promise.all([carriers.close(), wechat.close()]));

const within = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction({ tenantId }, work);
const tools = () => ({ database: testServer.database, log: pino({ level: "silent" }) });
const sendAll = async () => {
  const urls = { aliyunSmsUrl: carriers.origin, tencentSmsUrl: carriers.origin };
  await smsJobs(urls).tasks["sms.sendNotices"]?.({}, tools());
  const { tasks } = templateJobs(new MiniPrograms(wechat.origin));
  await tasks["template.sweep"]?.({}, tools());
};
const write = () =>
  within((db) =>
    queueSms(db, {
      ...{ tenantId, phone: anyPhone(), scene: "OVERDUE", text: "请尽快取件" },
      carrier: { templateCode: "SMS_1", variables: [["no", "3"]] },
    }),
  );
const texts = async () => {
  const { data } = await testServer.call(smsContract.history, staff, { query: {} });
  return data.list;
};
const settle = () => withClient(testServer.url, settleMessages);

/** Runs the command that operators use for an outside database. */
async function settleByCommand(...more: string[]): Promise<string> {
  const main = path.join(import.meta.dirname, "../../apps/server/src/backup/main.ts");
  const env = { ...process.env, DATABASE_URL: testServer.url };
  const { stdout } = await run(process.execPath, [main, "restore", "--settle", ...more], { env });
  return stdout;
}

it("settle: messages end as FAILED or UNKNOWN, none goes out again, and a resend works", async () => {
  const id = await write();
  await insertMiniProgramSetting(testServer, tenantId);
  const { endUserId } = await bindSubscriber(testServer, tenantId);
  // One is queued, one was being sent; both have an SMS fallback.
  for (const [state, nextAt, claimedAt] of [
    ["QUEUED", "now()", "null"],
    ["SENDING", "null", "now() - interval '5 minutes'"],
  ] as const) {
    await withClient(testServer.url, async (client) => {
      await client.query("set role cabinet_platform");
      await client.query(
        `insert into subscribe_message (tenant_id, scene, side, end_user_id, app_id, template_id,
          sealed_content, has_fallback, is_counted, state, next_at, claimed_at)
        values ($1, 'STORED', 'SINGLE', $2, $3, 'T', '\\x01', true, true, $4, ${nextAt}, ${claimedAt})`,
        [tenantId, endUserId, miniProgramDraft.appId, state],
      );
    });
  }
  await within((db) => addJob(db, "order.tell", { tenantId, orderId: 1 }));
  // This job was locked by a worker at the moment of the backup.
  await withClient(testServer.url, (client) =>
    client.query(
      "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone', attempts = 1",
    ),
  );
  await within((db) => addJob(db, "order.tell", { tenantId, orderId: 2 }));

  expect(await settle()).toEqual({ texts: 1, subscribeMessages: 2, news: 2 });
  expect(await settleByCommand()).toContain("没有正在发送的短信和订阅消息");
  await sendAll();
  expect(carriers.taken).toEqual([]);
  expect(wechat.sent).toEqual([]);
  const [text, ...more] = await texts();
  expect(more).toEqual([]);
  expect(text).toMatchObject({ id, state: "FAILED", resultCode: "RESTORED", chargedSegments: 0 });
  expect(text && smsResultText(text)).toContain("恢复备份");
  const { data } = await testServer.call(templateContract.messages, staff, { query: {} });
  expect(data.list).toMatchObject(
    Array(2).fill({ state: "UNKNOWN", smsId: null, problem: expect.stringContaining("恢复备份") }),
  );

  const again = await testServer.call(smsContract.resend, staff, {
    params: { id },
    body: { reason: "用户没有收到短信" },
  });
  expect(again).toMatchObject({ code: 0, data: { state: "QUEUED" } });
  await sendAll();
  expect(carriers.taken).toHaveLength(1);
  expect((await texts())[0]).toMatchObject({ id: again.data.id, state: "SENT", resendOf: id });
});

it("settle: refused while the service runs, and together with --into", async () => {
  const id = await write();
  const work = (seen: string) =>
    withClient(testServer.url, (client) =>
      client.query(`insert into job_worker (id, seen_at) values ('here', now() - interval '${seen}')
        on conflict (id) do update set seen_at = excluded.seen_at`),
    );
  await expect(settleByCommand("--into", "restored")).rejects.toThrow("不与其他参数同用");
  await work("10 seconds");
  await expect(settleByCommand()).rejects.toThrow("服务还在运行");
  expect((await texts())[0]).toMatchObject({ id, state: "QUEUED" });
  await work("31 seconds");
  expect(await settleByCommand()).toContain("1 条短信");
});

it("command queued before the backup: EXPIRED, it opens no door", async () => {
  const { id: cabinetId } = await makeCabinet(testServer, { tenantId });
  const gateway = { id: randomUUID(), isShared: true };
  const queue = (no: number, secondsAgo: number) =>
    within((db) =>
      db.one<{ tenantId: number; id: string }>(sql`
        insert into command (tenant_id, cabinet_id, kind, compartment_no, side, reason, actor_kind,
          actor_name, request_id, epoch, created_at, expires_at)
        select tenant_id, id, 'OPEN', ${no}, 'FRONT', '取件', 'OPERATOR', '李伟', ${randomUUID()},
          epoch, now() - make_interval(secs => ${secondsAgo}),
          now() + make_interval(secs => ${COMMAND_TTL_MS / 1_000 - secondsAgo})
        from cabinet where id = ${cabinetId}
        returning tenant_id, id`),
    );
  // The cabinet is back in its recorded session, so only the command's age prevents the opening.
  await within((db) => db.run(sql`update cabinet set is_greeted = true where id = ${cabinetId}`));
  const [old, fresh] = [await queue(1, 60), await queue(2, 0)];
  await settle();
  expect(await within((db) => claimCommand(db, old, gateway))).toBeNull();
  expect(await within((db) => expireUnsent(db, old))).toMatchObject({ state: "EXPIRED" });
  expect(await within((db) => claimCommand(db, fresh, gateway))).toMatchObject({ state: "SENT" });
});
