// 维护消息: a malfunction is notified to the recipients of its rule, once, later by escalation, and
// never to outsiders.
import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import { MAX_SMS_PER_HOUR } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { useMaintenanceDesk } from "../../../../../../tests/support/maintenance-desk.ts";
import { unreadNotices } from "../../../../../../tests/support/notifications.ts";
import { withPoison } from "../../../../../../tests/support/poison.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const desk = useMaintenanceDesk(testServer);
const { breakDoor, findTexts, findNotices, pass, runJobs, save, settle, within } = desk;
const contract = maintenanceMessageContract;

let platform: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});

it("520 older alerts that always throw do not stop another tenant's", async () => {
  await save();
  const { tenantId } = desk;
  await testServer.database.transaction("platform", async (db) => {
    const failing = (await testServer.makeTenant()).id;
    const cabinet = await makeCabinet(testServer, { tenantId: failing });
    await db.run(sql`
      with broken as (
        insert into malfunction (tenant_id, cabinet_id, kind, state, description)
        select ${failing}, ${cabinet.id}, 'OTHER', 'CLOSED', '' from generate_series(1, 520)
        returning tenant_id, id)
      insert into maintenance_alert (tenant_id, malfunction_id, next_at)
      select tenant_id, id, now() - interval '1 hour' from broken`);
  });
  await breakDoor();
  const poison = { table: "maintenance_alert", when: `old.tenant_id <> ${tenantId}` };
  await withPoison(testServer.url, poison, async () => {
    await runJobs();
    expect(await findNotices()).toHaveLength(1);
  });
  await runJobs();
});

describe("maintenance message: delivery", () => {
  it("reaches the store's caretaker in console and outbox, with the place", async () => {
    await save();
    await breakDoor();
    await runJobs();
    const caretaker = desk.people[2].operatorId;
    const place = expect.stringMatching(/4 号柜 2 号格口$/);
    expect(await findNotices()).toEqual([
      { step: "FIRST", operatorId: caretaker, place, smsState: "QUEUED", byConsole: true },
    ]);
    const [sent] = await findTexts();
    expect(sent?.text).toMatch(/^【智能存取】故障通知：.*4 号柜 2 号格口开门失败，请尽快处理。$/);
    // The description is left out of text messages: it may contain personal data.
    expect(sent?.text).not.toContain("138");
    const phone = await within((db) =>
      db.one<{ phone: string }>(sql`select phone from operator where id = ${caretaker}`),
    );
    expect(sent?.phone).toBe(phone.phone);
    expect(await unreadNotices(testServer, desk.people[2])).toMatchObject([
      {
        cabinetId: desk.cabinet.id,
        compartmentNo: 2,
        kind: "OPEN_FAILED",
        storeId: desk.storeId,
      },
    ]);
    expect(await unreadNotices(testServer, desk.people[1])).toEqual([]);
  });

  it("is also triggered by operator actions in the console", async () => {
    await save({ kind: "OTHER", recipientIds: [desk.people[1].operatorId] });
    const marked = await testServer.call(compartmentContract.markFault, desk.people[1], {
      params: { id: desk.cabinet.id, no: 3 },
      body: { reason: "门锁松动" },
    });
    expect(marked).toMatchObject({ code: 0 });
    await runJobs();
    expect((await findNotices()).map(({ operatorId }) => operatorId).sort()).toEqual(
      [desk.people[1].operatorId, desk.people[2].operatorId].sort(),
    );
  });

  it("follows the tenant's general rule for all kinds, else the platform default", async () => {
    await breakDoor(1);
    await runJobs();
    expect(await findNotices()).toMatchObject([{ smsState: "NONE", byConsole: true }]);
    await save({ kind: "*", byConsole: false });
    await breakDoor(2);
    await runJobs();
    expect((await findNotices())[1]).toMatchObject({ smsState: "QUEUED", byConsole: false });
    await save({ isOn: false });
    await breakDoor(3);
    await runJobs();
    expect(await findNotices()).toHaveLength(2);
  });

  it("is not repeated while the malfunction is open, nor by concurrent jobs", async () => {
    await save();
    await Promise.all([breakDoor(), breakDoor(), breakDoor()]);
    await Promise.all([runJobs(), runJobs(), runJobs()]);
    await breakDoor();
    await runJobs();
    expect(await findNotices()).toHaveLength(1);
    expect(await findTexts()).toHaveLength(1);
  });

  it("is debounced: none for a malfunction that comes and goes, one when it stays", async () => {
    await save({ calmMinutes: 30 });
    await breakDoor();
    await runJobs();
    for (let round = 0; round < 3; round++) {
      await settle();
      await breakDoor();
      await runJobs();
    }
    expect(await findNotices()).toHaveLength(1);
    await pass(31);
    await runJobs();
    expect(await findNotices()).toHaveLength(2);
    // Another door is another place.
    await breakDoor(1);
    await runJobs();
    expect(await findNotices()).toHaveLength(3);
  });

  it("is skipped for a malfunction settled or accepted before its turn", async () => {
    await save();
    for (const state of ["RESOLVED", "ASSIGNED", "IGNORED"]) {
      await breakDoor();
      await settle(state);
      await runJobs();
      await settle("CLOSED");
    }
    expect(await findNotices()).toHaveLength(0);
  });

  it("defers text messages to the end of quiet hours and drops those of malfunctions that are over", async () => {
    await save({ quietFrom: "00:00", quietTo: "23:59" });
    const isAwake = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(11, 16) === "23:59";
    if (isAwake) await save({ quietFrom: "23:00", quietTo: "22:00", editVersion: 1 });
    await breakDoor(1);
    await runJobs();
    expect(await findNotices()).toMatchObject([{ smsState: "WAITING", byConsole: true }]);
    expect(await findTexts()).toHaveLength(0);
    await pass(24 * 60);
    await runJobs();
    expect(await findNotices()).toMatchObject([{ smsState: "QUEUED" }]);
    await breakDoor(2);
    await runJobs();
    await settle();
    await pass(24 * 60);
    await runJobs();
    expect((await findNotices())[1]).toMatchObject({ smsState: "MOOT" });
    expect(await findTexts()).toHaveLength(1);
  });

  it("limits the text messages per person and hour", async () => {
    await save({ calmMinutes: 0 });
    const breakOne = async () => {
      await breakDoor();
      await runJobs();
      await settle();
    };
    for (let round = 0; round < MAX_SMS_PER_HOUR + 2; round++) await breakOne();
    const states = (await findNotices()).map(({ smsState }) => smsState);
    expect(states.filter((state) => state === "QUEUED")).toHaveLength(MAX_SMS_PER_HOUR);
    expect(states.slice(-2)).toEqual(["CAPPED", "CAPPED"]);
    await pass(61);
    await breakOne();
    expect((await findNotices()).at(-1)).toMatchObject({ smsState: "QUEUED" });
  });

  it("skips disabled accounts, reports missing phones, and falls back to those who can fix the rule", async () => {
    await within((db) =>
      db.run(sql`
        update operator set disabled_at = now()
        where tenant_id = ${desk.tenantId} and id = ${desk.people[2].operatorId}`),
    );
    await save();
    await breakDoor();
    await runJobs();
    expect((await findNotices()).map((notice) => [notice.operatorId, notice.smsState])).toEqual(
      expect.arrayContaining([
        [desk.people[0].operatorId, "NO_PHONE"],
        [desk.people[1].operatorId, "QUEUED"],
      ]),
    );
  });

  it("reaches store-bound accounts for their own stores only", async () => {
    const elsewhere = await makeStore(testServer, desk.tenantId);
    desk.cabinet = await makeCabinet(testServer, { tenantId: desk.tenantId, storeId: elsewhere });
    await save({ recipientIds: [desk.people[1].operatorId, desk.people[2].operatorId] });
    await breakDoor();
    await runJobs();
    expect((await findNotices()).map(({ operatorId }) => operatorId)).toEqual([
      desk.people[1].operatorId,
    ]);
  });
});

