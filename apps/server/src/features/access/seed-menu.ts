// The menu in the database begins as the console's route table; what an administrator changes stays.
import { type MenuSeed, menuSeed } from "@cabinet/contract/access/routes.rules.ts";
import type { Db } from "../../platform/db.ts";
import {
  findMenuEntries,
  findSeededUris,
  insertMenuEntry,
  lockMenuEntries,
  saveSeededUris,
} from "./access.sql.ts";

/** Adds the entries that no earlier start has added: one that was deleted since does not come back. */
export async function seedMenu(db: Db): Promise<void> {
  await lockMenuEntries(db);
  const idByUri = new Map((await findMenuEntries(db)).map((row) => [row.uri, row.id]));
  const seeded = new Set(await findSeededUris(db));
  async function add(entries: readonly MenuSeed[], parentId: number | null): Promise<void> {
    for (const [index, { children, ...entry }] of entries.entries()) {
      let id = idByUri.get(entry.uri);
      if (id === undefined) {
        if (seeded.has(entry.uri)) continue;
        id = await insertMenuEntry(db, { ...entry, parentId, sort: (index + 1) * 10 });
      }
      seeded.add(entry.uri);
      await add(children, id);
    }
  }
  await add(menuSeed, null);
  await saveSeededUris(db, [...seeded]);
}
