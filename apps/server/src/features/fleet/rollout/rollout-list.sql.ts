// Reads of roll-outs: list, detail, cabinets, history.

import type {
  Rollout,
  RolloutDetail,
  RolloutEvent,
  RolloutTarget,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { join, sql } from "../../../platform/db/sql.ts";
import { connectivitySql, isConnectedSql } from "../../link/device/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";
import {
  isFailedSql,
  isInFlightSql,
  type RolloutKey,
  rolloutPredicate,
} from "./rollout-scope.sql.ts";

const rollout = sql`rollout`;
const target = sql`target`;

const columns = sql`
  rollout.id, rollout.tenant_id as "tenantId", tenant.name as "tenantName", rollout.name,
  rollout.kind,
  rollout.firmware_id as "firmwareId", firmware.version as "firmwareVersion", rollout.config,
  rollout.state,
  rollout.state_reason as "stateReason", rollout.stage + 1 as stage,
  cardinality(rollout.stage_percents) as "stageCount", rollout.starts_at as "startsAt",
  rollout.started_at as "startedAt", rollout.ended_at as "endedAt",
  rollout.actor_name as "actorName",
  rollout.created_at as "createdAt",
  (select json_build_object(
      'total', count(*),
      'waiting', count(*) filter (where target.state = 'WAITING'),
      'inFlight', count(*) filter (where ${isInFlightSql(target)}),
      'succeeded', count(*) filter (where target.state = 'SUCCEEDED'),
      'failed', count(*) filter (where ${isFailedSql(target)}),
      'cancelled', count(*) filter (where target.state in ('CANCELLED', 'REVERTED')))
    from rollout_target target where target.tenant_id = rollout.tenant_id
      and target.rollout_id = rollout.id) as counts`;

const joins = sql`
  join tenant on tenant.id = rollout.tenant_id
  left join firmware on firmware.id = rollout.firmware_id`;

type ListQuery = Input<typeof rolloutContract.list>["query"];

export function findRollouts(db: Db, session: Session, query: ListQuery): Promise<Page<Rollout>> {
  const conditions = [rolloutPredicate(session, rollout, query.tenantId)];
  if (query.keyword?.trim()) conditions.push(sql`rollout.name ilike ${contains(query.keyword)}`);
  if (query.kind) conditions.push(sql`rollout.kind = ${query.kind}`);
  if (query.state) conditions.push(sql`rollout.state = ${query.state}`);
  const matching = sql`from rollout where ${join(conditions, " and ")}`;
  const order = sql`rollout.created_at desc, rollout.id desc`;
  return findPage(db, {
    matching,
    rows: sql`
      select ${columns}
      from (select rollout.* ${matching} order by ${order} ${pageLimits(query)}) rollout ${joins}
      order by ${order}`,
  });
}

type Head = Omit<RolloutDetail, "stages" | "events"> & { stagePercents: number[] };

/** Null when missing or not visible to this account. */
export async function findRolloutDetail(
  db: Db,
  session: Session,
  id: number,
): Promise<RolloutDetail | null> {
  const head = await db.maybe<Head>(sql`
    select ${columns}, rollout.advance_percent as "advancePercent",
      rollout.dwell_minutes as "dwellMinutes",
      rollout.stop_percent as "stopPercent", rollout.timeout_minutes as "timeoutMinutes",
      rollout.stage_reached_at as "stageReachedAt", rollout.stage_percents as "stagePercents",
      (select count(*) from rollout_target target
        where target.tenant_id = rollout.tenant_id and target.rollout_id = rollout.id
          and rollout.kind = 'CONFIG'
          and target.old_config is not null and target.state <> 'REVERTED') as revertible,
      (select count(*) from rollout_target target
        where target.tenant_id = rollout.tenant_id and target.rollout_id = rollout.id
          and ${isFailedSql(target)}) as retryable
    from rollout ${joins}
    where rollout.id = ${id} and ${rolloutPredicate(session, rollout)}`);
  if (!head) return null;
  const { stagePercents, ...rest } = head;
  const key = { tenantId: head.tenantId, id };
  const [counted, events] = await Promise.all([
    findStageRows(db, key),
    db.many<RolloutEvent>(sql`
      select at, kind, stage, text, actor_name as "actorName" from rollout_event
      where tenant_id = ${key.tenantId} and rollout_id = ${id}
      order by id desc limit 100`),
  ]);
  const stages = stagePercents.map((percent, at) => {
    const {
      stage: _,
      failedCounted: __,
      ...row
    } = counted.find((each) => each.stage === at) ?? {
      ...emptyStage,
      stage: at,
    };
    return { percent, ...row };
  });
  return { ...rest, stages, events };
}

export interface StageRow {
  /** 0-based. */
  stage: number;
  total: number;
  waiting: number;
  waitingOffline: number;
  inFlight: number;
  succeeded: number;
  failed: number;
  /** Failures that nobody has acknowledged. */
  failedCounted: number;
  cancelled: number;
}

const emptyStage = {
  total: 0,
  waiting: 0,
  waitingOffline: 0,
  inFlight: 0,
  succeeded: 0,
  failed: 0,
  failedCounted: 0,
  cancelled: 0,
};

export function findStageRows(db: Db, { tenantId, id }: RolloutKey): Promise<StageRow[]> {
  return db.many(sql`
    select target.stage, count(*)::int as total,
      (count(*) filter (where target.state = 'WAITING'))::int as waiting,
      (count(*) filter (where target.state = 'WAITING'
        and not ${isConnectedSql(sql`cabinet`)}))::int
        as "waitingOffline",
      (count(*) filter (where ${isInFlightSql(target)}))::int as "inFlight",
      (count(*) filter (where target.state = 'SUCCEEDED'))::int as succeeded,
      (count(*) filter (where ${isFailedSql(target)}))::int as failed,
      (count(*) filter (where ${isFailedSql(target)} and not target.is_excused))::int as "failedCounted",
      (count(*) filter (where target.state in ('CANCELLED', 'REVERTED')))::int as cancelled
    from rollout_target target join cabinet on cabinet.tenant_id = target.tenant_id
      and cabinet.id = target.cabinet_id
    where target.tenant_id = ${tenantId} and target.rollout_id = ${id}
    group by target.stage order by target.stage`);
}

type TargetQuery = Input<typeof rolloutContract.targets>["query"];

/** Sorted by urgency: failures, then in flight, then the rest. */
export function findTargets(
  db: Db,
  session: Session,
  id: number,
  query: TargetQuery,
): Promise<Page<RolloutTarget>> {
  const cabinet = sql`cabinet`;
  const conditions = [
    sql`target.rollout_id = ${id}`,
    rolloutPredicate(session, rollout),
    cabinetPredicate(session, cabinet),
  ];
  const keyword = query.keyword?.trim();
  if (keyword) conditions.push(cabinetKeywordSql(cabinet, keyword));
  if (query.stage) conditions.push(sql`target.stage = ${query.stage - 1}`);
  if (query.state) conditions.push(sql`target.state = ${query.state}`);
  const matching = sql`
    from rollout_target target
    join rollout on rollout.tenant_id = target.tenant_id and rollout.id = target.rollout_id
    join cabinet on cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching,
    rows: sql`
      select cabinet.id as "cabinetId", cabinet.sn as "cabinetSn", cabinet.name as "cabinetName",
        store.name as "storeName", ${connectivitySql(cabinet)} as connectivity, target.stage + 1 as stage,
        target.state, target.detail, target.is_excused as "isExcused", target.attempts,
        target.from_version as "fromVersion", cabinet.app_version as "appVersion",
        target.sent_at as "sentAt",
        target.settled_at as "settledAt", target.not_before as "notBefore"
      ${matching}
      order by case when ${isFailedSql(target)} then 0 when ${isInFlightSql(target)} then 1
          when target.state = 'WAITING' then 3 else 2 end,
        target.stage, target.cabinet_id ${pageLimits(query)}`,
  });
}
