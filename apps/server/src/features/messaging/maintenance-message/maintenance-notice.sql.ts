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
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { storePredicate } from "../../organization/store/index.ts";

export interface MalfunctionKey {
  tenantId: number;
  id: number;
}

/** Creates alerts for new malfunctions; a reopened one starts a new round. */
export async function insertAlerts(db: Db, keys: readonly MalfunctionKey[]): Promise<void> {
  await db.run(sql`
    insert into maintenance_alert as a (tenant_id, malfunction_id)
    select * from unnest(${keys.map(({ tenantId }) => tenantId)}::int[],
      ${keys.map(({ id }) => id)}::bigint[])
    on conflict (tenant_id, malfunction_id) do update set next_at = now(), told_at = null,
      escalated_at = null, round = a.round + 1`);
}

export function findDueAlerts(db: Db, limit: number): Promise<MalfunctionKey[]> {
  return db.many(sql`
    select tenant_id as "tenantId", malfunction_id as id from maintenance_alert
    where next_at <= now() order by next_at, malfunction_id limit ${limit}`);
}

export interface Alert extends Occurrence {
  isNotified: boolean;
  isEscalated: boolean;
  lastNoticeMs: number | null;
  isWaiting: boolean;
  isGiven: boolean;
}

/** Place as operators know it: store and cabinet. */
const placeSql = sql`
  concat_ws(' ', case when c.id is null then s.name
      when starts_with(c.name, coalesce(s.name, c.name)) then c.name
      else concat_ws(' ', s.name, c.name) end,
    m.compartment_no || ' 号格口')`;

const withPlace = sql`
  left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
  left join store s on s.tenant_id = m.tenant_id and s.id = coalesce(m.store_id, c.store_id)`;

export interface Occurrence {
  nowMs: number;
  kind: RuleKind;
  place: string;
  detail: string;
  storeId: number | null;
}

const occurrenceColumns = sql`
  extract(epoch from now())::float8 * 1000 as "nowMs", m.kind, ${placeSql} as place,
  -- Free text of a person must not leave the platform; a store outage's generated text may.
  case when m.store_id is null then '' else m.description end as detail,
  coalesce(m.store_id, c.store_id) as "storeId"`;

export async function findNow(db: Db): Promise<number> {
  const { nowMs } = await db.one<{ nowMs: number }>(
    sql`select extract(epoch from now())::float8 * 1000 as "nowMs"`,
  );
  return nowMs;
}

/** Facts about a malfunction for the text of its notice. */
export function findOccurrence(db: Db, { tenantId, id }: MalfunctionKey): Promise<Occurrence> {
  return db.one(sql`
    select ${occurrenceColumns} from malfunction m ${withPlace}
    where m.tenant_id = ${tenantId} and m.id = ${id}`);
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
    select ${occurrenceColumns}, a.told_at is not null as "isNotified",
      a.escalated_at is not null as "isEscalated",
      -- ASSIGNED still waits: the assignee has not accepted it yet.
      m.state in ('CREATED', 'ASSIGNED') as "isWaiting", m.state = 'ASSIGNED' as "isGiven", (
        select extract(epoch from max(b.told_at))::float8 * 1000
        from malfunction o
        join maintenance_alert b on b.tenant_id = o.tenant_id and b.malfunction_id = o.id
        where o.tenant_id = m.tenant_id and o.kind = m.kind and o.id <> m.id
          and o.cabinet_id is not distinct from m.cabinet_id
          and o.store_id is not distinct from m.store_id
          and o.compartment_no is not distinct from m.compartment_no) as "lastNoticeMs"
    from maintenance_alert a
    join malfunction m on m.tenant_id = a.tenant_id and m.id = a.malfunction_id
    ${withPlace}
    where a.tenant_id = ${tenantId} and a.malfunction_id = ${id}`);
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
      coalesce((select a.round from maintenance_alert a
        where a.tenant_id = ${notice.tenantId} and a.malfunction_id = ${notice.malfunctionId}), 1))`);
}

