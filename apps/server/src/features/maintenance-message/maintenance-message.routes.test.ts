// 维护消息: a malfunction is told to whom its rule names, once, later to others, and never to a stranger.
import { compartmentContract } from "@cabinet/contract/compartment/compartment.contract.ts";
import { maintenanceMessageContract } from "@cabinet/contract/maintenance-message/maintenance-message.contract.ts";
import {
  houseRule,
  MAX_SMS_PER_HOUR,
  RULE_KINDS,
} from "@cabinet/contract/maintenance-message/maintenance-message.rules.ts";
import { malfunctionContract } from "@cabinet/contract/malfunction/malfunction.contract.ts";
import { smsContract } from "@cabinet/contract/sms/sms.contract.ts";
import { pino } from "pino";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type MadeCabinet, makeCabinet, makeStore } from "../../../../../tests/support/cabinets.ts";
import { type Person, useHouse } from "../../../../../tests/support/house.ts";
import { type Db, sql } from "../../platform/db.ts";
import { reportMalfunction } from "../malfunction/index.ts";
import { maintenanceMessageJobs } from "./index.ts";

const house = useHouse();
const contract = maintenanceMessageContract;
let platform: Person;
let people: Record<0 | 1 | 2, Person>;
let tenantId: number;
let storeId: number;
let cabinet: MadeCabinet;

beforeAll(async () => {
  platform = (await house.makeTenant(1)).people[0];
});
beforeEach(async () => {
  const tenant = await house.makeTenant();
  people = tenant.people;
  tenantId = tenant.id;
  storeId = await makeStore(house, tenantId, [people[2].operatorId]);
  cabinet = await makeCabinet(house, { tenantId, storeId, name: "4 号柜" });
  await within((db) =>
    db.run(sql`
      update operator set phone = '139000' || lpad((id % 100000)::text, 5, '0')
      where tenant_id = ${tenantId} and user_type <> 0`),
  );
});

const within = <T>(work: (db: Db) => Promise<T>) => house.database.transaction({ tenantId }, work);
const anywhere = <T>(work: (db: Db) => Promise<T>) => house.database.transaction("platform", work);

/** What the worker does when it is asked, and each minute. */
async function runJobs(): Promise<void> {
  const tools = { database: house.database, log: pino({ level: "silent" }) };
  await maintenanceMessageJobs(house.vault).tasks["maintenance.tell"]?.({}, tools);
}

const rule = (change: object = {}) => ({
  kind: "OPEN_FAILED",
  ...houseRule,
  bySms: true,
  recipientIds: [] as number[],
  escalationIds: [] as number[],
  editVersion: 0,
  ...change,
});
const save = (change: object = {}, as = people[1]) =>
  house.call(contract.saveRule, as, { body: rule(change) });

const breakDoor = (no = 2) =>
  within((db) =>
    reportMalfunction(
      db,
      { tenantId, cabinetId: cabinet.id },
      no,
      "OPEN_FAILED",
      "用户 138 反映",
      "李伟",
    ),
  );
const settle = (state = "RESOLVED") =>
  within((db) =>
    db.run(sql`
      update malfunction set state = ${state}
      where tenant_id = ${tenantId} and state in ('CREATED', 'ASSIGNED', 'PROCESSING')`),
  );

interface Told {
  step: string;
  operatorId: number;
  place: string;
  smsState: string;
  byConsole: boolean;
}
const findTold = () =>
  within((db) =>
    db.many<Told>(sql`
      select step, operator_id as "operatorId", place, sms_state as "smsState",
        by_console as "byConsole"
      from maintenance_notice where tenant_id = ${tenantId} order by id`),
  );
const findTexts = async () => {
  const { list } = (await house.call(smsContract.history, people[1], { query: {} })).data;
  return Promise.all(
    list
      .filter(({ scene }) => scene === "MALFUNCTION")
      .map(async ({ id }) => {
        const body = { reason: "核对短信内容" };
        return (await house.call(smsContract.showText, people[1], { params: { id }, body })).data;
      }),
  );
};
/** As if so many minutes had gone by for what is still to be done. */
const pass = (minutes: number) =>
  within(async (db) => {
    const by = sql`make_interval(mins => ${minutes}::int)`;
    await db.run(sql`
      update maintenance_alert set next_at = next_at - ${by}, told_at = told_at - ${by}
      where tenant_id = ${tenantId}`);
    await db.run(sql`
      update maintenance_notice set created_at = created_at - ${by},
        sms_due_at = sms_due_at - ${by} where tenant_id = ${tenantId}`);
  });

