// Notices sent about malfunctions, and the alert progress of each malfunction, in SQL.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  MaintenanceNotice,
  maintenanceMessageContract,
  OwnNotice,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  MAX_SMS_PER_HOUR,
  type NoticeSmsState,
  type NoticeStep,
  type RuleKind,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { type AccountKey, isVisit, type Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

export interface MalfunctionKey {
  tenantId: number;
  id: number;
}

/** Creates alerts for new malfunctions; a reopened one starts a new round. */
export async function insertAlerts(db: Db, keys: readonly MalfunctionKey[]): Promise<void> {
  await db.run(sql`
    insert into maintenance_alert as alert (tenant_id, malfunction_id)
    select * from unnest(${keys.map(({ tenantId }) => tenantId)}::int[],
      ${keys.map(({ id }) => id)}::bigint[])
    on conflict (tenant_id, malfunction_id) do update set next_at = now(), told_at = null,
      escalated_at = null, round = alert.round + 1`);
}

/** Alerts, by the time of their next step. */
export const alertQueue = sql`
  select tenant_id, malfunction_id::text as key, next_at as due_at from maintenance_alert
  where next_at is not null`;

export interface Alert extends Occurrence {
  isNotified: boolean;
  isEscalated: boolean;
  lastNoticeMs: number | null;
  isWaiting: boolean;
  isGiven: boolean;
}

/** Place as operators know it: store and cabinet. */
const placeSql = sql`
  concat_ws(' ', case when cabinet.id is null then store.name
      when starts_with(cabinet.name, coalesce(store.name, cabinet.name)) then cabinet.name
      else concat_ws(' ', store.name, cabinet.name) end,
    malfunction.compartment_no || ' 号格口')`;

const withPlace = sql`
  left join cabinet on cabinet.tenant_id = malfunction.tenant_id
    and cabinet.id = malfunction.cabinet_id
  left join store on store.tenant_id = malfunction.tenant_id
    and store.id = coalesce(malfunction.store_id, cabinet.store_id)`;

export interface Occurrence {
  nowMs: number;
  kind: RuleKind;
  place: string;
  detail: string;
  storeId: number | null;
}

const occurrenceColumns = sql`
  extract(epoch from now())::float8 * 1000 as now_ms, malfunction.kind, ${placeSql} as place,
  -- Free text of a person must not leave the platform; a store outage's generated text may.
  case when malfunction.store_id is null then '' else malfunction.description end as detail,
  coalesce(malfunction.store_id, cabinet.store_id) as store_id`;

export async function findNow(db: Db): Promise<number> {
  const { nowMs } = await db.one<{ nowMs: number }>(
    sql`select extract(epoch from now())::float8 * 1000 as now_ms`,
  );
  return nowMs;
}

/** Facts about a malfunction for the text of its notice. */
export function findOccurrence(db: Db, { tenantId, id }: MalfunctionKey): Promise<Occurrence> {
  return db.one(sql`
    select ${occurrenceColumns} from malfunction ${withPlace}
    where malfunction.tenant_id = ${tenantId} and malfunction.id = ${id}`);
}

/** Null if the alert is not due or another worker has locked it. */
export async function lockDueAlert(
  db: Db,
  { tenantId, id }: MalfunctionKey,
): Promise<Alert | null> {
  const locked = await db.maybe(sql`
    select from maintenance_alert
    where tenant_id = ${tenantId} and malfunction_id = ${id} and next_at <= now()
    for update skip locked`);
  if (!locked) return null;
  return db.one(sql`
    select ${occurrenceColumns}, alert.told_at is not null as is_notified,
      alert.escalated_at is not null as is_escalated,
      -- ASSIGNED still waits: the assignee has not accepted it yet.
      malfunction.state in ('CREATED', 'ASSIGNED') as is_waiting,
      malfunction.state = 'ASSIGNED' as is_given, (
        select extract(epoch from max(other_alert.told_at))::float8 * 1000
        from malfunction other_malfunction
        join maintenance_alert other_alert on other_alert.tenant_id = other_malfunction.tenant_id
          and other_alert.malfunction_id = other_malfunction.id
        where other_malfunction.tenant_id = malfunction.tenant_id
          and other_malfunction.kind = malfunction.kind and other_malfunction.id <> malfunction.id
          and other_malfunction.cabinet_id is not distinct from malfunction.cabinet_id
          and other_malfunction.store_id is not distinct from malfunction.store_id
          and other_malfunction.compartment_no is not distinct from malfunction.compartment_no) as last_notice_ms
    from maintenance_alert alert
    join malfunction on malfunction.tenant_id = alert.tenant_id
      and malfunction.id = alert.malfunction_id
    ${withPlace}
    where alert.tenant_id = ${tenantId} and alert.malfunction_id = ${id}`);
}

/** `did`: the step just completed; `nextMs` null: no step is left. */
export async function saveAlert(
  db: Db,
  { tenantId, id }: MalfunctionKey,
  did: "FIRST" | "ESCALATION" | null,
  nextMs: number | null,
): Promise<void> {
  await db.run(sql`
    update maintenance_alert set next_at = to_timestamp(${nextMs}::float8 / 1000),
      told_at = case when ${did === "FIRST"}::boolean then now() else told_at end,
      escalated_at = case when ${did === "ESCALATION"}::boolean then now() else escalated_at end
    where tenant_id = ${tenantId} and malfunction_id = ${id}`);
}

export interface NewNotice {
  tenantId: number;
  step: NoticeStep;
  kind: RuleKind;
  malfunctionId: number | null;
  place: string;
  detail: string;
  operatorId: number;
  operatorName: string;
  byConsole: boolean;
  smsState: NoticeSmsState;
  smsDueAt: string | null;
  smsId: number | null;
}

/** Locks the account, so that two workers cannot both use the last text message of the limit. */
export async function countSmsLately(
  db: Db,
  { tenantId, operatorId }: AccountKey,
): Promise<number> {
  await db.run(sql`
    select from operator where tenant_id = ${tenantId} and id = ${operatorId}
    for no key update`);
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from (
      select from maintenance_notice
      where tenant_id = ${tenantId} and operator_id = ${operatorId} and sms_state = 'QUEUED'
        and created_at > now() - interval '1 hour'
      limit ${MAX_SMS_PER_HOUR}) found`);
  return n;
}

export async function insertNotice(db: Db, notice: NewNotice): Promise<void> {
  await db.run(sql`
    insert into maintenance_notice (tenant_id, step, kind, malfunction_id, place, detail,
      operator_id, operator_name, by_console, sms_state, sms_due_at, sms_id, round)
    values (${notice.tenantId}, ${notice.step}, ${notice.kind}, ${notice.malfunctionId},
      ${notice.place}, ${notice.detail}, ${notice.operatorId}, ${notice.operatorName},
      ${notice.byConsole}, ${notice.smsState}, ${notice.smsDueAt}, ${notice.smsId},
      coalesce((select alert.round from maintenance_alert alert
        where alert.tenant_id = ${notice.tenantId} and alert.malfunction_id = ${notice.malfunctionId}), 1))`);
}

/** Notices whose text message waits for the end of quiet hours. */
export const waitingSmsQueue = sql`
  select tenant_id, id::text as key, sms_due_at as due_at from maintenance_notice
  where sms_due_at is not null`;

export interface WaitingSms {
  step: NoticeStep;
  kind: RuleKind;
  place: string;
  detail: string;
  operatorId: number | null;
  /** Empty if the account has no phone any more. */
  phone: string;
  isWaiting: boolean;
}

export function lockDueSms(db: Db, { tenantId, id }: MalfunctionKey): Promise<WaitingSms | null> {
  return db.maybe(sql`
    select notice.step, notice.kind, notice.place, notice.detail, notice.operator_id,
      coalesce((select operator.phone from operator
        where operator.tenant_id = notice.tenant_id and operator.id = notice.operator_id
          and operator.disabled_at is null), '')
        as phone,
      notice.malfunction_id is null or exists (select from malfunction
        where malfunction.tenant_id = notice.tenant_id and malfunction.id = notice.malfunction_id
          and ${isUntaken})
        as is_waiting
    from maintenance_notice notice
    where notice.tenant_id = ${tenantId} and notice.id = ${id} and notice.sms_due_at <= now()
    for update of notice skip locked`);
}

export async function settleSms(
  db: Db,
  { tenantId, id }: MalfunctionKey,
  state: NoticeSmsState,
  smsId: number | null,
): Promise<void> {
  await db.run(sql`
    update maintenance_notice set sms_state = ${state}, sms_due_at = null, sms_id = ${smsId}
    where tenant_id = ${tenantId} and id = ${id}`);
}

export type NoticeQuery = Input<typeof maintenanceMessageContract.notices>["query"];

/** A test notice has no store: a store-bound account sees only its own tests. */
function matching(session: Session, query: NoticeQuery): Sql {
  const { step, kind, smsState, operator, malfunctionId, from, to, tenantId } = query;
  const storeColumn = sql`(
    select coalesce(malfunction.store_id, cabinet.store_id) from malfunction
    left join cabinet on cabinet.tenant_id = malfunction.tenant_id
      and cabinet.id = malfunction.cabinet_id
    where malfunction.tenant_id = notice.tenant_id and malfunction.id = notice.malfunction_id)`;
  const name = operator?.trim();
  const conditions = and(
    storePredicate(session, sql`notice.tenant_id`, storeColumn, tenantId),
    step && sql`notice.step = ${step}`,
    kind && sql`notice.kind = ${kind}`,
    smsState && sql`notice.sms_state = ${smsState}`,
    name && sql`strpos(notice.operator_name, ${name}) > 0`,
    malfunctionId && sql`notice.malfunction_id = ${malfunctionId}`,
    periodSql(sql`notice.created_at`, { from, to }),
  );
  return sql`from maintenance_notice notice where ${conditions}`;
}

const noticeColumns = sql`
  notice.id, notice.created_at, notice.malfunction_id, notice.step, notice.kind, notice.place,
  notice.detail, malfunction.cabinet_id, malfunction.compartment_no,
  coalesce(malfunction.store_id, cabinet.store_id) as store_id`;

const withMalfunction = sql`
  left join malfunction on malfunction.tenant_id = notice.tenant_id
    and malfunction.id = notice.malfunction_id
  left join cabinet on cabinet.tenant_id = malfunction.tenant_id
    and cabinet.id = malfunction.cabinet_id`;

/** Sorted newest first. */
export function findNotices(
  db: Db,
  session: Session,
  query: NoticeQuery,
): Promise<Page<MaintenanceNotice>> {
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${noticeColumns}, notice.tenant_id, tenant.name as tenant_name, notice.operator_name,
        notice.by_console, notice.read_at, notice.sms_state, notice.sms_due_at
      from (select notice.* ${matched} order by notice.id desc ${pageLimits(query)}) notice
      join tenant on tenant.id = notice.tenant_id
      ${withMalfunction}
      order by notice.id desc`,
  });
}

