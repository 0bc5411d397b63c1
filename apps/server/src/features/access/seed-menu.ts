// The menu in the database begins as the console's route table; what an administrator edits stays.

import { type MenuSeed, menuSeed } from "@cabinet/contract/access/routes.rules.ts";
import type { Db } from "../../platform/db.ts";
import { findMenuEntries, insertMenuEntry } from "./access.sql.ts";

/** Adds the entries that are not there yet, each below its parent. */
export async function seedMenu(db: Db): Promise<void> {
  const idByUri = new Map((await findMenuEntries(db)).map((row) => [row.uri, row.id]));
  async function add(entries: readonly MenuSeed[], parentId: number | null): Promise<void> {
    for (const [index, { children, ...entry }] of entries.entries()) {
      const id =
        idByUri.get(entry.uri) ??
        (await insertMenuEntry(db, { ...entry, parentId, sort: (index + 1) * 10 }));
      await add(children, id);
    }
  }
  await add(menuSeed, null);
}