describe("telling", () => {
  it("reaches who looks after the store, in console and outbox, with the place", async () => {
    await save();
    await breakDoor();
    await runJobs();
    const caretaker = people[2].operatorId;
    const place = expect.stringMatching(/4 号柜 2 号格口$/);
    expect(await findTold()).toEqual([
      { step: "FIRST", operatorId: caretaker, place, smsState: "QUEUED", byConsole: true },
    ]);
    const [sent] = await findTexts();
    expect(sent?.text).toMatch(/^【智能存取】故障通知：.*4 号柜 2 号格口开门失败，请尽快处理。$/);
    // What people wrote about it may name others.
    expect(sent?.text).not.toContain("138");
    const phone = await within((db) =>
      db.one<{ phone: string }>(sql`select phone from operator where id = ${caretaker}`),
    );
    expect(sent?.phone).toBe(phone.phone);
    const mine = (await house.call(contract.mine, people[2])).data;
    expect(mine).toMatchObject({
      total: 1,
      list: [{ cabinetId: cabinet.id, compartmentNo: 2, kind: "OPEN_FAILED", storeId }],
    });
    expect((await house.call(contract.mine, people[1])).data.total).toBe(0);
  });

  it("comes of what people do in the console as well", async () => {
    await save({ kind: "OTHER", recipientIds: [people[1].operatorId] });
    const marked = await house.call(compartmentContract.markFault, people[1], {
      params: { id: cabinet.id, no: 3 },
      body: { reason: "门锁松动" },
    });
    expect(marked).toMatchObject({ code: 0 });
    await runJobs();
    expect((await findTold()).map(({ operatorId }) => operatorId).sort()).toEqual(
      [people[1].operatorId, people[2].operatorId].sort(),
    );
  });

  it("holds for all kinds by the tenant's general rule, and by the house's without one", async () => {
    await breakDoor(1);
    await runJobs();
    expect(await findTold()).toMatchObject([{ smsState: "NONE", byConsole: true }]);
    await save({ kind: "*", byConsole: false });
    await breakDoor(2);
    await runJobs();
    expect((await findTold())[1]).toMatchObject({ smsState: "QUEUED", byConsole: false });
    await save({ isOn: false });
    await breakDoor(3);
    await runJobs();
    expect(await findTold()).toHaveLength(2);
  });

  it("does not repeat itself while the malfunction is open, nor when jobs run twice at once", async () => {
    await save();
    await Promise.all([breakDoor(), breakDoor(), breakDoor()]);
    await Promise.all([runJobs(), runJobs(), runJobs()]);
    await breakDoor();
    await runJobs();
    expect(await findTold()).toHaveLength(1);
    expect(await findTexts()).toHaveLength(1);
  });

  it("is silent about a malfunction that comes and goes, and speaks when it stays", async () => {
    await save({ calmMinutes: 30 });
    await breakDoor();
    await runJobs();
    for (let round = 0; round < 3; round++) {
      await settle();
      await breakDoor();
      await runJobs();
    }
    expect(await findTold()).toHaveLength(1);
    await pass(31);
    await runJobs();
    expect(await findTold()).toHaveLength(2);
    // Another door is another place.
    await breakDoor(1);
    await runJobs();
    expect(await findTold()).toHaveLength(3);
  });

  it("tells nobody of what is settled or taken on before its turn", async () => {
    await save();
    for (const state of ["RESOLVED", "ASSIGNED", "IGNORED"]) {
      await breakDoor();
      await settle(state);
      await runJobs();
      await settle("CLOSED");
    }
    expect(await findTold()).toHaveLength(0);
  });

  it("waits with text messages for the end of quiet hours, and drops what is over by then", async () => {
    await save({ quietFrom: "00:00", quietTo: "23:59" });
    const isAwake = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(11, 16) === "23:59";
    if (isAwake) await save({ quietFrom: "23:00", quietTo: "22:00", editVersion: 1 });
    await breakDoor(1);
    await runJobs();
    expect(await findTold()).toMatchObject([{ smsState: "WAITING", byConsole: true }]);
    expect(await findTexts()).toHaveLength(0);
    await pass(24 * 60);
    await runJobs();
    expect(await findTold()).toMatchObject([{ smsState: "QUEUED" }]);
    await breakDoor(2);
    await runJobs();
    await settle();
    await pass(24 * 60);
    await runJobs();
    expect((await findTold())[1]).toMatchObject({ smsState: "MOOT" });
    expect(await findTexts()).toHaveLength(1);
  });

  it("sends one person no more than so many text messages an hour", async () => {
    await save({ calmMinutes: 0 });
    const breakOne = async () => {
      await breakDoor();
      await runJobs();
      await settle();
    };
    for (let round = 0; round < MAX_SMS_PER_HOUR + 2; round++) await breakOne();
    const states = (await findTold()).map(({ smsState }) => smsState);
    expect(states.filter((state) => state === "QUEUED")).toHaveLength(MAX_SMS_PER_HOUR);
    expect(states.slice(-2)).toEqual(["CAPPED", "CAPPED"]);
    await pass(61);
    await breakOne();
    expect((await findTold()).at(-1)).toMatchObject({ smsState: "QUEUED" });
  });

  it("skips disabled accounts, says who has no phone, and falls back on who can mend the rule", async () => {
    await within((db) =>
      db.run(sql`
        update operator set disabled_at = now()
        where tenant_id = ${tenantId} and id = ${people[2].operatorId}`),
    );
    await save();
    await breakDoor();
    await runJobs();
    expect((await findTold()).map((told) => [told.operatorId, told.smsState])).toEqual(
      expect.arrayContaining([
        [people[0].operatorId, "NO_PHONE"],
        [people[1].operatorId, "QUEUED"],
      ]),
    );
  });

  it("tells whoever is bound to stores of theirs alone", async () => {
    const elsewhere = await makeStore(house, tenantId);
    cabinet = await makeCabinet(house, { tenantId, storeId: elsewhere });
    await save({ recipientIds: [people[1].operatorId, people[2].operatorId] });
    await breakDoor();
    await runJobs();
    expect((await findTold()).map(({ operatorId }) => operatorId)).toEqual([people[1].operatorId]);
  });
});

