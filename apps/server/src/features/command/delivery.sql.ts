// A command's way to the cabinet and back: every step is conditional on the state it starts from.
import type { CommandKind, CommandState } from "@cabinet/contract/command/command.rules.ts";
import type { DoorSide } from "@cabinet/contract/compartment/compartment.rules.ts";
import { CONFIRM_WITHIN_MS } from "@cabinet/link";
import { type Db, type Sql, sql } from "../../platform/db.ts";
import {
  type CabinetKey,
  type Gateway,
  isConnectedSql,
  isReachedBySql,
  type NewSession,
} from "../device/index.ts";
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
  /** Unix milliseconds by the database's clock. */
  iat: number;
  exp: number;
}

export interface CommandKey {
  tenantId: number;
  id: string;
}

/** A state that a command has just reached. */
export interface StateChange extends CabinetKey {
  id: string;
  kind: CommandKind;
  /** Of which compartment; null: of the cabinet. */
  no: number | null;
  state: CommandState;
  /** The order on whose behalf it was asked for. */
  orderId: number | null;
  /** Since it was asked for. */
  seconds: number;
}

/** The columns of a `StateChange`, for `command m`. */
export const changeSql = sql`m.tenant_id as "tenantId", m.cabinet_id as "cabinetId", m.id, m.kind,
  m.compartment_no as no, m.state, m.order_id as "orderId", extract(epoch from clock_timestamp() - m.created_at)::float8 as seconds`;

/** The cabinet `c` can be told; one that was retired meanwhile opens for an order's goods alone. */
function mayBeSent(command: Sql): Sql {
  return sql`(c.lifecycle <> 'RETIRED' or ${command}.purpose in ('PICKUP', 'TAKE_BACK'))
    and ${isConnectedSql(sql`c`)}`;
}

/**
 * QUEUED → SENT with the next seq, in the very session it was asked for and in time; null when it
 * cannot be. Whoever gets it sends it: nobody else will.
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

/** What was not sent and cannot be any more is proven not to have opened anything. */
export function expireUnsent(db: Db, { tenantId, id }: CommandKey): Promise<StateChange | null> {
  return db.maybe(sql`
    update command m set state = 'EXPIRED', detail = ${unsentDetail}, settled_at = now()
    where m.tenant_id = ${tenantId} and m.id = ${id} and m.state = 'QUEUED'
      and (m.expires_at <= now() or not exists (
        select from cabinet c where c.tenant_id = m.tenant_id and c.id = m.cabinet_id
          and c.epoch = m.epoch and ${mayBeSent(sql`m`)}))
    returning ${changeSql}`);
}

/** The same bytes may go out again: unanswered, in time, in the same session. */
export async function mayResend(db: Db, { tenantId, id }: CommandKey): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from command m
    join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id and c.epoch = m.epoch
    where m.tenant_id = ${tenantId} and m.id = ${id} and m.state = 'SENT'
      and m.expires_at > now() and ${mayBeSent(sql`m`)}`);
  return found !== null;
}

/**
 * A session begins: what was not sent in an earlier one never will be, and what the cabinet never
 * took it will not carry out any more. What it took and does not list is left to its own answer.
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

/** Longest that a restart may take after the cabinet said it goes down. */
const RESTART_SECONDS = 180;
/** An answer given in time may still be on its way. */
const TRAVEL_SECONDS = 2;

/**
 * Settles what is over: never sent is EXPIRED; sent and silent is UNKNOWN, for only the cabinet can
 * say that nothing opened.
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

/** QUEUED for so long that whoever was told is gone. */
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
