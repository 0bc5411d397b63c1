// World of a tenant: one record of each kind that a call can name, and a fingerprint of all its
// rows.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { join, raw, sql } from "../../apps/server/src/platform/db/sql.ts";
import { makeAdverts } from "./adverts.ts";
import { insertAnnouncements } from "./announcements.ts";
import { type CellFixture, makeCabinet, makeStore } from "./cabinets.ts";
import type { Ids } from "./call-row.ts";
import { insertMalfunctions } from "./malfunctions.ts";
import { insertMaintenanceMessages, insertSmsCredit } from "./messages.ts";
import { insertMiniProgram } from "./mini-programs.ts";
import { insertOpenApps } from "./open-apps.ts";
import { insertSms, insertStoredOrder, insertTagged } from "./orders.ts";
import { insertPayments } from "./payments.ts";
import { insertReview } from "./reviews.ts";
import { insertPlatformFirmware, insertRollouts } from "./rollouts.ts";
import { insertSettings } from "./settings.ts";
import { insertTemplates } from "./templates.ts";
import type { Person, TestServer } from "./test-server.ts";
import { insertWebhooks } from "./webhooks.ts";

export interface World {
  ids: Ids;
  /** Texts that occur only in the rows of this world. */
  marks: string[];
}

const cells: CellFixture[] = [
  {},
  { adminState: "DISABLED" },
  { occupancy: "OCCUPIED", item: "EMPTY" },
];

