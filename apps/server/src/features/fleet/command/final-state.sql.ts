// Results that count as final: no report changes them, or none has come for long enough (0120).
import {
  type CommandState,
  FINAL_AFTER_SECONDS,
  FINAL_STATES,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { type CommandKey, changeSql, type StateChange } from "./delivery.sql.ts";

const { NOT_CONFIRMED, UNKNOWN } = FINAL_AFTER_SECONDS;
/** Results of releases that did not know final ones, and what no job has looked at in time, count without being published. */
const LONG_AGO = sql`now() - interval '1 day'`;

const mayChange = (command: Sql) => sql`${command}.state in ('UNKNOWN', 'NOT_CONFIRMED')`;

/** Whether the result of the row `command` is final. */
export const isSettledSql = (
  command: Sql,
): Sql => sql`(${command}.state = any(${[...FINAL_STATES]}::text[])
  or ${command}.final_state is not null or (${mayChange(command)} and ${command}.created_at < ${LONG_AGO}))`;

const isDue = sql`command.final_state is null and ${mayChange(sql`command`)}
  and command.settled_at <= now() - make_interval(secs => case command.state
    when 'UNKNOWN' then ${UNKNOWN}::int else ${NOT_CONFIRMED}::int end)
  and command.settled_at >= now() - interval '2 days' and command.created_at >= ${LONG_AGO}`;

/** Commands whose result has waited long enough for a late report. */
export const awaitedQueue = sql`
  select command.tenant_id, command.id::text as key, command.settled_at as due_at from command
  where ${isDue}`;

/** Null if a report has changed the result meanwhile. */
export function makeFinal(
  db: Db,
  { tenantId, id }: CommandKey,
): Promise<(StateChange & { finalState: CommandState }) | null> {
  return db.maybe(sql`
    update command set final_state = command.state
    where command.tenant_id = ${tenantId} and command.id = ${id} and ${isDue}
    returning ${changeSql}, extract(epoch from command.settled_at - command.created_at)::float8 as seconds`);
}
