// Records and lists the link messages of a command, unchanged, for diagnosis.
import type { CommandFrame } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../cabinet/index.ts";
import type { CommandKey } from "./delivery.sql.ts";

/**
 * Appends the sent message to `frames` with asynchronous commit: a crash may lose the note, never
 * the command's state.
 */
export async function noteSent(db: Db, { tenantId, id }: CommandKey, json: string) {
  await Promise.all([
    db.run(sql`select set_config('synchronous_commit', 'off', true)`),
    db.run(sql`
      update command set frames = frames || jsonb_build_array(jsonb_build_object(
        'at', clock_timestamp(), 'direction', 'DOWN', 'topic', 'dn/cmd',
        'message', ${json}::jsonb))
      where tenant_id = ${tenantId} and id = ${id}`),
  ]);
}

/** Later events of a cabinet are not attributed to the command. */
const FOLLOWS_WITHIN = "1 hour";

/**
 * Oldest first, including the events that followed; null when this account may not see the command.
 */
export async function findFrames(
  db: Db,
  session: Session,
  id: string,
): Promise<CommandFrame[] | null> {
  const isVisible = sql`command.id = ${id} and ${cabinetPredicate(session, sql`cabinet`)}`;
  const command = sql`
    command join cabinet on cabinet.tenant_id = command.tenant_id
      and cabinet.id = command.cabinet_id`;
  const [found, frames] = await Promise.all([
    db.maybe<object>(sql`select 1 from ${command} where ${isVisible}`),
    db.many<CommandFrame>(sql`
      select input.at, input.direction, input.topic, input.message::text as message, input.conflict
      from ${command}, jsonb_to_recordset(command.frames)
        as input(at timestamptz, direction text, topic text, message jsonb, conflict text)
      where ${isVisible}
      union all
      select cabinet_event.received_at, 'UP', 'up/evt', cabinet_event.payload::text,
        case when cabinet_event.kind = 'DOOR_OPENED' and command.conflict = 'STAGE'
          and command.state in ('REJECTED', 'EXPIRED', 'FAILED') then 'STAGE' end
      from ${command}
      join cabinet_event on cabinet_event.tenant_id = command.tenant_id
        and cabinet_event.cabinet_id = command.cabinet_id
        and cabinet_event.received_at between command.created_at and command.created_at + ${FOLLOWS_WITHIN}::interval
        and cabinet_event.command_id = command.id and cabinet_event.payload is not null
      where ${isVisible}
      order by 1`),
  ]);
  return found && frames;
}