/** Makes a world whose stores `caretaker` looks after; null: none of the maintenance staff does. */
export async function makeWorld(
  testServer: TestServer,
  tenantId: number,
  caretaker: Person | null,
): Promise<World> {
  const mark = randomUUID();
  const reason = `原因 ${mark}`;
  const storeId = await makeStore(testServer, tenantId, caretaker ? [caretaker.operatorId] : []);
  const emptyStoreId = await makeStore(
    testServer,
    tenantId,
    caretaker ? [caretaker.operatorId] : [],
  );
  const fixture = { tenantId, storeId, cells, name: `柜 ${mark}` };
  const first = await makeCabinet(testServer, fixture);
  const second = await makeCabinet(testServer, fixture);
  const paused = await makeCabinet(testServer, { ...fixture, lifecycle: "PAUSED" });
  return testServer.database.transaction("platform", async (db) => {
    await db.run(sql`
      update cabinet set is_greeted = true where tenant_id = ${tenantId} and id = ${first.id}`);
    const { operatorId } = await db.one<{ operatorId: number }>(sql`
      select id as operator_id from operator where tenant_id = ${tenantId} order by id limit 1`);
    await db.run(sql`
      update store set name = ${`门店 ${mark}`}, manager_id = ${operatorId}
      where id in (${storeId}, ${emptyStoreId})`);
    const { commandId } = await db.one<{ commandId: string }>(sql`
      insert into command (tenant_id, cabinet_id, kind, compartment_no, side, state, reason,
        actor_name, expires_at)
      values (${tenantId}, ${first.id}, 'OPEN', 2, 'FRONT', 'CONFIRMED', ${reason}, '李伟', now())
      returning id as command_id`);
    await db.run(sql`
      insert into cabinet_event (tenant_id, cabinet_id, kind, compartment_no, side, command_id)
      values (${tenantId}, ${first.id}, 'DOOR_OPENED', 1, 'FRONT', ${commandId})`);
    const { malfunctionId } = await db.one<{ malfunctionId: number }>(sql`
      insert into malfunction (tenant_id, cabinet_id, compartment_no, kind, description)
      values (${tenantId}, ${first.id}, 1, 'OPEN_FAILED', ${reason})
      returning id as malfunction_id`);
    await db.run(sql`
      with outage as (
        insert into malfunction (tenant_id, store_id, kind, description)
        values (${tenantId}, ${storeId}, 'OFFLINE', ${reason})
        returning id
      )
      insert into outage_cabinet (tenant_id, malfunction_id, cabinet_id)
      select ${tenantId}, id, ${first.id} from outage`);
    await db.run(sql`
      insert into pricing_rule (tenant_id, free_minutes, per_use_fen, step_minutes, step_fen,
        overdue_after_minutes, edited_by)
      values (${tenantId}, 0, 0, 60, 100, 1440, ${mark}) on conflict do nothing`);
    // Accounts that see this world's stores also see its caretaker.
    const seenId = caretaker?.operatorId ?? operatorId;
    const { auditEntryId } = await db.one<{ auditEntryId: number }>(sql`
      insert into audit_log (tenant_id, actor_tenant_id, actor_id, call, summary, reason)
      values (${tenantId}, ${tenantId}, ${seenId}, '-', '-', ${reason})
      returning id as audit_entry_id`);
    const { sessionId } = await db.one<{ sessionId: number }>(sql`
      insert into session (token_hash, tenant_id, operator_id, expires_at, user_agent)
      values (${randomBytes(32)}, ${tenantId}, ${seenId}, now() + interval '8 hours', ${mark})
      returning id as session_id`);
    await db.run(sql`
      insert into login_log (tenant_id, operator_id, username, outcome)
      values (${tenantId}, ${seenId}, ${mark}, 'SIGNED_IN')`);
    await db.run(sql`
      insert into birth_request (tenant_id, cabinet_id, kid, due_at)
      values (${tenantId}, ${first.id}, 'k1', now() + interval '1 day')`);
    await db.run(sql`
      insert into cabinet_secret (tenant_id, cabinet_id, kid, sealed_secret)
      values (${tenantId}, ${first.id}, 'k1', '\\x00')`);
    await db.run(sql`
      insert into cabinet_network (tenant_id, cabinet_id, network)
      values (${tenantId}, ${first.id}, '203.0.113.0/24')`);
    await db.run(sql`
      insert into cabinet_service (tenant_id, cabinet_id, starts_on, ends_on, stopped_at, stop_reason)
      values (${tenantId}, ${paused.id}, '2026-01-01', '2026-12-31', now(), ${reason})`);
    const servicePeriod = { startsOn: "2026-01-01", endsOn: "2026-12-31", isStopped: false };
    await db.run(sql`
      insert into cabinet_service_record (tenant_id, cabinet_id, action, actor_id, actor_name,
        before, after, reason)
      values (${tenantId}, ${paused.id}, 'STOPPED', 1, ${mark}, ${servicePeriod}, ${servicePeriod},
        ${reason})`);
    await db.run(sql`
      insert into stock_audit (tenant_id, cabinet_id, actor_id, actor_name, findings)
      values (${tenantId}, ${first.id}, 1, ${mark}, '[]')`);
    const model = await db.one<{ id: number }>(sql`
      select model_id as id from cabinet where tenant_id = ${tenantId} and id = ${first.id}`);
    const adverts = await makeAdverts(testServer, db, { tenantId, cabinetId: first.id, mark });
    const { stockId, assignedStockId } = await insertStock(db, tenantId, model.id, mark);
    const spareModel = await db.one<{ id: number }>(sql`
      insert into cabinet_model (name, side, layout) values (${randomUUID()}, 'SINGLE', '[]')
      returning id`);
    const firmware = await insertPlatformFirmware(db, model.id, spareModel.id);
    const places = { running: first.id, paused: second.id, stopped: paused.id };
    const rollouts = await insertRollouts(db, tenantId, places, mark);
    const place = { tenantId, cabinetId: first.id, storeId };
    const orders = await insertStoredOrder(db, place, mark);
    const { endUserId } = orders;
    const people = await insertTagged(db, { ...place, endUserId }, mark);
    const payments = await insertPayments(db, { tenantId, endUserId, mark });
    const reviewId = await insertReview(db, { tenantId, endUserId, mark });
    await insertMiniProgram(db, { tenantId, endUserId, mark });
    const callbacks = await insertWebhooks(db, { tenantId, orderId: orders.orderId, mark });
    const { orderId } = orders;
    await insertTemplates(db, { tenantId, endUserId, orderId, mark });
    const smsId = await insertSms(db, {
      tenantId,
      orderId: orders.orderId,
      mark,
    });
    const credit = await insertSmsCredit(db, { tenantId, smsId, orderId, mark });
    const messages = { tenantId, operatorId, malfunctionId, smsId, mark };
    const noticeId = await insertMaintenanceMessages(db, messages);
    const worked = await insertMalfunctions(testServer, db, {
      tenantId,
      cabinetId: second.id,
      mark,
    });
    const { exportId } = await db.one<{ exportId: string }>(sql`
      insert into list_export (tenant_id, operator_id, session_hash, is_platform, call, query, state,
        total, row_count)
      values (${tenantId}, ${operatorId}, '\\x00', true, '/admin/v1/locker/list',
        ${JSON.stringify({ keyword: mark })}, 'READY', 1, 1)
      returning id as export_id`);
    await db.run(sql`
      insert into list_export_chunk (tenant_id, export_id, no, rows)
      values (${tenantId}, ${exportId}, 0, ${JSON.stringify([{ name: mark }])})`);
    await db.run(sql`
      insert into tenant_use (tenant_id, minute, process_id, requests, live_channels)
      values (${tenantId}, now(), ${randomUUID()}, 1, 0)`);
    await db.run(sql`
      insert into work_failure (tenant_id, work, key, retry_at)
      values (${tenantId}, 'sms.send', ${mark}, now() + interval '1 hour')`);
    await db.run(sql`
      insert into tenant_feature (tenant_id, feature, is_on, ends_on)
      values (${tenantId}, 'advert', true, '2099-12-31') on conflict do nothing`);
    const settings = await insertSettings(testServer, db, {
      ...{ tenantId, operatorId, endUserId, mark },
    });
    const notices = await insertAnnouncements(testServer, db, { tenantId, operatorId, mark });
    const open = await insertOpenApps(testServer, db, {
      ...{ tenantId, cabinetId: first.id, orderId: orders.orderId, mark },
    });
    const menuEntryId = await ensureMenuEntry(db, "/world");
    const staff = await insertStaff(db, { tenantId, storeId }, mark);
    const { roleId } = await db.one<{ roleId: number }>(sql`
      insert into role (tenant_id, name, store_scope) values (${tenantId}, ${`角色 ${mark}`}, 'LISTED')
      returning id as role_id`);
    await db.run(sql`insert into role_store values (${tenantId}, ${roleId}, ${storeId})`);
    const withheldId = await ensureMenuEntry(db, "/world-withheld");
    await db.run(sql`
      insert into tenant_withheld_entry values (${tenantId}, ${withheldId}) on conflict do nothing`);
    // Outside the range of tenant ids that tests use, and unique for each world.
    const spareTenantId = 1_000_000 + storeId * 1_000;
    await db.run(sql`
      insert into tenant (id, name, state, suspend_reason, suspended_at) overriding system value
      values (${spareTenantId}, ${`空租户 ${mark}`}, 'SUSPENDED', ${reason}, now())`);
    return {
      ids: {
        tenantId,
        spareTenantId,
        cabinetId: first.id,
        secondCabinetId: second.id,
        pausedCabinetId: paused.id,
        storeId,
        emptyStoreId,
        operatorId,
        ...staff,
        commandId,
        stockId,
        assignedStockId,
        modelId: model.id,
        spareModelId: spareModel.id,
        menuEntryId,
        roleId,
        exportId,
        auditEntryId,
        sessionId,
        ...adverts,
        ...notices,
        ...settings,
        ...firmware,
        ...rollouts,
        ...orders,
        ...open,
        ...people,
        ...payments,
        reviewId,
        ...callbacks,
        smsId,
        ...credit,
        malfunctionId,
        ...worked,
        noticeId,
      },
      marks: [mark, first.sn, second.sn, paused.sn, commandId],
    };
  });
}

