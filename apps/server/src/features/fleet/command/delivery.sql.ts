// SQL of the command lifecycle: each transition is conditional on the state it starts from.

import type { DoorSide } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { CommandKind, CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import { CONFIRM_WITHIN_MS } from "@cabinet/link";
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import {
  type CabinetKey,
  type Gateway,
  isConnectedSql,
  isReachedBySql,
  type NewSession,
} from "../../link/device/index.ts";
import {
  memoryLostDetail,
  neverTakenDetail,
  silentDetail,
  unsentDetail,
} from "./command-detail.rules.ts";

export interface ClaimedCommand {
  sn: string;
  kid: string;
  epoch: number;
  seq: number;
  kind: CommandKind;
  no: number | null;
  side: DoorSide | null;
  orderId: number | null;
  /** Unix milliseconds by the database clock. */
  iat: number;
  exp: number;
}

export interface CommandKey {
  tenantId: number;
  id: string;
}

/** A command that has just changed its state. */
export interface StateChange extends CabinetKey {
  id: string;
  kind: CommandKind;
  /** Compartment number; null for a command to the whole cabinet. */
  no: number | null;
  state: CommandState;
  /** The order that the command belongs to; null for a command from the console. */
  orderId: number | null;
  /** Seconds since the command was created. */
  seconds: number;
}

/** The columns of a `StateChange`, for the table `command` under the alias `m`. */
export const changeSql = sql`m.tenant_id as "tenantId", m.cabinet_id as "cabinetId", m.id, m.kind,
  m.compartment_no as no, m.state, m.order_id as "orderId", extract(epoch from clock_timestamp() - m.created_at)::float8 as seconds`;

/**
 * Whether the cabinet `c` can receive the command: connected, and not RETIRED unless it opens for
 * an order's goods.
 */
function mayBeSent(command: Sql): Sql {
  return sql`(c.lifecycle <> 'RETIRED' or ${command}.purpose in ('PICKUP', 'TAKE_BACK'))
    and ${isConnectedSql(sql`c`)}`;
}

/**
 * QUEUED → SENT with the next seq, if the command has not expired and its session (epoch) is still
 * current; null otherwise. The gateway that claims it must send it: no other will.
 */
export function claimCommand(
  db: Db,
  { tenantId, id }: CommandKey,
  gateway: Gateway,
): Promise<(ClaimedCommand & StateChange) | null> {
  return db.maybe(sql`
    with target as (
      select cabinet_id, epoch, purpose from command
      where tenant_id = ${tenantId} and id = ${id} and state = 'QUEUED' and expires_at > now()
    ), cabinet as (
      update cabinet c set command_seq = c.command_seq + 1, gateway_id = ${gateway.id}
      from target t
      where c.tenant_id = ${tenantId} and c.id = t.cabinet_id and c.epoch = t.epoch
        and ${mayBeSent(sql`t`)} and ${isReachedBySql(sql`c`, gateway)}
      returning c.id, c.sn, c.connection_kid, c.command_seq
    )
    update command m set state = 'SENT', seq = c.command_seq, sent_at = now()
    from cabinet c
    where m.tenant_id = ${tenantId} and m.id = ${id} and m.cabinet_id = c.id and m.state = 'QUEUED'
    returning ${changeSql}, c.sn, c.connection_kid as kid, m.epoch, m.seq, m.side, floor(extract(epoch from m.created_at) * 1000)::bigint as iat,
      floor(extract(epoch from m.expires_at) * 1000)::bigint as exp`);
}

/**
 * QUEUED → EXPIRED for a command that can no longer be sent; an unsent command provably opened
 * nothing.
 */
export function expireUnsent(db: Db, { tenantId, id }: CommandKey): Promise<StateChange | null> {
  return db.maybe(sql`
    update command m set state = 'EXPIRED', detail = ${unsentDetail}, settled_at = now()
    where m.tenant_id = ${tenantId} and m.id = ${id} and m.state = 'QUEUED'
      and (m.expires_at <= now() or not exists (
        select from cabinet c where c.tenant_id = m.tenant_id and c.id = m.cabinet_id
          and c.epoch = m.epoch and ${mayBeSent(sql`m`)}))
    returning ${changeSql}`);
}

/** Whether the same bytes may be resent: no answer yet, not expired, and in the same session. */
export async function mayResend(db: Db, { tenantId, id }: CommandKey): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from command m
    join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id and c.epoch = m.epoch
    where m.tenant_id = ${tenantId} and m.id = ${id} and m.state = 'SENT'
      and m.expires_at > now() and ${mayBeSent(sql`m`)}`);
  return found !== null;
}

/**
 * Settles commands of earlier sessions: unsent and never-received ones become EXPIRED; on memory
 * loss, sent ones become UNKNOWN. A received one that the cabinet does not list awaits its own ack.
 */
export function settleEarlierSessions(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  { epoch, lastSeq, isMemoryLost }: NewSession,
): Promise<StateChange[]> {
  return db.many(sql`
    update command m set settled_at = now(),
      state = case when m.state <> 'QUEUED' and ${isMemoryLost} then 'UNKNOWN' else 'EXPIRED' end,
      detail = case when m.state = 'QUEUED' then ${unsentDetail}
        when ${isMemoryLost} then ${memoryLostDetail} else ${neverTakenDetail} end
    where m.tenant_id = ${tenantId} and m.cabinet_id = ${cabinetId} and m.epoch < ${epoch}
      and (m.state = 'QUEUED'
        or (m.state in ('SENT', 'ACKED') and ${isMemoryLost})
        or (m.state in ('SENT', 'UNKNOWN') and m.seq > ${lastSeq} and not ${isMemoryLost}))
    returning ${changeSql}`);
}

/** Longest time a restart may take after the cabinet acknowledged it, in seconds. */
const RESTART_SECONDS = 180;
/** Allowance for an answer that was given in time and is still in transit, in seconds. */
const TRAVEL_SECONDS = 2;

/**
 * Settles commands past their deadline: unsent ones become EXPIRED; sent ones without an answer
 * become UNKNOWN, because only the cabinet can confirm that nothing opened.
 */
export function settleOverdue(db: Db): Promise<StateChange[]> {
  return db.many(sql`
    update command m set settled_at = now(),
      state = case when m.state = 'QUEUED' then 'EXPIRED' else 'UNKNOWN' end,
      detail = case when m.state = 'QUEUED' then ${unsentDetail} else ${silentDetail} end
    where (m.tenant_id, m.id) in (
      select tenant_id, id from command
      where state in ('QUEUED', 'SENT', 'ACKED') and expires_at <= now()
        and case
          when state = 'QUEUED' then true
          when state = 'ACKED' and kind = 'RESTART'
            then acked_at + make_interval(secs => ${RESTART_SECONDS}) <= now()
          else greatest(expires_at, acked_at + make_interval(secs => ${CONFIRM_WITHIN_MS / 1000}))
            + make_interval(secs => ${TRAVEL_SECONDS}) <= now()
        end
      for update skip locked)
    returning ${changeSql}`);
}

/** Commands QUEUED longer than `afterMs`: the gateway that was notified is gone. */
export function findForgotten(
  db: Db,
  gateway: Gateway,
  afterMs: number,
): Promise<(CommandKey & { sn: string })[]> {
  return db.many(sql`
    select m.tenant_id as "tenantId", m.id, c.sn
    from command m join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
    where m.state = 'QUEUED' and m.expires_at > now() and ${isReachedBySql(sql`c`, gateway)}
      and m.created_at < now() - make_interval(secs => ${afterMs / 1000})
    order by m.created_at`);
}
