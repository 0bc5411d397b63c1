// SQL for command requests and the operation log.

import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import {
  COMMAND_TTL_SECONDS,
  type CommandKind,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type { DoorSide, DoorState } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { ActorKind } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { BATCH_ROWS } from "../../../platform/jobs/retention.ts";
import { pressSeconds } from "../../../platform/press.gate.ts";
import { isBrokerReachedSql, isConnectedSql } from "../../link/device/index.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";

export interface CommandTarget {
  tenantId: number;
  cabinetId: number;
  sn: string;
  lifecycle: Lifecycle;
  isConnected: boolean;
  isBrokerReached: boolean;
  epoch: number;
  gatewayId: string | null;
  /** Null when there is no such compartment, or none was named. */
  doorFront: DoorState | null;
  /** Null on a single-sided cabinet. */
  doorBack: DoorState | null;
}

/**
 * The requester: an account with its permissions and store scope, or a caller already authorized
 * for one tenant's cabinet.
 */
export type Viewer = Session | { tenantId: number };

/** Locks the cabinet's row until the transaction ends; null when the viewer may not see it. */
export async function lockTarget(
  db: Db,
  viewer: Viewer,
  cabinetId: number,
  no: number | null,
): Promise<CommandTarget | null> {
  const cabinetAlias = sql`cabinet`;
  const seen =
    "permissions" in viewer
      ? cabinetPredicate(viewer, cabinetAlias)
      : sql`cabinet.tenant_id = ${viewer.tenantId}`;
  const mine = sql`cabinet.id = ${cabinetId} and ${seen}`;
  // Read the doors in a second statement, after the lock: a layout change may have held it until
  // now.
  const [cabinet, doors] = await Promise.all([
    db.maybe<Omit<CommandTarget, "doorFront" | "doorBack">>(sql`
      select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.sn, cabinet.lifecycle,
        ${isConnectedSql(cabinetAlias)} as is_connected, ${isBrokerReachedSql} as is_broker_reached,
        cabinet.epoch, cabinet.gateway_id
      from cabinet where ${mine}
      for no key update of cabinet`),
    db.maybe<Pick<CommandTarget, "doorFront" | "doorBack">>(sql`
      select comp.door_front, comp.door_back
      from cabinet
      join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
      where ${mine} and comp.no = ${no}::int`),
  ]);
  return cabinet && { ...cabinet, doorFront: null, doorBack: null, ...doors };
}

const actSql = sql`case when command.kind = 'RESTART' then 'RESTART'
  when command.actor_kind = 'OPERATOR' then 'STAFF_OPEN'
  when command.actor_kind = 'PARTNER' then 'PARTNER_OPEN'
  else coalesce(command.purpose, 'AUTO_OPEN') end`;

/** The index of the few commands that are not of users needs the second condition as a constant. */
const ofActorSql = (kind: ActorKind): Sql =>
  kind === "END_USER"
    ? sql`command.actor_kind = 'END_USER'`
    : sql`command.actor_kind = ${kind} and command.actor_kind <> 'END_USER'`;

const columns = sql`
  command.id, command.tenant_id, tenant.name as tenant_name, command.cabinet_id,
  cabinet.sn as cabinet_sn, cabinet.name as cabinet_name, command.kind,
  ${actSql} as act, command.compartment_no as no, command.side, model.side as cabinet_side,
  command.order_id, command.asked_item as item_before, command.asked_door as door_before,
  command.state, command.detail, command.reason, command.actor_kind, command.actor_name, command.created_at, command.expires_at, command.sent_at, command.acked_at,
  command.settled_at, command.conflict`;

const cabinetOfCommand = sql`
  join cabinet on cabinet.tenant_id = command.tenant_id and cabinet.id = command.cabinet_id
  join cabinet_model model on model.id = cabinet.model_id
  join tenant on tenant.id = command.tenant_id`;

export interface NewCommand {
  target: CommandTarget;
  kind: CommandKind;
  no: number | null;
  side: DoorSide | null;
  reason: string;
  actor: Actor;
  requestId: string;
  order?: { id: number; purpose: OpenPurpose } | undefined;
  /** Null while tracing is off. */
  traceparent: string | null;
}

/**
 * EMPTY for a deposit in a cabinet whose item sensors work: goods that the platform does not know of must not be given
 * away. Never for goods that are taken out: a broken sensor must not lock them in.
 */
function expectedItem({ order, target }: NewCommand): Sql {
  if (order?.purpose !== "DEPOSIT") return sql`null`;
  return sql`(select 'EMPTY' from cabinet join cabinet_model model on model.id = cabinet.model_id
    where cabinet.tenant_id = ${target.tenantId} and cabinet.id = ${target.cabinetId}
      and 'ITEM_SENSOR' = any(model.capabilities)
      and exists (select from compartment comp where comp.tenant_id = cabinet.tenant_id
        and comp.cabinet_id = cabinet.id and comp.item <> 'UNKNOWN'))`;
}

/** Null when another opening of the same compartment, or another restart, is in flight. */
export function insertCommand(db: Db, command: NewCommand): Promise<Command | null> {
  const { target, kind, actor, order } = command;
  return db.maybe(sql`
    with command as (
      insert into command (tenant_id, cabinet_id, kind, compartment_no, side, reason, actor_kind,
        actor_id, actor_name, request_id, epoch, order_id, purpose, asked_boot_no,
        asked_n, asked_item, asked_door, expect_item, traceparent, expires_at)
      select ${target.tenantId}, ${target.cabinetId}, ${kind}, ${command.no}, ${command.side},
        ${command.reason}, ${actor.kind}, ${actor.id}, ${actor.name}, ${command.requestId},
        ${target.epoch}, ${order?.id ?? null}, ${order?.purpose ?? null},
        comp.reported_boot_no, comp.reported_n, comp.item,
        case ${command.side}::text when 'BACK' then comp.door_back else comp.door_front end, ${expectedItem(command)}, ${command.traceparent},
        now() + make_interval(secs => ${Math.min(COMMAND_TTL_SECONDS, pressSeconds(db))})
      from (select) one left join compartment comp on comp.tenant_id = ${target.tenantId}
        and comp.cabinet_id = ${target.cabinetId} and comp.no = ${command.no}::int
      on conflict do nothing
      returning *
    )
    select ${columns} from command ${cabinetOfCommand}`);
}

export function findCommand(db: Db, session: Session, id: string): Promise<Command | null> {
  return db.maybe(sql`
    select ${columns} from command ${cabinetOfCommand}
    where command.id = ${id} and ${cabinetPredicate(session, sql`cabinet`)}`);
}

export type OrderCommand = Command & { purpose: OpenPurpose };

/** All opening commands of an order, newest first. */
export function findCommandsOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<OrderCommand[]> {
  return db.many(sql`
    select ${columns}, command.purpose from command ${cabinetOfCommand}
    where command.tenant_id = ${tenantId} and command.order_id = ${orderId}
    order by command.created_at desc, command.id`);
}

export type CommandQuery = Input<typeof commandContract.list>["query"];

function matching(session: Session, query: CommandQuery): Sql {
  const cabinet = sql`cabinet`;
  const keyword = query.keyword?.trim();
  const actorName = query.actorName?.trim();
  return and(
    cabinetPredicate(session, cabinet, query.tenantId),
    query.cabinetId && sql`command.cabinet_id = ${query.cabinetId}`,
    keyword && cabinetKeywordSql(cabinet, keyword),
    query.no && sql`command.compartment_no = ${query.no}`,
    query.kind && sql`command.kind = ${query.kind}`,
    query.act && sql`${actSql} = ${query.act}`,
    query.actorKind && ofActorSql(query.actorKind),
    query.state && sql`command.state = ${query.state}`,
    actorName && sql`strpos(command.actor_name, ${actorName}) > 0`,
    periodSql(sql`command.created_at`, query),
  );
}

/** Newest first. */
export function findCommands(
  db: Db,
  session: Session,
  query: CommandQuery,
): Promise<Page<Command>> {
  const matched = sql`from command ${cabinetOfCommand} where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns} ${matched}
      order by command.created_at desc, command.id
      ${pageLimits(query)}`,
  });
}