/** Inserts two caretakers of the store: one active, one disabled. */
async function insertStaff(db: Db, place: { tenantId: number; storeId: number }, mark: string) {
  const rows = await db.many<{ id: number }>(sql`
    insert into operator (tenant_id, username, display_name, password_hash, user_type, phone,
      disabled_at, disabled_by, disable_reason)
    select ${place.tenantId}, name, ${`员 ${mark}`}, 'none', 2, '13812345678',
      case when name like 'y%' then now() end, '李伟', case when name like 'y%' then '离职' end
    from unnest(${[`x${mark}`, `y${mark}`]}::text[]) name
    order by name
    returning id`);
  const [staffId = 0, disabledStaffId = 0] = rows.map(({ id }) => id);
  await db.run(sql`
    insert into operator_store (tenant_id, operator_id, store_id)
    select ${place.tenantId}, unnest(${[staffId, disabledStaffId]}::bigint[]), ${place.storeId}`);
  await db.run(sql`
    insert into totp (tenant_id, operator_id, sealed_secret)
    values (${place.tenantId}, ${disabledStaffId}, '\\x00')`);
  await db.run(sql`
    insert into recovery_code (tenant_id, operator_id, code_hash)
    values (${place.tenantId}, ${disabledStaffId}, '\\x00')`);
  await db.run(sql`
    insert into passkey (tenant_id, operator_id, credential_id, host, public_key, counter, transports, name)
    values (${place.tenantId}, ${disabledStaffId}, ${randomUUID()}, 'localhost', '\\x00', 0, '{}', '密钥')`);
  return { staffId, disabledStaffId };
}

