// SQL for command requests and the operation log.

import type {
  DoorSide,
  DoorState,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import {
  COMMAND_TTL_SECONDS,
  type CommandKind,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { isConnectedSql } from "../../link/device/index.ts";
import { cabinetKeywordSql, cabinetPredicate } from "../cabinet/index.ts";

export interface CommandTarget {
  tenantId: number;
  cabinetId: number;
  sn: string;
  lifecycle: Lifecycle;
  isConnected: boolean;
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
  const c = sql`c`;
  const seen =
    "permissions" in viewer ? cabinetPredicate(viewer, c) : sql`c.tenant_id = ${viewer.tenantId}`;
  const mine = sql`c.id = ${cabinetId} and ${seen}`;
  // Read the doors in a second statement, after the lock: a layout change may have held it until
  // now.
  const [cabinet, doors] = await Promise.all([
    db.maybe<Omit<CommandTarget, "doorFront" | "doorBack">>(sql`
      select c.tenant_id as "tenantId", c.id as "cabinetId", c.sn, c.lifecycle,
        ${isConnectedSql(c)} as "isConnected", c.epoch, c.gateway_id as "gatewayId"
      from cabinet c where ${mine}
      for no key update of c`),
    db.maybe<Pick<CommandTarget, "doorFront" | "doorBack">>(sql`
      select k.door_front as "doorFront", k.door_back as "doorBack"
      from cabinet c
      join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
      where ${mine} and k.no = ${no}::int`),
  ]);
  return cabinet && { ...cabinet, doorFront: null, doorBack: null, ...doors };
}

const columns = sql`
  m.id, m.tenant_id as "tenantId", t.name as "tenantName", m.cabinet_id as "cabinetId", c.sn as "cabinetSn",
  c.name as "cabinetName", m.kind, m.compartment_no as no, m.side, m.state, m.detail, m.reason,
  m.actor_name as "actorName", m.created_at as "createdAt", m.expires_at as "expiresAt",
  m.sent_at as "sentAt", m.acked_at as "ackedAt", m.settled_at as "settledAt",
  m.conflict`;

const cabinetOfCommand = sql`
  join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
  join tenant t on t.id = m.tenant_id`;

export interface NewCommand {
  target: CommandTarget;
  kind: CommandKind;
  no: number | null;
  side: DoorSide | null;
  reason: string;
  actor: Actor;
  requestId: string;
  order?: { id: number; purpose: OpenPurpose } | undefined;
}

/** Null when another opening of the same compartment, or another restart, is in flight. */
export function insertCommand(db: Db, command: NewCommand): Promise<Command | null> {
  const { target, kind, actor, order } = command;
  return db.maybe(sql`
    with m as (
      insert into command (tenant_id, cabinet_id, kind, compartment_no, side, reason, actor_kind,
        actor_id, actor_name, request_id, epoch, order_id, purpose, asked_boot_no,
        asked_n, expires_at)
      select ${target.tenantId}, ${target.cabinetId}, ${kind}, ${command.no}, ${command.side},
        ${command.reason}, ${actor.kind}, ${actor.id}, ${actor.name}, ${command.requestId},
        ${target.epoch}, ${order?.id ?? null}, ${order?.purpose ?? null},
        k.reported_boot_no, k.reported_n,
        now() + make_interval(secs => ${COMMAND_TTL_SECONDS})
      from (select) one left join compartment k on k.tenant_id = ${target.tenantId}
        and k.cabinet_id = ${target.cabinetId} and k.no = ${command.no}::int
      on conflict do nothing
      returning *
    )
    select ${columns} from m ${cabinetOfCommand}`);
}

export function findCommand(db: Db, session: Session, id: string): Promise<Command | null> {
  return db.maybe(sql`
    select ${columns} from command m ${cabinetOfCommand}
    where m.id = ${id} and ${cabinetPredicate(session, sql`c`)}`);
}

export type OrderCommand = Command & { purpose: OpenPurpose };

/** All opening commands of an order, newest first. */
export function findCommandsOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<OrderCommand[]> {
  return db.many(sql`
    select ${columns}, m.purpose from command m ${cabinetOfCommand}
    where m.tenant_id = ${tenantId} and m.order_id = ${orderId}
    order by m.created_at desc, m.id`);
}

export type CommandQuery = Input<typeof commandContract.list>["query"];

function matching(session: Session, query: CommandQuery): Sql {
  const c = sql`c`;
  const conditions = [cabinetPredicate(session, c, query.tenantId)];
  const keyword = query.keyword?.trim();
  if (query.cabinetId) conditions.push(sql`m.cabinet_id = ${query.cabinetId}`);
  if (keyword) conditions.push(cabinetKeywordSql(c, keyword));
  if (query.no) conditions.push(sql`m.compartment_no = ${query.no}`);
  if (query.kind) conditions.push(sql`m.kind = ${query.kind}`);
  if (query.state) conditions.push(sql`m.state = ${query.state}`);
  const actorName = query.actorName?.trim();
  if (actorName) conditions.push(sql`strpos(m.actor_name, ${actorName}) > 0`);
  if (query.from) conditions.push(sql`m.created_at >= ${query.from}`);
  if (query.to) conditions.push(sql`m.created_at <= ${query.to}`);
  return join(conditions, " and ");
}

/** Newest first. */
export function findCommands(
  db: Db,
  session: Session,
  query: CommandQuery,
): Promise<Page<Command>> {
  const matched = sql`from command m ${cabinetOfCommand} where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns} ${matched}
      order by m.created_at desc, m.id
      ${pageLimits(query)}`,
  });
}
