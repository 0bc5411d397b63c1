// Applies reported states to commands and marks reports that contradict what is known.

import type { DoorSide } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import {
  COMMAND_STATES,
  type CommandState,
  contradicts,
  mayFollow,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
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
      select m.id, r.state, r.detail, r.topic, r.message, r."bootNo", r.n, case
          when r.seq <> m.seq then 'SEQ'
          when ${contradictions}::jsonb ? (case when m.state = 'UNKNOWN' and m.acked_at is not null
            then 'ACKED' else m.state end || ' ' || r.state) then 'STAGE'
        end as conflict,
        ${transitions}::jsonb ? (m.state || ' ' || r.state) as may_follow
      from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as r(id uuid, state text, detail text,
        seq bigint, no int, side text, topic text, message jsonb, "bootNo" bigint, n bigint)
      join command m on m.tenant_id = ${tenantId} and m.cabinet_id = ${cabinetId} and m.id = r.id
      where (r.no is null or m.compartment_no = r.no) and (r.side is null or m.side = r.side)
      order by m.id
      for no key update of m
    ), judged as (
      select r.*, r.may_follow and r.conflict is null as is_applied,
        case when r.topic is not null then jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
          'at', clock_timestamp(), 'direction', 'UP', 'topic', r.topic, 'message', r.message,
          'conflict', r.conflict))) end as frame,
        jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('topic', r.topic,
          'conflict', r.conflict, 'message', jsonb_build_object('stage', r.state)))) as same
      from reported r
    )
    update command m set
      state = case when r.is_applied then r.state else m.state end,
      detail = case when r.is_applied then r.detail else m.detail end,
      conflict = coalesce(m.conflict, r.conflict),
      frames = m.frames || coalesce(r.frame, '[]'),
      acked_at = case when r.is_applied and r.state in ('ACKED', 'CONFIRMED', 'NOT_CONFIRMED')
        then coalesce(m.acked_at, now()) else m.acked_at end,
      settled_at = case when not r.is_applied then m.settled_at
        when r.state <> 'ACKED' then now() end,
      opened_boot_no = case when r.is_applied and r.state = 'CONFIRMED'
        then r."bootNo" else m.opened_boot_no end,
      opened_n = case when r.is_applied and r.state = 'CONFIRMED' then r.n else m.opened_n end
    from judged r
    where m.tenant_id = ${tenantId} and m.id = r.id and (r.is_applied
      or (r.conflict is not null and m.conflict is null)
      or ((r.topic = 'up/ack' or r.conflict is not null) and r.frame is not null
        and not m.frames @> r.same))
    returning ${changeSql}, r.is_applied as "isApplied"`);
}
