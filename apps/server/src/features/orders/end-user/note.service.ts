// Adds and deletes operators' notes on people. The audit log names person and author, never the text (0078).
import { MOST_NOTES_OF_ONE } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { targetOf } from "./end-user.service.ts";
import { type EndUserRow, lockEndUser } from "./end-user.sql.ts";
import * as repo from "./note.sql.ts";

export async function addNote(ctx: Ctx, id: number, text: string): Promise<{ id: number }> {
  const { db, session } = ctx;
  const person = await lockPersonOrRefuse(ctx, id);
  const notes = await repo.findNotes(db, session, person);
  if (notes.length >= MOST_NOTES_OF_ONE) refuse("NOTE_LIMIT", { max: MOST_NOTES_OF_ONE });
  const added = await repo.insertNote(db, session, person, text.trim());
  ctx.audit({
    tenantId: person.tenantId,
    target: `${targetOf(person)}的备注`,
    after: { noteId: added.id },
  });
  return added;
}

export async function deleteNote(ctx: Ctx, id: number, noteId: number): Promise<null> {
  const { db, session } = ctx;
  const person = await lockPersonOrRefuse(ctx, id);
  const notes = await repo.findNotes(db, session, person);
  const note = notes.find((known) => known.id === noteId);
  if (!note) refuse("NOT_FOUND", { what: "备注" });
  const { actorName: who } = note;
  if (!note.isDeletable) refuse("NOTE_OF_ANOTHER", { who });
  await repo.deleteNote(db, person, noteId);
  ctx.audit({
    tenantId: person.tenantId,
    target: `${targetOf(person)}的备注（由“${who}”添加）`,
    before: { noteId },
  });
  return null;
}

/** The lock orders a note before or after the erasure of its person. */
async function lockPersonOrRefuse({ db, session }: Ctx, id: number): Promise<EndUserRow> {
  return (await lockEndUser(db, session, id)) ?? refuse("NOT_FOUND", { what: "用户" });
}
