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
import type { CabinetKey } from "../../link/device/index.ts";
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
 * as executed. Each ack is kept once per stage, so that repeats cannot grow the row.
 */
export function applyReportedStates(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  reported: readonly ReportedState[],
): Promise<ReportOutcome[]> {
  return db.many(sql`
    with reported as (
      select command.id, input.state, input.detail, input.topic, input.message, input."bootNo",
        input.n, case
          when input.seq <> command.seq then 'SEQ'
          when ${contradictions}::jsonb ? (case when command.state = 'UNKNOWN'
            and command.acked_at is not null
            then 'ACKED' else command.state end || ' ' || input.state) then 'STAGE'
        end as conflict,
        ${transitions}::jsonb ? (command.state || ' ' || input.state) as may_follow
      from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as input(id uuid, state text,
        detail text,
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
