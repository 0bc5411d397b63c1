// SQL of the command lifecycle: each transition is conditional on the state it starts from.

import {
  COMMAND_TTL_SECONDS,
  type CommandKind,
  type CommandState,
  SEND_WITHIN_SECONDS,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { CONFIRM_WITHIN_MS } from "@cabinet/link";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import {
  type CabinetKey,
  type Gateway,
  isConnectedSql,
  isReachedBySql,
  type NewSession,
  takeSeqSql,
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
  /** The cabinet refuses the opening unless its sensor says this; null: whatever it says. */
  expectItem: "EMPTY" | null;
  /** Unix milliseconds by the database clock. */
  iat: number;
  exp: number;
  /** Time left in which it may be sent, from the beginning of the transaction. */
  sendWithinMs: number;
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
  /** Result that counted as final before it changed to `state`, or equals it; null: none did. */
  finalState: CommandState | null;
  /** The order that the command belongs to; null for a command from the console. */
  orderId: number | null;
  /** Seconds since the command was created. */
  seconds: number;
  traceparent: string | null;
}

/** The columns of a `StateChange`, for the table `command`. */
export const changeSql = sql`command.tenant_id, command.cabinet_id,
  command.id, command.kind, command.compartment_no as no, command.state, command.final_state, command.order_id, command.traceparent,
  extract(epoch from clock_timestamp() - command.created_at)::float8 as seconds`;

/** From then on the row `command` is not sent any more: whoever pressed has given up. */
const sendUntilSql = sql`least(command.expires_at,
  command.created_at + make_interval(secs => ${SEND_WITHIN_SECONDS}))`;

/** Columns that a `ClaimedCommand` has beside those of a `StateChange`, for the tables `command` and `cabinet`. */
const claimedSql = sql`cabinet.sn, cabinet.connection_kid as kid, command.epoch, command.seq,
  command.side, command.expect_item, floor(extract(epoch from command.created_at) * 1000)::bigint as iat,
  floor(extract(epoch from command.expires_at) * 1000)::bigint as exp,
  extract(epoch from ${sendUntilSql} - now())::float8 * 1000 as send_within_ms`;

/**
 * Whether the row `cabinet` can receive the command: connected, and not RETIRED unless it opens for
 * an order's goods.
 */
function mayBeSent(command: Sql): Sql {
  return sql`(cabinet.lifecycle <> 'RETIRED' or ${command}.purpose in ('PICKUP', 'TAKE_BACK'))
    and ${isConnectedSql(sql`cabinet`)}`;
}

/** Longest time to its deadline that a command has, and an allowance for transactions that began before it. */
const LONGEST_SECONDS = COMMAND_TTL_SECONDS + 2;
/** The command was stored while the clock was ahead, and the clock has been set back: its press was long ago (0119). */
const isFromAhead = sql`(command.expires_at > now() + make_interval(secs => ${LONGEST_SECONDS}::int)
  or command.created_at > now() + interval '2 seconds')`;
const mayStillBeSent = sql`(${sendUntilSql} > now() and not ${isFromAhead})`;

/**
 * QUEUED → SENT with the next seq, if the command may still be sent and its session (epoch) is still
 * current; null otherwise. The gateway that claims it sends it; another one does if that one dies before (0092).
 */
export function claimCommand(
  db: Db,
  { tenantId, id }: CommandKey,
  gateway: Gateway,
): Promise<(ClaimedCommand & StateChange) | null> {
  return db.maybe(sql`
    with target as (
      select cabinet_id, epoch, purpose from command
      where tenant_id = ${tenantId} and id = ${id} and state = 'QUEUED' and ${mayStillBeSent}
    ), cabinet as (
      ${takeSeqSql(gateway)}
      from target
      where cabinet.tenant_id = ${tenantId} and cabinet.id = target.cabinet_id
        and cabinet.epoch = target.epoch
        and ${mayBeSent(sql`target`)} and ${isReachedBySql(sql`cabinet`, gateway)}
      returning cabinet.id, cabinet.sn, cabinet.connection_kid, cabinet.command_seq
    )
    update command set state = 'SENT', seq = cabinet.command_seq, sent_at = now()
    from cabinet
    where command.tenant_id = ${tenantId} and command.id = ${id} and command.cabinet_id = cabinet.id
      and command.state = 'QUEUED'
    returning ${changeSql}, ${claimedSql}`);
}

/**
 * Commands without an answer whose gateway has died: `sentWithinMs` after the claim it has noted no copy as sent, or
 * `resentWithinMs` after it only one. They may still be sent in the session for which they were claimed.
 */
export function findAbandoned(
  db: Db,
  gateway: Gateway,
  { sentWithinMs, resentWithinMs }: { sentWithinMs: number; resentWithinMs: number },
): Promise<(CommandKey & ClaimedCommand & Pick<StateChange, "traceparent">)[]> {
  return db.many(sql`
    select command.tenant_id, command.id, command.kind, command.compartment_no as no,
      command.order_id, command.traceparent, ${claimedSql}
    from command join cabinet on cabinet.tenant_id = command.tenant_id
      and cabinet.id = command.cabinet_id and cabinet.epoch = command.epoch
    where command.state = 'SENT' and ${mayStillBeSent}
      and command.sent_at < now() - make_interval(secs => case jsonb_array_length(command.frames)
        when 0 then ${sentWithinMs / 1000}::float8 when 1 then ${resentWithinMs / 1000}::float8 end)
      and ${mayBeSent(sql`command`)} and ${isReachedBySql(sql`cabinet`, gateway)}
    order by command.created_at`);
}

/**
 * QUEUED → EXPIRED for a command that can no longer be sent; an unsent command provably opened
 * nothing.
 */
export function expireUnsent(db: Db, { tenantId, id }: CommandKey): Promise<StateChange | null> {
  return db.maybe(sql`
    update command set state = 'EXPIRED', detail = ${unsentDetail}, settled_at = now()
    where command.tenant_id = ${tenantId} and command.id = ${id} and command.state = 'QUEUED'
      and (not ${mayStillBeSent} or not exists (
        select from cabinet where cabinet.tenant_id = command.tenant_id
          and cabinet.id = command.cabinet_id
          and cabinet.epoch = command.epoch and ${mayBeSent(sql`command`)}))
    returning ${changeSql}`);
}

/** Whether the same bytes may be resent: no answer yet, in time, and in the same session. */
export async function mayResend(db: Db, { tenantId, id }: CommandKey): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from command
    join cabinet on cabinet.tenant_id = command.tenant_id and cabinet.id = command.cabinet_id
      and cabinet.epoch = command.epoch
    where command.tenant_id = ${tenantId} and command.id = ${id} and command.state = 'SENT'
      and ${mayStillBeSent} and ${mayBeSent(sql`command`)}`);
  return found !== null;
}

/**
 * Settles commands of earlier sessions: unsent and never-received ones become EXPIRED; on memory
 * loss, sent ones become UNKNOWN. A received one that the cabinet does not list awaits its own ack.
 */
export function settleEarlierSessions(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  { epoch, lastSeq, isMemoryLost, lineEpoch }: NewSession,
): Promise<StateChange[]> {
  return db.many(sql`
    update command set settled_at = now(),
      state = case when command.state <> 'QUEUED' and ${isMemoryLost} then 'UNKNOWN'
        else 'EXPIRED' end,
      detail = case when command.state = 'QUEUED' then ${unsentDetail}
        when ${isMemoryLost} then ${memoryLostDetail} else ${neverTakenDetail} end
    where command.tenant_id = ${tenantId} and command.cabinet_id = ${cabinetId} and command.epoch < ${epoch}
      and (command.state = 'QUEUED'
        or (command.state in ('SENT', 'ACKED') and ${isMemoryLost})
        or (command.state in ('SENT', 'UNKNOWN') and command.epoch >= ${lineEpoch}
          and command.seq > ${lastSeq} and not ${isMemoryLost}))
    returning ${changeSql}`);
}

/** Longest time a restart may take after the cabinet acknowledged it, in seconds. */
const RESTART_SECONDS = 180;
/** Allowance for an answer that was given in time and is still in transit, in seconds. */
const TRAVEL_SECONDS = 2;

/**
 * Settles commands past their deadline: unsent ones become EXPIRED; sent ones without an answer
 * become UNKNOWN, because only the cabinet can confirm that nothing opened. A deadline that is too far ahead counts as past.
 */
export function settleOverdue(db: Db): Promise<StateChange[]> {
  return db.many(sql`
    update command set settled_at = now(),
      state = case when command.state = 'QUEUED' then 'EXPIRED' else 'UNKNOWN' end,
      detail = case when command.state = 'QUEUED' then ${unsentDetail} else ${silentDetail} end
    where (command.tenant_id, command.id) in (
      select tenant_id, id from command
      where state in ('QUEUED', 'SENT', 'ACKED') and (${isFromAhead} or case
          when state = 'QUEUED' then ${sendUntilSql} <= now()
          when expires_at > now() then false
          when state = 'ACKED' and kind = 'RESTART'
            then acked_at + make_interval(secs => ${RESTART_SECONDS}) <= now()
          else greatest(expires_at, acked_at + make_interval(secs => ${CONFIRM_WITHIN_MS / 1000}))
            + make_interval(secs => ${TRAVEL_SECONDS}) <= now()
        end)
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
    select command.tenant_id, command.id, cabinet.sn
    from command join cabinet on cabinet.tenant_id = command.tenant_id
      and cabinet.id = command.cabinet_id
    where command.state = 'QUEUED' and ${mayStillBeSent}
      and ${isReachedBySql(sql`cabinet`, gateway)}
      and command.created_at < now() - make_interval(secs => ${afterMs / 1000})
    order by command.created_at`);
}