/** One entry for all worlds: each new entry recalculates the permissions of every account. */
async function ensureMenuEntry(db: Db, uri: string): Promise<number> {
  const found = await db.maybe<{ id: number }>(sql`select id from menu_entry where uri = ${uri}`);
  if (found) return found.id;
  const { id } = await db.one<{ id: number }>(sql`
    insert into menu_entry (kind, uri, title) values ('MENU', ${uri}, '菜单') returning id`);
  return id;
}

/** Inserts two new devices: one in stock, one assigned to the tenant and not activated yet. */
async function insertStock(db: Db, tenantId: number, modelId: number, mark: string) {
  const sn = `STOCK${randomUUID().slice(0, 8).toUpperCase()}`;
  const cabinet = await db.one<{ id: number }>(sql`
    insert into cabinet (tenant_id, sn, name, model_id)
    values (${tenantId}, ${`${sn}2`}, ${`新柜 ${mark}`}, ${modelId}) returning id`);
  const [free, assigned] = await db.many<{ id: number }>(sql`
    insert into device_stock (sn, model_id, imported_by, state, owner_tenant_id, cabinet_id)
    values (${`${sn}1`}, ${modelId}, '李伟', 'IN_STOCK', null, null),
      (${`${sn}2`}, ${modelId}, '李伟', 'ASSIGNED', ${tenantId}, ${cabinet.id})
    returning id`);
  const [stockId = 0, assignedStockId = 0] = [free?.id, assigned?.id];
  await db.run(sql`
    insert into device_stock_event (stock_id, kind, actor_name)
    select unnest(${[stockId, assignedStockId]}::bigint[]), 'IMPORTED', '李伟'`);
  return { stockId, assignedStockId };
}

/** Returns a function that asks in the last place while it still answers as expected, otherwise in a new one. */
export function reusing<Place>(make: () => Promise<Place>) {
  let last: Place | undefined;
  return async <Reply>(
    ask: (place: Place) => Promise<Reply>,
    isExpected: (reply: Reply, place: Place) => boolean | Promise<boolean>,
  ): Promise<{ place: Place; reply: Reply }> => {
    if (last) {
      const reply = await ask(last);
      if (await isExpected(reply, last)) return { place: last, reply };
    }
    last = await make();
    return { place: last, reply: await ask(last) };
  };
}