export function findDueSms(db: Db, limit: number): Promise<MalfunctionKey[]> {
  return db.many(sql`
    select tenant_id as "tenantId", id from maintenance_notice
    where sms_due_at <= now() order by sms_due_at, id limit ${limit}`);
}

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
    select n.step, n.kind, n.place, n.detail, n.operator_id as "operatorId",
      coalesce((select o.phone from operator o
        where o.tenant_id = n.tenant_id and o.id = n.operator_id and o.disabled_at is null), '')
        as phone,
      n.malfunction_id is null or exists (select from malfunction m
        where m.tenant_id = n.tenant_id and m.id = n.malfunction_id and ${isUntaken})
        as "isWaiting"
    from maintenance_notice n
    where n.tenant_id = ${tenantId} and n.id = ${id} and n.sms_due_at <= now()
    for update of n skip locked`);
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
    select coalesce(m.store_id, c.store_id) from malfunction m
    left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
    where m.tenant_id = n.tenant_id and m.id = n.malfunction_id)`;
  const conditions = [storePredicate(session, sql`n.tenant_id`, storeColumn, tenantId)];
  const name = operator?.trim();
  if (step) conditions.push(sql`n.step = ${step}`);
  if (kind) conditions.push(sql`n.kind = ${kind}`);
  if (smsState) conditions.push(sql`n.sms_state = ${smsState}`);
  if (name) conditions.push(sql`strpos(n.operator_name, ${name}) > 0`);
  if (malfunctionId) conditions.push(sql`n.malfunction_id = ${malfunctionId}`);
  if (from) conditions.push(sql`n.created_at >= ${from}`);
  if (to) conditions.push(sql`n.created_at <= ${to}`);
  return sql`from maintenance_notice n where ${join(conditions, " and ")}`;
}

const noticeColumns = sql`
  n.id, n.created_at as "createdAt", n.malfunction_id as "malfunctionId", n.step, n.kind, n.place, n.detail,
  m.cabinet_id as "cabinetId", m.compartment_no as "compartmentNo",
  coalesce(m.store_id, c.store_id) as "storeId"`;

const withMalfunction = sql`
  left join malfunction m on m.tenant_id = n.tenant_id and m.id = n.malfunction_id
  left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id`;

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
      select ${noticeColumns}, n.tenant_id as "tenantId", t.name as "tenantName",
        n.operator_name as "operatorName",
        n.by_console as "byConsole", n.read_at as "readAt", n.sms_state as "smsState",
        n.sms_due_at as "smsDueAt"
      from (select n.* ${matched} order by n.id desc ${pageLimits(query)}) n
      join tenant t on t.id = n.tenant_id
      ${withMalfunction}
      order by n.id desc`,
  });
}

/** Shown in the console until it is read, the malfunction is accepted, or 3 days have passed. */
const isNews = ({ tenantId, operatorId }: Session) => sql`
  n.tenant_id = ${tenantId} and n.operator_id = ${operatorId} and n.by_console
  and n.read_at is null and n.created_at > now() - interval '3 days'`;

/**
 * The malfunction is not accepted yet; for an ASSIGNED notice: not accepted by this assignee.
 * Notices of an earlier round (before a reopen) do not count.
 */
const isUntaken = sql`(n.malfunction_id is null or case when n.step = 'ASSIGNED'
  then m.state = 'ASSIGNED' and m.assignee_id = n.operator_id
  when n.step = 'ESCALATION' then m.state in ('CREATED', 'ASSIGNED')
  else m.state = 'CREATED' end and not exists (select from maintenance_alert a
    where a.tenant_id = n.tenant_id and a.malfunction_id = n.malfunction_id
      and a.round > n.round))`;

export async function findOwnNotices(
  db: Db,
  session: Session,
  limit: number,
): Promise<{ list: OwnNotice[]; total: number }> {
  // During an impersonation there are none: the account does not belong to the tenant.
  if (isVisit(session)) return { list: [], total: 0 };
  const matched = sql`
    from maintenance_notice n ${withMalfunction} where ${isNews(session)} and ${isUntaken}`;
  const [list, { total }] = await Promise.all([
    db.many<OwnNotice>(sql`
      select ${noticeColumns} ${matched} order by n.id desc limit ${limit}`),
    db.one<{ total: number }>(sql`select count(*)::int as total ${matched}`),
  ]);
  return { list, total };
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
