// Malfunctions and the people notified of them: each test has its own tenant, store, cabinet and
// three accounts.
import { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import { defaultRule } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { pino } from "pino";
import { beforeEach } from "vitest";
import { maintenanceMessageJobs } from "../../apps/server/src/features/messaging/maintenance-message/index.ts";
import { reportMalfunction } from "../../apps/server/src/features/operations/malfunction/index.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { type MadeCabinet, makeCabinet, makeStore } from "./cabinets.ts";
import type { Person, TestServer } from "./test-server.ts";

interface World {
  tenantId: number;
  people: Record<0 | 1 | 2, Person>;
  /** Account 2 is its caretaker. */
  storeId: number;
  cabinet: MadeCabinet;
}

interface Notice {
  step: string;
  operatorId: number;
  place: string;
  smsState: string;
  byConsole: boolean;
}

export function useMaintenanceDesk(testServer: TestServer) {
  const desk = {} as World;
  beforeEach(async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const storeId = await makeStore(testServer, tenantId, [people[2].operatorId]);
    const cabinet = await makeCabinet(testServer, { tenantId, storeId, name: "4 号柜" });
    Object.assign(desk, { tenantId, people, storeId, cabinet });
    await within((db) =>
      db.run(sql`
        update operator set phone = '139000' || lpad((id % 100000)::text, 5, '0')
        where tenant_id = ${desk.tenantId} and user_type <> 0`),
    );
  });

  const within = <T>(work: (db: Db) => Promise<T>) =>
    testServer.database.transaction({ tenantId: desk.tenantId }, work);

  /** Runs the notice job, as the queue and the minute's schedule do. */
  async function runJobs(): Promise<void> {
    const tools = { database: testServer.database, log: pino({ level: "silent" }) };
    await maintenanceMessageJobs.tasks["maintenance.tell"]?.({}, tools);
  }

  const rule = (change: object = {}) => ({
    kind: "OPEN_FAILED",
    ...defaultRule,
    bySms: true,
    recipientIds: [] as number[],
    escalationIds: [] as number[],
    editVersion: 0,
    ...change,
  });
  const save = (change: object = {}, as = desk.people[1]) =>
    testServer.call(maintenanceMessageContract.saveRule, as, { body: rule(change) });

  const breakDoor = (no = 2) =>
    within((db) =>
      reportMalfunction(
        db,
        { tenantId: desk.tenantId, cabinetId: desk.cabinet.id },
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
        where tenant_id = ${desk.tenantId} and state in ('CREATED', 'ASSIGNED', 'PROCESSING')`),
    );

  const findNotices = () =>
    within((db) =>
      db.many<Notice>(sql`
        select step, operator_id, place, sms_state, by_console
        from maintenance_notice where tenant_id = ${desk.tenantId} order by id`),
    );
  const findTexts = async () => {
    const { list } = (await testServer.call(smsContract.history, desk.people[1], { query: {} }))
      .data;
    return Promise.all(
      list
        .filter(({ scene }) => scene === "MALFUNCTION")
        .map(async ({ id }) => {
          const body = { reason: "核对短信内容" };
          return (
            await testServer.call(smsContract.showText, desk.people[1], { params: { id }, body })
          ).data;
        }),
    );
  };
  /** Moves due times and creation times of alerts and notices this many minutes into the past. */
  const pass = (minutes: number) =>
    within(async (db) => {
      const by = sql`make_interval(mins => ${minutes}::int)`;
      await db.run(sql`
        update maintenance_alert set next_at = next_at - ${by}, told_at = told_at - ${by}
        where tenant_id = ${desk.tenantId}`);
      await db.run(sql`
        update maintenance_notice set created_at = created_at - ${by},
          sms_due_at = sms_due_at - ${by} where tenant_id = ${desk.tenantId}`);
    });

  const actions = { within, runJobs, rule, save, breakDoor, settle };
  return Object.assign(desk, actions, { findNotices, findTexts, pass });
}
