// Operators' notes on people in the database.
import type { EndUserNote } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { EndUserKey } from "./end-user.sql.ts";

/** Newest first. An account deletes its own; one of all stores those of others, too. */
export function findNotes(
  db: Db,
  { operatorId, isStoreBound }: Session,
  { tenantId, id }: EndUserKey,
): Promise<EndUserNote[]> {
  return db.many(sql`
    select user_note.id, user_note.at, user_note.text, user_note.actor_name,
      not ${isStoreBound}::boolean or user_note.actor_id = ${operatorId} as is_deletable
    from end_user_note user_note
    where user_note.tenant_id = ${tenantId} and user_note.end_user_id = ${id}
    order by user_note.id desc`);
}

export function insertNote(
  db: Db,
  { operatorId, signature }: Session,
  { tenantId, id }: EndUserKey,
  text: string,
): Promise<{ id: number }> {
  return db.one(sql`
    insert into end_user_note (tenant_id, end_user_id, text, actor_id, actor_name)
    values (${tenantId}, ${id}, ${text}, ${operatorId}, ${signature})
    returning id`);
}

export async function deleteNote(db: Db, { tenantId }: EndUserKey, noteId: number): Promise<void> {
  await db.run(sql`
    delete from end_user_note where tenant_id = ${tenantId} and id = ${noteId}`);
}
