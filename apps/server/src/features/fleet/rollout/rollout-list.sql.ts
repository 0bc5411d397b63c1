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
import { type Db, join, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { connectivitySql, isConnectedSql } from "../../link/device/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";
import {
  isFailedSql,
  isInFlightSql,
  type RolloutKey,
  rolloutPredicate,
} from "./rollout-scope.sql.ts";

const r = sql`r`;
const t = sql`t`;

const columns = sql`
  r.id, r.tenant_id as "tenantId", n.name as "tenantName", r.name, r.kind,
  r.firmware_id as "firmwareId", f.version as "firmwareVersion", r.config, r.state,
  r.state_reason as "stateReason", r.stage + 1 as stage,
  cardinality(r.stage_percents) as "stageCount", r.starts_at as "startsAt",
  r.started_at as "startedAt", r.ended_at as "endedAt", r.actor_name as "actorName",
  r.created_at as "createdAt",
  (select json_build_object(
      'total', count(*),
      'waiting', count(*) filter (where t.state = 'WAITING'),
      'inFlight', count(*) filter (where ${isInFlightSql(t)}),
      'succeeded', count(*) filter (where t.state = 'SUCCEEDED'),
      'failed', count(*) filter (where ${isFailedSql(t)}),
      'cancelled', count(*) filter (where t.state in ('CANCELLED', 'REVERTED')))
    from rollout_target t where t.tenant_id = r.tenant_id and t.rollout_id = r.id) as counts`;

const joins = sql`
  join tenant n on n.id = r.tenant_id
  left join firmware f on f.id = r.firmware_id`;

type ListQuery = Input<typeof rolloutContract.list>["query"];

export function findRollouts(db: Db, session: Session, query: ListQuery): Promise<Page<Rollout>> {
  const conditions = [rolloutPredicate(session, r, query.tenantId)];
  if (query.keyword?.trim()) conditions.push(sql`r.name ilike ${contains(query.keyword)}`);
  if (query.kind) conditions.push(sql`r.kind = ${query.kind}`);
  if (query.state) conditions.push(sql`r.state = ${query.state}`);
  const matching = sql`from rollout r where ${join(conditions, " and ")}`;
  const order = sql`r.created_at desc, r.id desc`;
  return findPage(db, {
    matching,
    rows: sql`
      select ${columns}
      from (select r.* ${matching} order by ${order} ${pageLimits(query)}) r ${joins}
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
    select ${columns}, r.advance_percent as "advancePercent", r.dwell_minutes as "dwellMinutes",
      r.stop_percent as "stopPercent", r.timeout_minutes as "timeoutMinutes",
      r.stage_reached_at as "stageReachedAt", r.stage_percents as "stagePercents",
      (select count(*) from rollout_target t
        where t.tenant_id = r.tenant_id and t.rollout_id = r.id and r.kind = 'CONFIG'
          and t.old_config is not null and t.state <> 'REVERTED') as revertible,
      (select count(*) from rollout_target t
        where t.tenant_id = r.tenant_id and t.rollout_id = r.id and ${isFailedSql(t)}) as retryable
    from rollout r ${joins}
    where r.id = ${id} and ${rolloutPredicate(session, r)}`);
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
    select t.stage, count(*)::int as total,
      (count(*) filter (where t.state = 'WAITING'))::int as waiting,
      (count(*) filter (where t.state = 'WAITING' and not ${isConnectedSql(sql`c`)}))::int
        as "waitingOffline",
      (count(*) filter (where ${isInFlightSql(t)}))::int as "inFlight",
      (count(*) filter (where t.state = 'SUCCEEDED'))::int as succeeded,
      (count(*) filter (where ${isFailedSql(t)}))::int as failed,
      (count(*) filter (where ${isFailedSql(t)} and not t.is_excused))::int as "failedCounted",
      (count(*) filter (where t.state in ('CANCELLED', 'REVERTED')))::int as cancelled
    from rollout_target t join cabinet c on c.tenant_id = t.tenant_id and c.id = t.cabinet_id
    where t.tenant_id = ${tenantId} and t.rollout_id = ${id}
    group by t.stage order by t.stage`);
}

type TargetQuery = Input<typeof rolloutContract.targets>["query"];

/** Sorted by urgency: failures, then in flight, then the rest. */
export function findTargets(
  db: Db,
  session: Session,
  id: number,
  query: TargetQuery,
): Promise<Page<RolloutTarget>> {
  const c = sql`c`;
  const conditions = [
    sql`t.rollout_id = ${id}`,
    rolloutPredicate(session, r),
    cabinetPredicate(session, c),
  ];
  const keyword = query.keyword?.trim();
  if (keyword) conditions.push(cabinetKeywordSql(c, keyword));
  if (query.stage) conditions.push(sql`t.stage = ${query.stage - 1}`);
  if (query.state) conditions.push(sql`t.state = ${query.state}`);
  const matching = sql`
    from rollout_target t
    join rollout r on r.tenant_id = t.tenant_id and r.id = t.rollout_id
    join cabinet c on c.tenant_id = t.tenant_id and c.id = t.cabinet_id
    left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
    where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching,
    rows: sql`
      select c.id as "cabinetId", c.sn as "cabinetSn", c.name as "cabinetName",
        s.name as "storeName", ${connectivitySql(c)} as connectivity, t.stage + 1 as stage,
        t.state, t.detail, t.is_excused as "isExcused", t.attempts,
        t.from_version as "fromVersion", c.app_version as "appVersion", t.sent_at as "sentAt",
        t.settled_at as "settledAt", t.not_before as "notBefore"
      ${matching}
      order by case when ${isFailedSql(t)} then 0 when ${isInFlightSql(t)} then 1
          when t.state = 'WAITING' then 3 else 2 end,
        t.stage, t.cabinet_id ${pageLimits(query)}`,
  });
}
