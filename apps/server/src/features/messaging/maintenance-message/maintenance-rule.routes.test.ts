// Rules of 维护消息: their scope, the permission to change them, and the test send.
import { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  RULE_KINDS,
  TENANT_KINDS,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { useMaintenanceDesk } from "../../../../../../tests/support/maintenance-desk.ts";
import { unreadNotices } from "../../../../../../tests/support/notifications.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const desk = useMaintenanceDesk(testServer);
const { findTexts, findNotices, save, within } = desk;
const contract = maintenanceMessageContract;

let platform: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});

const anywhere = <T>(work: (db: Db) => Promise<T>) =>
  testServer.database.transaction("platform", work);

describe("maintenance rule", () => {
  const rules = async (as = desk.people[1], query: object = {}) =>
    (await testServer.call(contract.rules, as, { query })).data.rules;
  const ruleOf = async (kind: string) => (await rules()).find((each) => each.kind === kind);

  it("applies per kind, else the tenant's general rule, else the platform default", async () => {
    expect((await rules()).every(({ source }) => source === "HOUSE")).toBe(true);
    await save({ kind: "*", calmMinutes: 60 });
    expect(await ruleOf("TAMPER")).toMatchObject({ source: "TENANT", calmMinutes: 60 });
    await save({ kind: "TAMPER", calmMinutes: 0, recipientIds: [desk.people[1].operatorId] });
    expect(await ruleOf("TAMPER")).toMatchObject({
      source: "OWN",
      calmMinutes: 0,
      recipients: [{ id: desk.people[1].operatorId, hasPhone: true }],
      editVersion: 1,
      editedBy: desk.people[1].username,
    });
    const query = { kind: "TAMPER" };
    expect(await testServer.call(contract.resetRule, desk.people[1], { query })).toMatchObject({
      code: 0,
    });
    expect(await ruleOf("TAMPER")).toMatchObject({ source: "TENANT", calmMinutes: 60 });
    expect(await testServer.call(contract.resetRule, desk.people[1], { query })).toMatchObject({
      code: 1,
    });
    const shown = await rules(platform, { tenantId: desk.tenantId });
    expect(shown.map(({ kind }) => kind).toSorted()).toEqual([...RULE_KINDS].toSorted());
  });

  it("is protected by its version: neither overwritten by a stale edit nor created twice", async () => {
    const answers = await Promise.all([save(), save(), save()]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await save({ editVersion: 2 })).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining(desk.people[1].username),
    });
    expect(await save({ editVersion: 1 })).toMatchObject({ code: 0 });
  });

  it("is audited with before and after", async () => {
    await save({ calmMinutes: 10 });
    await save({ calmMinutes: 20, editVersion: 1, recipientIds: [desk.people[1].operatorId] });
    const { before, after } = await anywhere((db) =>
      db.one<{ before: object; after: object }>(sql`
        select before, after from audit_log where tenant_id = ${desk.tenantId}
        order by id desc limit 1`),
    );
    expect(before).toMatchObject({ calmMinutes: 10, recipients: [] });
    expect(after).toMatchObject({ calmMinutes: 20, recipients: [desk.people[1].username] });
  });

  it.each<[object, string]>([
    [{ byConsole: false, bySms: false }, "通知方式"],
    [{ toCaretakers: false, toManager: false }, "接收人"],
    [{ quietFrom: "22:00" }, "一起填写"],
    [{ quietFrom: "25:00", quietTo: "07:00" }, "免打扰开始"],
    [{ escalateMinutes: 5 }, "升级通知的账号"],
    [{ escalateMinutes: 0 }, "升级时间"],
    [{ calmMinutes: 9_999 }, "重复通知间隔"],
    [{ recipientIds: [999_999_999] }, "所选账号"],
    [{ kind: "FLOOD" }, "故障类型"],
  ])("refuses %j and names the reason", async (change, text) => {
    expect(await save(change)).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
    expect((await rules()).every(({ source }) => source === "HOUSE")).toBe(true);
  });

  it("accepts no account of another tenant", async () => {
    const stranger = (await testServer.makeTenant()).people[1];
    expect(await save({ recipientIds: [stranger.operatorId] })).toMatchObject({ code: 1 });
  });

  it("applies to all stores, so a store-bound account cannot change it", async () => {
    await within((db) =>
      db.run(sql`update role set store_scope = 'OWN' where tenant_id = ${desk.tenantId}`),
    );
    expect(await save()).toMatchObject({ status: 403, code: 1 });
    expect(await testServer.call(contract.rules, desk.people[1], { query: {} })).toMatchObject({
      code: 0,
    });
  });
});

describe("maintenance rule: test", () => {
  it("lists the recipients and notifies them", async () => {
    await save({ escalateMinutes: 5, escalationIds: [desk.people[0].operatorId] });
    const query = { kind: "OPEN_FAILED", storeId: desk.storeId };
    expect((await testServer.call(contract.plan, desk.people[1], { query })).data).toMatchObject({
      first: [{ id: desk.people[2].operatorId, hasPhone: true }],
      isFallback: false,
      escalation: [{ id: desk.people[0].operatorId, hasPhone: false }],
    });
    expect(
      (await testServer.call(contract.plan, desk.people[1], { query: { kind: "*" } })).data,
    ).toMatchObject({ isFallback: true });
    const sent = await testServer.call(contract.test, desk.people[1], { body: query });
    expect(sent.data).toEqual({ told: 1, queued: 1, noPhone: 0, capped: 0 });
    expect(await findNotices()).toMatchObject([
      { step: "TEST", operatorId: desk.people[2].operatorId },
    ]);
    const [message] = await findTexts();
    expect(message?.text).toContain("测试");
    expect(await unreadNotices(testServer, desk.people[2])).toMatchObject([{ step: "TEST" }]);
  });

  it("ignores the store for kinds of the whole tenant and notifies nobody by store", async () => {
    await save({ escalateMinutes: 5, escalationIds: [desk.people[0].operatorId] });
    for (const kind of TENANT_KINDS) {
      const query = { kind, storeId: desk.storeId };
      const plan = await testServer.call(contract.plan, desk.people[1], { query });
      expect(plan.data).toMatchObject({ isFallback: true, escalation: [] });
      expect(plan.data.first.map(({ id }) => id)).not.toContain(desk.people[2].operatorId);
      const { name } = await within((db) =>
        db.one<{ name: string }>(sql`select name from tenant where id = ${desk.tenantId}`),
      );
      expect(plan.data.place).toBe(name);
    }
  });
});