describe("shows one's own messages until they are read or the malfunction is over", () => {
  it("shows one's own messages until they are marked read", async () => {
    await save({ recipientIds: [desk.people[1].operatorId] });
    await breakDoor();
    await runJobs();
    const unread = async (userType: 1 | 2) =>
      (await unreadNotices(testServer, desk.people[userType])).map(({ id }) => id);
    const noticeIds = await unread(2);
    const body = { noticeIds, announcementIds: [], until: null };
    await testServer.call(notificationContract.read, desk.people[1], { body });
    expect(await unread(2)).toHaveLength(1);
    await testServer.call(notificationContract.read, desk.people[2], { body });
    expect(await unread(2)).toEqual([]);
    expect(await unread(1)).toHaveLength(1);
    await settle();
    expect(await unread(1)).toEqual([]);
  });

  it("lists sent messages with filters, for accounts with the permission", async () => {
    await save();
    await breakDoor();
    await runJobs();
    const list = async (query: object, as = desk.people[1]) =>
      (await testServer.call(contract.notices, as, { query })).data.list;
    expect(await list({ kind: "OPEN_FAILED", step: "FIRST", smsState: "QUEUED" })).toHaveLength(1);
    expect(await list({ operator: desk.people[2].username })).toHaveLength(1);
    expect(await list({ kind: "TAMPER" })).toHaveLength(0);
    expect(await list({ tenantId: desk.tenantId }, platform)).toMatchObject([
      { operatorName: desk.people[2].username, readAt: null },
    ]);
    expect(await testServer.call(contract.notices, desk.people[2], { query: {} })).toMatchObject({
      status: 403,
    });
    const shown = JSON.stringify(await list({}));
    expect(shown).not.toMatch(/1[3-9]\d{9}/);
  });
});
