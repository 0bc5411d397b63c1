// Malfunction lifecycle in SQL; at most one open row per cabinet, compartment and kind, one per
// store.
import {
  defaultSla,
  type MalfunctionEventKind,
  type MalfunctionSource,
  type MalfunctionState,
  type Severity,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { releaseFile } from "../../organization/file/index.ts";

export interface MalfunctionKey {
  tenantId: number;
  id: number;
}

/** Malfunction that has just changed, and its cabinet. */
export interface MalfunctionAt extends MalfunctionKey {
  cabinetId: number | null;
}

const isOpen = (alias: Sql) => sql`${alias}.state in ('CREATED', 'ASSIGNED', 'PROCESSING')`;
export const isOpenSql = isOpen(sql`malfunction`);

/** The row `comp` has opened without a command, and no person has finished the malfunction yet. */
export const isForcedSql = (comp: Sql) => sql`(exists (select from malfunction
    where malfunction.tenant_id = ${comp}.tenant_id and malfunction.cabinet_id = ${comp}.cabinet_id
      and malfunction.compartment_no = ${comp}.no and malfunction.kind = 'UNCOMMANDED_OPENING'
      and ${isOpenSql})
  or exists (select from malfunction_signal signal
    where signal.tenant_id = ${comp}.tenant_id and signal.cabinet_id = ${comp}.cabinet_id
      and signal.compartment_no = ${comp}.no and signal.kind = 'UNCOMMANDED_OPENING'
      and signal.pending > 0))`;

/**
 * Id of the open malfunction in place of the row `malfunction`: same place and kind, or the outage
 * that it was merged into.
 */
export const openInsteadSql = sql`(
  select other_malfunction.id from malfunction other_malfunction
  where other_malfunction.tenant_id = malfunction.tenant_id
    and other_malfunction.id <> malfunction.id and ${isOpen(sql`other_malfunction`)}
    and (other_malfunction.id = malfunction.merged_into_id
      or (other_malfunction.kind = malfunction.kind
      and other_malfunction.cabinet_id is not distinct from malfunction.cabinet_id
      and other_malfunction.store_id is not distinct from malfunction.store_id
      and coalesce(other_malfunction.compartment_no, 0) = coalesce(malfunction.compartment_no, 0)))
  order by other_malfunction.id limit 1)`;

/** Place of a malfunction: a cabinet, or a whole store. */
export interface Place {
  tenantId: number;
  cabinetId: number | null;
  storeId: number | null;
  compartmentNo: number | null;
  kind: MalfunctionKind;
}

export interface NewMalfunction extends Place {
  severity: Severity;
  source: MalfunctionSource;
  description: string;
  reporterName: string;
  /** App user who reported it. */
  endUserId?: number;
  /** Number of reports it represents. */
  count: number;
}

/** Terms of a severity as JSON: the tenant's own, else the platform default. */
function termsSql(tenantId: Sql, severity: Sql): Sql {
  return sql`(coalesce(
    (select sla.terms from malfunction_sla sla where sla.tenant_id = ${tenantId}),
    ${JSON.stringify(defaultSla)}::jsonb) -> ${severity})`;
}

const afterMinutes = (since: Sql, terms: Sql, name: string) =>
  sql`${since} + make_interval(mins => (${terms} ->> ${name})::int)`;

/**
 * Opens malfunctions; one already open for the place and kind only gets its repeat count raised. A
 * place and kind may occur once per call: ON CONFLICT cannot update a row twice.
 */
export function openMalfunctions(
  db: Db,
  rows: readonly NewMalfunction[],
): Promise<(Place & MalfunctionKey & { isNew: boolean })[]> {
  return db.many(sql`
    insert into malfunction (tenant_id, cabinet_id, store_id, compartment_no, kind, severity,
      source, description, reporter_name, repeat_count, respond_by, resolve_by)
    select input."tenantId", input."cabinetId", input."storeId", input."compartmentNo", input.kind,
      input.severity,
      input.source, input.description, input."reporterName", input.count,
      ${afterMinutes(sql`now()`, sql`due.terms`, "respondMinutes")},
      ${afterMinutes(sql`now()`, sql`due.terms`, "resolveMinutes")}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input("tenantId" int,
        "cabinetId" bigint, "storeId" bigint, "compartmentNo" int, kind text, severity text,
        source text, description text, "reporterName" text, count int)
    cross join lateral (select ${termsSql(sql`input."tenantId"`, sql`input.severity`)} as terms) due
    order by input."tenantId", input."cabinetId", input."compartmentNo"
    on conflict (tenant_id, cabinet_id, coalesce(compartment_no, 0), kind)
      where state in ('CREATED', 'ASSIGNED', 'PROCESSING')
    do update set repeat_count = malfunction.repeat_count + excluded.repeat_count,
      -- Keep a person's description: it says more than the text of a repeated device report.
      description = case when malfunction.source = 'PERSON' and excluded.source = 'DEVICE'
        then malfunction.description else excluded.description end,
      last_at = now(), updated_at = now()
    returning malfunction.tenant_id, malfunction.id, malfunction.cabinet_id, malfunction.store_id,
      malfunction.compartment_no, malfunction.kind, old.id is null as is_new`);
}

export interface NewEvent extends MalfunctionKey {
  kind: MalfunctionEventKind;
  actorId?: number;
  /** App user who reported it. */
  endUserId?: number | undefined;
  actorName?: string;
  text?: string;
  toState?: MalfunctionState;
  commandId?: string;
}

/** Returns the event ids in the order of `events`. */
export async function insertEvents(db: Db, events: readonly NewEvent[]): Promise<number[]> {
  if (events.length === 0) return [];
  const rows = await db.many<{ id: number }>(sql`
    insert into malfunction_event (tenant_id, malfunction_id, kind, actor_id, end_user_id, actor_name,
      text, to_state, command_id)
    select "tenantId", id, kind, "actorId", "endUserId", coalesce("actorName", ''),
      coalesce(text, ''), "toState", "commandId"
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as input("tenantId" int, id bigint,
      kind text, "actorId" bigint, "endUserId" bigint, "actorName" text, text text, "toState" text,
      "commandId" uuid)
    returning id`);
  return rows.map(({ id }) => id);
}

/** Erases name, words and photos of a deleted person from what they reported; the malfunctions stay. */
export async function forgetReporter(
  db: Db,
  { tenantId, endUserId, name }: { tenantId: number; endUserId: number; name: string },
): Promise<void> {
  const ofPerson = sql`tenant_id = ${tenantId} and end_user_id = ${endUserId}`;
  // A repeated report replaces the description, and the reporter stays the first.
  await db.run(sql`
    update malfunction set
      reporter_name = case when 'REPORTED' = any(said.kinds) then ${name} else reporter_name end,
      description = case when description = any(said.texts) then '' else description end
    from (
      select malfunction_id, array_agg(kind) as kinds, array_agg(text) as texts
      from malfunction_event where ${ofPerson} group by malfunction_id) said
    where malfunction.tenant_id = ${tenantId} and malfunction.id = said.malfunction_id`);
  const photos = await db.many<{ fileId: string }>(sql`
    delete from malfunction_photo photo using malfunction_event
    where malfunction_event.tenant_id = ${tenantId} and malfunction_event.end_user_id = ${endUserId}
      and photo.tenant_id = malfunction_event.tenant_id
      and photo.malfunction_id = malfunction_event.malfunction_id
      and photo.event_id = malfunction_event.id
    returning photo.file_id`);
  for (const { fileId } of photos) await releaseFile(db, tenantId, fileId);
  await db.run(sql`
    update malfunction_event set actor_name = ${name}, text = '' where ${ofPerson}`);
}

export interface Recovery {
  /** Additional tables beside `malfunction`, as `from …`. */
  from?: Sql;
  isMeant: Sql;
  text: string;
  /** Additional assignments, as `, column = …`. */
  set?: Sql;
}

/** Resolves the open malfunctions that match, as recovered, and adds the timeline event. */
export function recoverMalfunctions(
  db: Db,
  { from = sql``, isMeant, text, set = sql`` }: Recovery,
): Promise<MalfunctionAt[]> {
  return db.many(sql`
    with over as (
      update malfunction set state = 'RESOLVED', resolved_at = now(), is_recovered = true,
        updated_at = now() ${set}
      ${from}
      where ${isMeant} and ${isOpenSql}
      returning malfunction.tenant_id, malfunction.id, malfunction.cabinet_id
    ), noted as (
      insert into malfunction_event (tenant_id, malfunction_id, kind, text, to_state)
      select tenant_id, id, 'RECOVERED', ${text}::text, 'RESOLVED' from over
    )
    select tenant_id, id, cabinet_id from over`);
}

/** Recovery of the open malfunctions of this kind at these compartments. */
export function compartmentsOver(
  { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  compartmentNos: readonly number[],
  kind: MalfunctionKind,
  text: string,
): Recovery {
  return {
    isMeant: sql`malfunction.tenant_id = ${tenantId} and malfunction.cabinet_id = ${cabinetId} and malfunction.kind = ${kind}
      and malfunction.compartment_no = any(${[...compartmentNos]}::int[])`,
    text,
  };
}

export interface Person {
  id: number;
  name: string;
}

export type Move =
  | { do: "accept"; by: { id: number | null; name: string } }
  | { do: "assign"; to: Person }
  | { do: "resolve"; cause: string; measure: string }
  | { do: "close" }
  | { do: "ignore" }
  | { do: "reopen"; by: Person | null }
  | { do: "setSeverity"; severity: Severity };

function changesOf(move: Move): Sql {
  switch (move.do) {
    case "accept":
      return sql`state = 'PROCESSING', accepted_at = coalesce(accepted_at, now()),
        assignee_id = ${move.by.id}, assignee_name = ${move.by.name}`;
    case "assign":
      return sql`state = 'ASSIGNED', assignee_id = ${move.to.id}, assignee_name = ${move.to.name}`;
    case "resolve":
      return sql`state = 'RESOLVED', resolved_at = now(), is_recovered = false,
        cause = ${move.cause}, measure = ${move.measure}`;
    case "close":
      return sql`state = 'CLOSED', closed_at = now()`;
    case "ignore":
      return sql`state = 'IGNORED', closed_at = now()`;
    case "reopen":
      return sql`state = ${move.by ? "ASSIGNED" : "CREATED"},
        assignee_id = ${move.by?.id ?? null}, assignee_name = ${move.by?.name ?? ""},
        accepted_at = null, resolved_at = null, closed_at = null, is_recovered = false,
        merged_into_id = null, terms_since = now(), ${dueSql(sql`now()`, sql`severity`)}`;
    case "setSeverity":
      return sql`severity = ${move.severity},
        ${dueSql(sql`terms_since`, sql`${move.severity}::text`)}`;
  }
}

function dueSql(since: Sql, severity: Sql): Sql {
  const terms = termsSql(sql`malfunction.tenant_id`, severity);
  return sql`respond_by = ${afterMinutes(since, terms, "respondMinutes")},
    resolve_by = ${afterMinutes(since, terms, "resolveMinutes")}`;
}

/** Applies a transition; the caller holds the row locks and has checked that it is allowed. */
export async function moveMalfunctions(
  db: Db,
  tenantId: number,
  ids: readonly number[],
  move: Move,
): Promise<void> {
  await db.run(sql`
    update malfunction set ${changesOf(move)}, updated_at = now()
    where malfunction.tenant_id = ${tenantId} and malfunction.id = any(${[...ids]}::bigint[])`);
}

/**
 * The open malfunction in place of this one; at most one may be open, so a reopen must be refused.
 */
export async function findOpenInstead(
  db: Db,
  { tenantId, id }: MalfunctionKey,
): Promise<number | null> {
  const found = await db.one<{ id: number | null }>(sql`
    select ${openInsteadSql} as id from malfunction
    where malfunction.tenant_id = ${tenantId} and malfunction.id = ${id}`);
  return found.id;
}

/** Closes malfunctions that recovered more than `afterDays` days ago; returns the closed ones. */
export function closeRecovered(db: Db, afterDays: number, limit: number): Promise<MalfunctionAt[]> {
  return db.many(sql`
    with over as (
      update malfunction set state = 'CLOSED', closed_at = now(), updated_at = now()
      where (tenant_id, id) in (
        select tenant_id, id from malfunction
        where state = 'RESOLVED' and is_recovered
          and resolved_at < now() - make_interval(days => ${afterDays})
        order by resolved_at limit ${limit} for update skip locked)
      returning tenant_id, id, cabinet_id
    ), noted as (
      insert into malfunction_event (tenant_id, malfunction_id, kind, text, to_state)
      select tenant_id, id, 'CLOSED', ${`恢复 ${afterDays} 天后自动关闭`}::text, 'CLOSED' from over
    )
    select tenant_id, id, cabinet_id from over`);
}