/** Records that the order has processed this state of the command. */
export async function markSeen(db: Db, tenantId: number, commandId: string): Promise<void> {
  await db.run(sql`
    update command set order_seen = state where tenant_id = ${tenantId} and id = ${commandId}`);
}

/**
 * Removes a batch of the tenant's old commands; true if there may be more. Commands that have not settled, whose order has not
 * processed their last state, or whose order is open, stay.
 */
export async function removeOldCommands(db: Db, tenantId: number): Promise<true | null> {
  const removed = await db.run(sql`
    delete from command where command.tenant_id = ${tenantId} and command.id in (
      select command.id from command
      where command.tenant_id = ${tenantId}
        and command.created_at < ${dueBeforeSql("keepCommandsDays", sql`${tenantId}::int`)}
        and command.state not in ('QUEUED', 'SENT', 'ACKED')
        and (command.order_id is null or (
          (command.purpose is null or command.order_seen is not distinct from command.state)
          and not exists (select from live_order where live_order.tenant_id = ${tenantId}
            and live_order.order_id = command.order_id)))
      order by command.created_at
      limit ${BATCH_ROWS})`);
  return removed === BATCH_ROWS ? true : null;
}

/** Takes the name of a deleted person from the commands of their orders. */
export async function forgetOpener(
  db: Db,
  { tenantId, endUserId, name }: { tenantId: number; endUserId: number; name: string },
  orderIds: readonly number[],
): Promise<void> {
  await db.run(sql`
    update command set actor_name = ${name}
    where tenant_id = ${tenantId} and order_id = any(${[...orderIds]}::bigint[])
      and actor_kind = 'END_USER' and actor_id = ${endUserId} and actor_name <> ${name}`);
}