export const nobodysIds: Ids = {
  tenantId: 999_999_999,
  spareTenantId: 999_999_999,
  cabinetId: 999_999_999,
  secondCabinetId: 999_999_999,
  pausedCabinetId: 999_999_999,
  storeId: 999_999_999,
  emptyStoreId: 999_999_999,
  operatorId: 999_999_999,
  staffId: 999_999_999,
  disabledStaffId: 999_999_999,
  commandId: "00000000-0000-4000-8000-000000000000",
  stockId: 999_999_999,
  assignedStockId: 999_999_999,
  modelId: 999_999_999,
  spareModelId: 999_999_999,
  menuEntryId: 999_999_999,
  roleId: 999_999_999,
  firmwareId: 999_999_999,
  draftFirmwareId: 999_999_999,
  firmwareFileId: "00000000-0000-4000-8000-000000000000",
  exportId: "00000000-0000-4000-8000-000000000000",
  rolloutId: 999_999_999,
  pausedRolloutId: 999_999_999,
  stoppedRolloutId: 999_999_999,
  endUserId: 999_999_999,
  spareUserId: 999_999_999,
  tagId: 999_999_999,
  noteId: 999_999_999,
  orderId: 999_999_999,
  openAppId: 999_999_999,
  disabledOpenAppId: 999_999_999,
  openCallId: 999_999_999,
  journalId: 999_999_999,
  topUpId: 999_999_999,
  differenceId: 999_999_999,
  creditableId: 999_999_999,
  reviewId: 999_999_999,
  smsId: 999_999_999,
  refusedSmsId: 999_999_999,
  smsRechargeId: 999_999_999,
  malfunctionId: 999_999_999,
  workedMalfunctionId: 999_999_999,
  resolvedMalfunctionId: 999_999_999,
  malfunctionPhotoId: "00000000-0000-4000-8000-000000000000",
  noticeId: 999_999_999,
  packageId: 999_999_999,
  userPackageId: 999_999_999,
  bonusPackageId: 999_999_999,
  shownAdvertId: 999_999_999,
  draftAdvertId: 999_999_999,
  advertFileId: "00000000-0000-4000-8000-000000000000",
  announcementId: 999_999_999,
  draftAnnouncementId: 999_999_999,
  appAnnouncementId: 999_999_999,
  platformAnnouncementId: 999_999_999,
  noticeImageId: "00000000-0000-4000-8000-000000000000",
  faqId: 999_999_999,
  faqCategoryId: 999_999_999,
  spareFaqCategoryId: 999_999_999,
  platformFaqId: 999_999_999,
  callbackId: 999_999_999,
  pausedCallbackId: 999_999_999,
  callbackDeliveryId: 999_999_999,
  callbackAppId: 999_999_999,
  auditEntryId: 999_999_999,
  sessionId: 999_999_999,
  logoFileId: "00000000-0000-4000-8000-000000000000",
  legalTextId: 999_999_999,
};

export async function tenantTables(testServer: TestServer): Promise<string[]> {
  const rows = await testServer.database.read("platform", (db) =>
    db.many<{ name: string }>(sql`
      select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and a.attname = 'tenant_id' and not a.attisdropped
      order by c.relname`),
  );
  return rows.map(({ name }) => name);
}

/** Changes when any row of the tenant changes, except for its sessions' `last_seen_at` and the count of its calls. */
export async function fingerprint(
  testServer: TestServer,
  tenantId: number,
  except: readonly string[] = [],
): Promise<string> {
  const tables = (await tenantTables(testServer)).filter(
    (table) => ![...except, "tenant_use"].includes(table),
  );
  const rows = await testServer.database.read("platform", (db) =>
    db.many(
      join(
        tables.map(
          (table) => sql`
            select ${table} as name, md5(string_agg(row::text, ';' order by row::text)) as rows
            from (select (to_jsonb(source_row) - 'last_seen_at') as row from ${raw(table)} source_row
              where source_row.tenant_id = ${tenantId}) listed`,
        ),
        " union all ",
      ),
    ),
  );
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
}