describe("escalation", () => {
  const escalating = () =>
    save({ escalateMinutes: 15, escalationIds: [people[1].operatorId], calmMinutes: 0 });

  it("tells others once when nobody has taken it on", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await pass(14);
    await runJobs();
    expect(await findTold()).toHaveLength(1);
    await pass(1);
    await runJobs();
    await pass(60);
    await runJobs();
    expect((await findTold())[1]).toMatchObject({
      step: "ESCALATION",
      operatorId: people[1].operatorId,
      smsState: "QUEUED",
    });
    expect(await findTold()).toHaveLength(2);
    const texts = (await findTexts()).map(({ text }) => text);
    expect(texts[0]).toContain("仍无人受理");
  });

  it("comes too when whom it was given to does not take it on", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await settle("ASSIGNED");
    await pass(16);
    await runJobs();
    expect((await findTold())[1]).toMatchObject({ step: "ESCALATION" });
    const { list } = (await house.call(contract.mine, people[1])).data;
    expect(list).toMatchObject([{ step: "ESCALATION" }]);
  });

  it("begins anew when it is opened again with nobody on it", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await settle("IGNORED");
    const [{ id = 0 } = {}] = await within((db) =>
      db.many<{ id: number }>(sql`select id from malfunction where tenant_id = ${tenantId}`),
    );
    const body = { reason: "故障再次出现" };
    const { code } = await house.call(malfunctionContract.reopen, people[1], {
      params: { id },
      body,
    });
    expect(code).toBe(0);
    await runJobs();
    await pass(16);
    await runJobs();
    expect((await findTold()).map(({ step }) => step)).toEqual(["FIRST", "FIRST", "ESCALATION"]);
  });

  it("comes too where somebody was told at once, and again once it is opened again", async () => {
    await escalating();
    await breakDoor();
    const { id } = await within((db) =>
      db.one<{ id: number }>(sql`select id from malfunction where tenant_id = ${tenantId}`),
    );
    const [operator, caretaker] = [people[1], people[2]];
    const body = { ids: [id], operatorId: caretaker.operatorId, note: "" };
    expect((await house.call(malfunctionContract.assign, operator, { body })).errMsg).toBe("");
    const steps = async () => (await findTold()).map(({ step }) => step);
    const mine = async (as: Person) =>
      (await house.call(contract.mine, as)).data.list.map(({ step }) => step);
    const goOn = async () => {
      await runJobs();
      await pass(16);
      await runJobs();
      await pass(60);
      await runJobs();
    };
    await goOn();
    expect(await steps()).toEqual(["ASSIGNED", "ESCALATION"]);

    const openAgain = async () => {
      await settle("IGNORED");
      const input = { params: { id }, body: { reason: "故障再次出现" } };
      expect((await house.call(malfunctionContract.reopen, operator, input)).errMsg).toBe("");
      return (await house.call(malfunctionContract.get, operator, { params: { id } })).data;
    };
    expect(await openAgain()).toMatchObject({ assigneeId: caretaker.operatorId });
    expect(await mine(caretaker)).toEqual(["ASSIGNED"]);
    expect(await mine(operator)).toEqual([]);
    await goOn();
    expect((await steps()).slice(2)).toEqual(["ASSIGNED", "ESCALATION"]);

    // An account that is closed takes nothing on.
    await within((db) =>
      db.run(sql`
        update operator set disabled_at = now()
        where tenant_id = ${tenantId} and id = ${caretaker.operatorId}`),
    );
    expect(await openAgain()).toMatchObject({ state: "CREATED", assigneeId: null });
    await runJobs();
    expect((await steps()).slice(4)).toContain("FIRST");
  });

  it("does not come when somebody has, nor when the rule says no more", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await settle("PROCESSING");
    await pass(16);
    await runJobs();
    expect(await findTold()).toHaveLength(1);
    await settle("CLOSED");
    await breakDoor();
    await runJobs();
    await save({ editVersion: 1, calmMinutes: 0 });
    await pass(16);
    await runJobs();
    expect(await findTold()).toHaveLength(2);
  });
});

