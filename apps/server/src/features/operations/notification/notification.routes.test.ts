// The notification centre over HTTP: what each account sees, and its read marks.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { announcementDraft } from "../../../../../../tests/support/announcements.ts";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let strangers: Record<0 | 1 | 2, Person>;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  ({ people: strangers } = await testServer.makeTenant());
});

const list = async (as: Person) => (await testServer.call(notificationContract.list, as)).data;
const kinds = async (as: Person) => (await list(as)).list.map(({ kind }) => kind);
const unread = async (as: Person) =>
  (await list(as)).list.flatMap(({ kind, isUnread }) => (isUnread ? [kind] : []));

/** A severe malfunction in a store of account 2, and one in a store that it does not see. */
async function breakCabinets(): Promise<void> {
  for (const caretakers of [[people[2].operatorId], []]) {
    const storeId = await makeStore(testServer, tenantId, caretakers);
    const cabinet = await makeCabinet(testServer, { tenantId, storeId });
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        insert into malfunction (tenant_id, cabinet_id, kind, severity)
        values (${tenantId}, ${cabinet.id}, 'TAMPER', 'SEVERE'),
          (${tenantId}, ${cabinet.id}, 'OTHER', 'MINOR')`),
    );
  }
}

/** A failing webhook endpoint and a low SMS balance. */
const runLow = () =>
  testServer.database.transaction("platform", async (db) => {
    await db.run(sql`
      insert into callback_endpoint (tenant_id, name, url, types, state, created_by, edited_by)
      values (${tenantId}, '取件通知', 'https://callback.example.com/', '{order.stored}', 'FAILING',
        '', '')`);
    await db.run(sql`insert into sms_account (tenant_id, balance) values (${tenantId}, 20)`);
    await db.run(sql`
      insert into sms_recharge (tenant_id, segments, amount_fen, reason, actor_name, at)
      values (${tenantId}, 500, 2500, '', '', now() - interval '3 days')`);
    await db.run(sql`
      insert into sms_credit_entry (tenant_id, kind, segments, balance_after, biz_type, biz_id, at)
      values (${tenantId}, 'RECHARGE', 500, 500, 'SMS_RECHARGE', 1, now() - interval '3 days'),
        (${tenantId}, 'USE', -430, 70, 'SMS_MESSAGE', 2, now() - interval '2 days'),
        (${tenantId}, 'USE', -50, 20, 'SMS_MESSAGE', 3, now() - interval '1 day')`);
  });

/** Notices of account 1 about webhooks: the failing one twice, and one that works again. */
const notifyOfWebhooks = () =>
  testServer.database.transaction({ tenantId }, (db) =>
    db.run(sql`
      insert into maintenance_notice (tenant_id, operator_id, operator_name, kind, step, place,
        detail, by_console, sms_state)
      select ${tenantId}, ${people[1].operatorId}, '', 'CALLBACK', 'FIRST', place, detail, true, 'NONE'
      from (values (1, '回调地址“取件通知”', '连续 5 次失败'), (2, '回调地址“对账”', '连续 5 次失败'),
        (3, '回调地址“取件通知”', '有回调重试多次仍没有送达')) notice(no, place, detail)
      order by no`),
  );

describe("notification centre", () => {
  it("has the severe malfunctions of the stores that the account sees, most severe first", async () => {
    await breakCabinets();
    await runLow();
    expect(await kinds(people[1])).toEqual(["MALFUNCTION", "MALFUNCTION", "WEBHOOK", "SMS"]);
    expect(await kinds(people[2])).toEqual(["MALFUNCTION"]);
    expect(await kinds(strangers[1])).toEqual([]);
  });

  it("has a failing webhook once: its latest notice stays to be dealt with", async () => {
    await runLow();
    await notifyOfWebhooks();
    const webhooks = (await list(people[1])).list.filter(({ kind }) => kind === "WEBHOOK");
    expect(webhooks.map(({ group, text }) => [group, text]).toSorted()).toEqual([
      ["NEWS", "回调地址“对账” 连续 5 次失败"],
      ["OPEN", "回调地址“取件通知” 有回调重试多次仍没有送达"],
    ]);
  });

  it("has nothing about calls that the account may not make", async () => {
    await breakCabinets();
    await runLow();
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`delete from operator_role where operator_id = ${people[1].operatorId}`),
    );
    expect(await kinds(people[1])).toEqual([]);
  });

  it("dates a low balance from the entry that made it low, and the tenant's term from its warning", async () => {
    await runLow();
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update tenant set expires_at = now() + interval '10 days' where id = ${tenantId}`),
    );
    const days = (await list(people[1])).list.map(({ kind, at }) => [
      kind,
      Math.round((Date.now() - Date.parse(at)) / 86_400_000),
    ]);
    expect(days).toEqual([
      ["WEBHOOK", 0],
      ["SMS", 2],
      ["OWN_TERM", 20],
    ]);
  });

  it("platform staff see the states of all tenants with their names", async () => {
    const { people: staff } = await testServer.makeTenant(1);
    await breakCabinets();
    const { list: all } = await list(staff[0]);
    const texts = all.map(({ text }) => text).filter((text) => text.includes(`租户 ${tenantId} `));
    expect(texts).toHaveLength(2);
  });

  it("counts the severe malfunctions beyond the first 20", async () => {
    const cabinet = await makeCabinet(testServer, { tenantId });
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        insert into malfunction (tenant_id, cabinet_id, compartment_no, kind, severity)
        select ${tenantId}, ${cabinet.id}, no, 'OPEN_FAILED', 'SEVERE' from generate_series(1, 23) no`),
    );
    const { list: shown } = await list(people[1]);
    expect(shown).toHaveLength(21);
    expect(shown.map(({ title }) => title)).toContain("还有 3 条严重故障");
  });

  it("read marks belong to one account; a later state and another announcement are unread", async () => {
    await runLow();
    const publish = async (title: string) => {
      const body = { ...announcementDraft, title };
      const { data } = await testServer.call(announcementContract.create, people[1], { body });
      await testServer.call(announcementContract.publish, people[1], {
        params: { id: data.id },
        body: { publishAt: null },
      });
      return data.id;
    };
    const announcementIds = [await publish("停电安排")];
    expect(await unread(people[1])).toEqual(["WEBHOOK", "SMS", "ANNOUNCEMENT"]);
    const { at: until } = await list(people[1]);
    const body = { noticeIds: [], announcementIds, until };
    await testServer.call(notificationContract.read, people[1], { body });
    expect(await unread(people[1])).toEqual([]);
    expect(await kinds(people[1])).toEqual(["WEBHOOK", "SMS", "ANNOUNCEMENT"]);
    expect(await unread(people[2])).toEqual(["ANNOUNCEMENT"]);

    await breakCabinets();
    await publish("复电");
    expect(await unread(people[1])).toEqual(["MALFUNCTION", "MALFUNCTION", "ANNOUNCEMENT"]);
  });

  it("a read mark of the future marks nothing that comes later", async () => {
    const body = { noticeIds: [], announcementIds: [], until: "2999-01-01T00:00:00Z" };
    await testServer.call(notificationContract.read, people[1], { body });
    await breakCabinets();
    expect(await unread(people[1])).toEqual(["MALFUNCTION", "MALFUNCTION"]);
  });

  it("announcements leave the list when they are read and three days old", async () => {
    const { data } = await testServer.call(announcementContract.create, people[1], {
      body: announcementDraft,
    });
    await testServer.call(announcementContract.publish, people[1], {
      params: { id: data.id },
      body: { publishAt: null },
    });
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`
        update announcement set publish_at = now() - interval '4 days' where id = ${data.id}`),
    );
    expect(await kinds(people[2])).toEqual(["ANNOUNCEMENT"]);
    const body = { noticeIds: [], announcementIds: [data.id], until: null };
    await testServer.call(notificationContract.read, people[2], { body });
    expect(await kinds(people[2])).toEqual([]);
  });
});
