// Escalation: a malfunction that nobody accepts is notified to others, once, and again after a
// reopen.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { describe, expect, it } from "vitest";
import { useMaintenanceDesk } from "../../../../../../tests/support/maintenance-desk.ts";
import { unreadNotices } from "../../../../../../tests/support/notifications.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const desk = useMaintenanceDesk(testServer);
const { breakDoor, findTexts, findNotices, pass, runJobs, save, settle, within } = desk;

describe("escalation", () => {
  const escalating = () =>
    save({ escalateMinutes: 15, escalationIds: [desk.people[1].operatorId], calmMinutes: 0 });

  it("notifies others once when nobody has accepted the malfunction", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await pass(14);
    await runJobs();
    expect(await findNotices()).toHaveLength(1);
    await pass(1);
    await runJobs();
    await pass(60);
    await runJobs();
    expect((await findNotices())[1]).toMatchObject({
      step: "ESCALATION",
      operatorId: desk.people[1].operatorId,
      smsState: "QUEUED",
    });
    expect(await findNotices()).toHaveLength(2);
    const texts = (await findTexts()).map(({ text }) => text);
    expect(texts[0]).toContain("仍无人受理");
  });

  it("also happens when the assignee does not accept it", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await settle("ASSIGNED");
    await pass(16);
    await runJobs();
    expect((await findNotices())[1]).toMatchObject({ step: "ESCALATION" });
    expect(await unreadNotices(testServer, desk.people[1])).toMatchObject([{ step: "ESCALATION" }]);
  });

  it("starts over when it is reopened without an assignee", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await settle("IGNORED");
    const [{ id = 0 } = {}] = await within((db) =>
      db.many<{ id: number }>(sql`select id from malfunction where tenant_id = ${desk.tenantId}`),
    );
    const body = { reason: "故障再次出现" };
    const { code } = await testServer.call(malfunctionContract.reopen, desk.people[1], {
      params: { id },
      body,
    });
    expect(code).toBe(0);
    await runJobs();
    await pass(16);
    await runJobs();
    expect((await findNotices()).map(({ step }) => step)).toEqual(["FIRST", "FIRST", "ESCALATION"]);
  });

  it("also happens after an immediate assignment, and again after a reopen", async () => {
    await escalating();
    await breakDoor();
    const { id } = await within((db) =>
      db.one<{ id: number }>(sql`select id from malfunction where tenant_id = ${desk.tenantId}`),
    );
    const [operator, caretaker] = [desk.people[1], desk.people[2]];
    const body = { ids: [id], operatorId: caretaker.operatorId, note: "" };
    expect((await testServer.call(malfunctionContract.assign, operator, { body })).errMsg).toBe("");
    const steps = async () => (await findNotices()).map(({ step }) => step);
    const mine = async (as: Person) =>
      (await unreadNotices(testServer, as)).map(({ step }) => step);
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
      expect((await testServer.call(malfunctionContract.reopen, operator, input)).errMsg).toBe("");
      return (await testServer.call(malfunctionContract.get, operator, { params: { id } })).data;
    };
    expect(await openAgain()).toMatchObject({ assigneeId: caretaker.operatorId });
    expect(await mine(caretaker)).toEqual(["ASSIGNED"]);
    expect(await mine(operator)).toEqual([]);
    await goOn();
    expect((await steps()).slice(2)).toEqual(["ASSIGNED", "ESCALATION"]);

    // A disabled account cannot accept anything.
    await within((db) =>
      db.run(sql`
        update operator set disabled_at = now()
        where tenant_id = ${desk.tenantId} and id = ${caretaker.operatorId}`),
    );
    expect(await openAgain()).toMatchObject({ state: "CREATED", assigneeId: null });
    await runJobs();
    expect((await steps()).slice(4)).toContain("FIRST");
  });

  it("does not happen after somebody accepted, nor when the rule has no escalation", async () => {
    await escalating();
    await breakDoor();
    await runJobs();
    await settle("PROCESSING");
    await pass(16);
    await runJobs();
    expect(await findNotices()).toHaveLength(1);
    await settle("CLOSED");
    await breakDoor();
    await runJobs();
    await save({ editVersion: 1, calmMinutes: 0 });
    await pass(16);
    await runJobs();
    expect(await findNotices()).toHaveLength(2);
  });
});