/** Shown in the console until the malfunction is accepted, or for 3 days. */
const isNews = ({ tenantId, operatorId }: Session) => sql`
  notice.tenant_id = ${tenantId} and notice.operator_id = ${operatorId} and notice.by_console
  and notice.created_at > now() - interval '3 days'`;

/**
 * The malfunction is not accepted yet; for an ASSIGNED notice: not accepted by this assignee.
 * Notices of an earlier round (before a reopen) do not count.
 */
const isUntaken = sql`(notice.malfunction_id is null or case when notice.step = 'ASSIGNED'
  then malfunction.state = 'ASSIGNED' and malfunction.assignee_id = notice.operator_id
  when notice.step = 'ESCALATION' then malfunction.state in ('CREATED', 'ASSIGNED')
  else malfunction.state = 'CREATED' end and not exists (select from maintenance_alert alert
    where alert.tenant_id = notice.tenant_id and alert.malfunction_id = notice.malfunction_id
      and alert.round > notice.round))`;

/** Sorted newest first; during an impersonation there are none: the account does not belong to the tenant. */
export function findOwnNotices(
  db: Db,
  session: Session,
  limit: number,
): Promise<(OwnNotice & { isSevere: boolean })[]> {
  return db.many(sql`
    select ${noticeColumns}, notice.read_at is not null as is_read,
      coalesce(malfunction.severity = 'SEVERE', false) as is_severe
    from maintenance_notice notice ${withMalfunction}
    where not ${isVisit(session)}::boolean and ${isNews(session)} and ${isUntaken}
    order by notice.id desc limit ${limit}`);
}

/** Marks one's own unread notices among these and returns them. */
export function markRead(
  db: Db,
  { tenantId, operatorId }: Session,
  ids: readonly number[],
): Promise<{ id: number; place: string; kind: RuleKind }[]> {
  return db.many(sql`
    update maintenance_notice set read_at = now()
    where tenant_id = ${tenantId} and operator_id = ${operatorId}
      and id = any(${[...ids]}::bigint[]) and read_at is null
    returning id, place, kind`);
}