describe("seeing", () => {
  it("is one's own, and takes the message away", async () => {
    await save({ recipientIds: [people[1].operatorId] });
    await breakDoor();
    await runJobs();
    const [{ id } = { id: 0 }] = (await house.call(contract.mine, people[2])).data.list;
    await house.call(contract.read, people[1], { body: { ids: [id] } });
    expect((await house.call(contract.mine, people[2])).data.total).toBe(1);
    await house.call(contract.read, people[2], { body: { ids: [id] } });
    expect((await house.call(contract.mine, people[2])).data.total).toBe(0);
    expect((await house.call(contract.mine, people[1])).data.total).toBe(1);
    await settle();
    expect((await house.call(contract.mine, people[1])).data.total).toBe(0);
  });

  it("lists what was told, with filters, to whom may look", async () => {
    await save();
    await breakDoor();
    await runJobs();
    const list = async (query: object, as = people[1]) =>
      (await house.call(contract.notices, as, { query })).data.list;
    expect(await list({ kind: "OPEN_FAILED", step: "FIRST", smsState: "QUEUED" })).toHaveLength(1);
    expect(await list({ operator: people[2].username })).toHaveLength(1);
    expect(await list({ kind: "TAMPER" })).toHaveLength(0);
    expect(await list({ tenantId }, platform)).toMatchObject([
      { operatorName: people[2].username, readAt: null },
    ]);
    expect(await house.call(contract.notices, people[2], { query: {} })).toMatchObject({
      status: 403,
    });
    const shown = JSON.stringify(await list({}));
    expect(shown).not.toMatch(/1[3-9]\d{9}/);
  });
});

