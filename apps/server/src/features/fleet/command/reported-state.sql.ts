// Applies reported states to commands and marks reports that contradict what is known.

import {
  COMMAND_STATES,
  type CommandState,
  contradicts,
  mayFollow,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { type CabinetKey, lineSql } from "../../link/device/index.ts";
import { changeSql, type StateChange } from "./delivery.sql.ts";

const pairs = (isPair: (from: CommandState, to: CommandState) => boolean) =>
  JSON.stringify(
    COMMAND_STATES.flatMap((from) =>
      COMMAND_STATES.filter((to) => isPair(from, to)).map((to) => `${from} ${to}`),
    ),
  );
const transitions = pairs(mayFollow);
const contradictions = pairs(contradicts);

export interface ReportedState {
  id: string;
  state: CommandState;
  detail: string | null;
  /** Reason code of a refusal. */
  reason?: string | undefined;
  /** The seq named in the report; absent where it names none. */
  seq?: number | undefined;
  /** The door named in the report; absent where it names none. */
  no?: number;
  side?: DoorSide | undefined;
  /**
   * The topic and message to keep; absent for an event, which is kept in the cabinet's event log.
   */
  topic?: string;
  message?: object;
  /** Identifies the report: the cabinet's boot number and the report's number within it. */
  bootNo: number;
  n: number;
}

/** `isApplied`: the command changed to this state; otherwise the report was only kept. */
export interface ReportOutcome extends StateChange {
  isApplied: boolean;
}

/**
 * Moves this cabinet's commands to the reported states where the lifecycle allows it. A report with
 * a wrong seq or a contradiction is kept, marked, and changes no state; UNKNOWN after ACKED counts
 * as executed. Before `lineEpoch` another cabinet may have got the command: only an opening counts.
 * Each ack is kept once per stage, so that repeats cannot grow the row.
 */
export function applyReportedStates(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  reported: readonly ReportedState[],
  lineEpoch: number,
): Promise<ReportOutcome[]> {
  return db.many(sql`
    with reported as (
      select command.id, input.state, input.detail, input.reason, input.topic, input.message, input."bootNo",
        input.n, case
          when input.seq <> command.seq then 'SEQ'
          when ${contradictions}::jsonb ? (case when command.state = 'UNKNOWN'
            and command.acked_at is not null
            then 'ACKED' else command.state end || ' ' || input.state) then 'STAGE'
        end as conflict,
        ${transitions}::jsonb ? (command.state || ' ' || input.state)
          and (command.epoch >= ${lineEpoch} or input.state = 'CONFIRMED') as may_follow
      from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as input(id uuid, state text,
        detail text, reason text,
        seq bigint, no int, side text, topic text, message jsonb, "bootNo" bigint, n bigint)
      join command on command.tenant_id = ${tenantId} and command.cabinet_id = ${cabinetId} and command.id = input.id
      where (input.no is null or command.compartment_no = input.no)
        and (input.side is null or command.side = input.side)
      order by command.id
      for no key update of command
    ), judged as (
      select reported.*, reported.may_follow and reported.conflict is null as is_applied,
        case when reported.topic is not null then jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
          'at', clock_timestamp(), 'direction', 'UP', 'topic', reported.topic, 'message',
          reported.message,
          'conflict', reported.conflict))) end as frame,
        jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('topic', reported.topic,
          'conflict', reported.conflict, 'message',
          jsonb_build_object('stage', reported.state)))) as same
      from reported
    )
    update command set
      state = case when judged.is_applied then judged.state else command.state end,
      detail = case when judged.is_applied then judged.detail else command.detail end,
      refusal = case when judged.is_applied then judged.reason else command.refusal end,
      conflict = coalesce(command.conflict, judged.conflict),
      frames = command.frames || coalesce(judged.frame, '[]'),
      acked_at = case when judged.is_applied and judged.state in ('ACKED', 'CONFIRMED',
        'NOT_CONFIRMED')
        then coalesce(command.acked_at, now()) else command.acked_at end,
      settled_at = case when not judged.is_applied then command.settled_at
        when judged.state <> 'ACKED' then now() end,
      opened_boot_no = case when judged.is_applied and judged.state = 'CONFIRMED'
        then judged."bootNo" else command.opened_boot_no end,
      opened_n = case when judged.is_applied and judged.state = 'CONFIRMED' then judged.n
        else command.opened_n end
    from judged
    where command.tenant_id = ${tenantId} and command.id = judged.id and (judged.is_applied
      or (judged.conflict is not null and command.conflict is null)
      or ((judged.topic = 'up/ack' or judged.conflict is not null) and judged.frame is not null
        and not command.frames @> judged.same))
    returning ${changeSql}, judged.is_applied`);
}

/** A lock may open this long after its pulse: somebody pulls at a door that stuck. */
export const OPENS_WITHIN_SECONDS = 60;
/** Longest time after which a door event without clock still belongs to an opening without answer. */
const UNKNOWN_WITHIN_SECONDS = 3_600;

/** A door event of a cabinet that names no command. */
export interface UnnamedOpening {
  no: number;
  side?: DoorSide | undefined;
  order: { bootNo: number; n: number };
  /** The cabinet's own boot number, and milliseconds since that start. */
  reported: { bootNo: number; mono: number };
}

/**
 * True if the event can be about the opening that it names: a command for this door that is older, and has not opened it
 * already. Firmware may name the last command again while the door bounces, for as long as a lock may open.
 */
export async function canHaveOpened(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  id: string,
  { no, side, order, reported }: UnnamedOpening,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select from command
    where command.tenant_id = ${tenantId} and command.cabinet_id = ${cabinetId} and command.id = ${id}
      and command.kind = 'OPEN' and command.compartment_no = ${no}
      and command.side = coalesce(${side ?? null}, command.side)
      and not exists (select from cabinet_event
        where cabinet_event.tenant_id = command.tenant_id
          and cabinet_event.cabinet_id = command.cabinet_id
          and cabinet_event.compartment_no = command.compartment_no
          and cabinet_event.received_at >= command.created_at
          and cabinet_event.command_id = command.id and cabinet_event.kind = 'DOOR_OPENED'
          and (cabinet_event.boot_no, cabinet_event.n) < (${order.bootNo}::bigint, ${order.n}::bigint)
          and coalesce((cabinet_event.payload -> 'bootNo')::bigint <> ${reported.bootNo}::bigint
            or ${reported.mono} - (cabinet_event.payload -> 'mono')::float8 > ${OPENS_WITHIN_SECONDS * 1_000}, true))`);
  return found !== null;
}

/**
 * The opening of this door that the event can belong to, a proven one first, then the newest: under way, without answer, or with a pulse at most a
 * minute before (by the cabinet's monotonic clock within one start). Null: nobody requested that the door opens.
 */
export function findOpeningOf(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  { no, side, order, reported }: UnnamedOpening,
): Promise<{ id: string } | null> {
  return db.maybe(sql`
    select command.id from command
    where command.tenant_id = ${tenantId} and command.cabinet_id = ${cabinetId}
      and command.kind = 'OPEN' and command.compartment_no = ${no}
      and command.side = coalesce(${side ?? null}, command.side)
      and command.created_at > now() - interval '1 day'
      and (command.asked_n is null
        or (command.asked_boot_no, command.asked_n) < (${order.bootNo}::bigint, ${order.n}::bigint))
      and case command.state
        when 'SENT' then true when 'ACKED' then true
        -- Confirmed a moment ago, and the first report of the open door that follows, or that comes late.
        when 'CONFIRMED' then (${order.bootNo}::bigint, ${order.n}::bigint)
          <= (command.opened_boot_no, command.opened_n) or exists (select from compartment comp
          where comp.tenant_id = command.tenant_id and comp.cabinet_id = command.cabinet_id
            and comp.no = command.compartment_no and coalesce((comp.reported_boot_no,
              comp.reported_n) < (command.opened_boot_no, command.opened_n), true))
        when 'UNKNOWN' then command.created_at
            > now() - make_interval(secs => ${UNKNOWN_WITHIN_SECONDS})
          -- A snapshot of that cabinet from when nobody could pull at the door any more ends its time, and so does
          -- a later opening of the door that had its pulse.
          and not exists (select from cabinet
            where cabinet.tenant_id = command.tenant_id and cabinet.id = command.cabinet_id
              and command.epoch >= ${lineSql(sql`cabinet`, "epoch")}
              and cabinet.snapshot_asked_at between command.expires_at
                + make_interval(secs => ${OPENS_WITHIN_SECONDS}) and now()
              and (cabinet.snapshot_boot_no, cabinet.snapshot_n)
                < (${order.bootNo}::bigint, ${order.n}::bigint))
          and not exists (select from command later_command where later_command.tenant_id = command.tenant_id
            and later_command.cabinet_id = command.cabinet_id and later_command.kind = 'OPEN'
            and later_command.compartment_no = command.compartment_no and later_command.side = command.side
            and later_command.created_at > command.created_at
            and later_command.state in ('ACKED', 'CONFIRMED', 'NOT_CONFIRMED'))
        when 'NOT_CONFIRMED' then coalesce(
          (select ${reported.mono} - max((frame -> 'message' -> 'mono')::float8)
            from jsonb_array_elements(command.frames) frame
            where frame ->> 'topic' = 'up/ack'
              and (frame -> 'message' -> 'bootNo')::bigint = ${reported.bootNo}) / 1000,
          extract(epoch from now() - command.acked_at)) <= ${OPENS_WITHIN_SECONDS}
        else false end
    -- Reports come out of order: the first one that shows a proven opening is not that of a later command, which may
    -- never have reached the cabinet.
    order by command.state = 'CONFIRMED' desc, command.created_at desc limit 1`);
}
