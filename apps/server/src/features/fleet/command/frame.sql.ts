// Records and lists the link messages of a command, unchanged, for diagnosis.
import type { CommandFrame } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { Session } from "../../../platform/context.ts";
import { type Db, sql } from "../../../platform/db/db.ts";
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
  const isVisible = sql`m.id = ${id} and ${cabinetPredicate(session, sql`c`)}`;
  const command = sql`
    command m join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id`;
  const [found, frames] = await Promise.all([
    db.maybe<object>(sql`select 1 from ${command} where ${isVisible}`),
    db.many<CommandFrame>(sql`
      select f.at, f.direction, f.topic, f.message::text as message, f.conflict
      from ${command}, jsonb_to_recordset(m.frames)
        as f(at timestamptz, direction text, topic text, message jsonb, conflict text)
      where ${isVisible}
      union all
      select e.received_at, 'UP', 'up/evt', e.payload::text,
        case when e.kind = 'DOOR_OPENED' and m.conflict = 'STAGE'
          and m.state in ('REJECTED', 'EXPIRED', 'FAILED') then 'STAGE' end
      from ${command}
      join cabinet_event e on e.tenant_id = m.tenant_id and e.cabinet_id = m.cabinet_id
        and e.received_at between m.created_at and m.created_at + ${FOLLOWS_WITHIN}::interval
        and e.command_id = m.id and e.payload is not null
      where ${isVisible}
      order by 1`),
  ]);
  return found && frames;
}