describe("rules", () => {
  const rules = async (as = people[1], query: object = {}) =>
    (await house.call(contract.rules, as, { query })).data.rules;
  const ruleOf = async (kind: string) => (await rules()).find((each) => each.kind === kind);

  it("are the house's, the tenant's, or the kind's own", async () => {
    expect((await rules()).every(({ source }) => source === "HOUSE")).toBe(true);
    await save({ kind: "*", calmMinutes: 60 });
    expect(await ruleOf("TAMPER")).toMatchObject({ source: "TENANT", calmMinutes: 60 });
    await save({ kind: "TAMPER", calmMinutes: 0, recipientIds: [people[1].operatorId] });
    expect(await ruleOf("TAMPER")).toMatchObject({
      source: "OWN",
      calmMinutes: 0,
      recipients: [{ id: people[1].operatorId, hasPhone: true }],
      editVersion: 1,
      editedBy: people[1].username,
    });
    const query = { kind: "TAMPER" };
    expect(await house.call(contract.resetRule, people[1], { query })).toMatchObject({ code: 0 });
    expect(await ruleOf("TAMPER")).toMatchObject({ source: "TENANT", calmMinutes: 60 });
    expect(await house.call(contract.resetRule, people[1], { query })).toMatchObject({ code: 1 });
    const shown = await rules(platform, { tenantId });
    expect(shown.map(({ kind }) => kind).toSorted()).toEqual([...RULE_KINDS].toSorted());
  });

  it("are not overwritten by whoever saw an older one, nor made twice", async () => {
    const answers = await Promise.all([save(), save(), save()]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await save({ editVersion: 2 })).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining(people[1].username),
    });
    expect(await save({ editVersion: 1 })).toMatchObject({ code: 0 });
  });

  it("write before and after into the audit log", async () => {
    await save({ calmMinutes: 10 });
    await save({ calmMinutes: 20, editVersion: 1, recipientIds: [people[1].operatorId] });
    const { before, after } = await anywhere((db) =>
      db.one<{ before: object; after: object }>(sql`
        select before, after from audit_log where tenant_id = ${tenantId}
        order by id desc limit 1`),
    );
    expect(before).toMatchObject({ calmMinutes: 10, recipients: [] });
    expect(after).toMatchObject({ calmMinutes: 20, recipients: [people[1].username] });
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
  ])("refuse %j and say why", async (change, text) => {
    expect(await save(change)).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
    expect((await rules()).every(({ source }) => source === "HOUSE")).toBe(true);
  });

  it("name no account of another tenant", async () => {
    const stranger = (await house.makeTenant()).people[1];
    expect(await save({ recipientIds: [stranger.operatorId] })).toMatchObject({ code: 1 });
  });

  it("are for all stores, so whoever sees some of them does not change them", async () => {
    await within((db) =>
      db.run(sql`update role set store_scope = 'OWN' where tenant_id = ${tenantId}`),
    );
    expect(await save()).toMatchObject({ status: 403, code: 1 });
    expect(await house.call(contract.rules, people[1], { query: {} })).toMatchObject({ code: 0 });
  });
});

describe("trying out", () => {
  it("shows who would hear of it, and tells them so", async () => {
    await save({ escalateMinutes: 5, escalationIds: [people[0].operatorId] });
    const query = { kind: "OPEN_FAILED", storeId };
    expect((await house.call(contract.plan, people[1], { query })).data).toMatchObject({
      first: [{ id: people[2].operatorId, hasPhone: true }],
      isFallback: false,
      escalation: [{ id: people[0].operatorId, hasPhone: false }],
    });
    expect(
      (await house.call(contract.plan, people[1], { query: { kind: "*" } })).data,
    ).toMatchObject({ isFallback: true });
    const sent = await house.call(contract.test, people[1], { body: query });
    expect(sent.data).toEqual({ told: 1, queued: 1, noPhone: 0, capped: 0 });
    expect(await findTold()).toMatchObject([{ step: "TEST", operatorId: people[2].operatorId }]);
    const [message] = await findTexts();
    expect(message?.text).toContain("测试");
    expect((await house.call(contract.mine, people[2])).data.list).toMatchObject([
      { step: "TEST" },
    ]);
  });
});
