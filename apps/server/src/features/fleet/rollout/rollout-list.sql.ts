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
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, sql, textSql } from "../../../platform/db/sql.ts";
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
  rollout.id, rollout.tenant_id, tenant.name as tenant_name, rollout.name, rollout.kind,
  rollout.firmware_id, firmware.version as firmware_version, rollout.config, rollout.state,
  rollout.state_reason, rollout.stage + 1 as stage,
  cardinality(rollout.stage_percents) as stage_count, rollout.starts_at, rollout.started_at,
  rollout.ended_at, rollout.actor_name, rollout.created_at,
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
  const conditions = and(
    rolloutPredicate(session, rollout, query.tenantId),
    textSql(query.keyword, sql`rollout.name`),
    query.kind && sql`rollout.kind = ${query.kind}`,
    query.state && sql`rollout.state = ${query.state}`,
  );
  const matching = sql`from rollout where ${conditions}`;
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
    select ${columns}, rollout.advance_percent, rollout.dwell_minutes, rollout.stop_percent,
      rollout.timeout_minutes, rollout.stage_reached_at, rollout.stage_percents,
      (select count(*) from rollout_target target
        where target.tenant_id = rollout.tenant_id and target.rollout_id = rollout.id
          and rollout.kind = 'CONFIG'
          and target.old_config is not null and target.state <> 'REVERTED') as revertible
    from rollout ${joins}
    where rollout.id = ${id} and ${rolloutPredicate(session, rollout)}`);
  if (!head) return null;
  const { stagePercents, ...rest } = head;
  const key = { tenantId: head.tenantId, id };
  const [counted, events] = await Promise.all([
    findStageRows(db, key),
    db.many<RolloutEvent>(sql`
      select at, kind, stage, text, actor_name from rollout_event
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
        as waiting_offline,
      (count(*) filter (where ${isInFlightSql(target)}))::int as in_flight,
      (count(*) filter (where target.state = 'SUCCEEDED'))::int as succeeded,
      (count(*) filter (where ${isFailedSql(target)}))::int as failed,
      (count(*) filter (where ${isFailedSql(target)} and not target.is_excused))::int as failed_counted,
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
  const keyword = query.keyword?.trim();
  const conditions = and(
    sql`target.rollout_id = ${id}`,
    rolloutPredicate(session, rollout),
    cabinetPredicate(session, cabinet),
    keyword && cabinetKeywordSql(cabinet, keyword),
    query.stage && sql`target.stage = ${query.stage - 1}`,
    query.state && sql`target.state = ${query.state}`,
  );
  const matching = sql`
    from rollout_target target
    join rollout on rollout.tenant_id = target.tenant_id and rollout.id = target.rollout_id
    join cabinet on cabinet.tenant_id = target.tenant_id and cabinet.id = target.cabinet_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    where ${conditions}`;
  return findPage(db, {
    matching,
    rows: sql`
      select cabinet.id as cabinet_id, cabinet.sn as cabinet_sn, cabinet.name as cabinet_name,
        store.name as store_name, ${connectivitySql(cabinet)} as connectivity,
        target.stage + 1 as stage, target.state, target.detail, target.is_excused, target.attempts,
        target.from_version, cabinet.app_version, target.sent_at, target.settled_at,
        target.not_before
      ${matching}
      order by case when ${isFailedSql(target)} then 0 when ${isInFlightSql(target)} then 1
          when target.state = 'WAITING' then 3 else 2 end,
        target.stage, target.cabinet_id ${pageLimits(query)}`,
  });
}
