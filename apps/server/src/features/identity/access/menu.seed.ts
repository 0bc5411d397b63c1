// Seeds the menu in the database from the console's route table; administrators' changes are kept.
import { type MenuSeed, menuSeed } from "@cabinet/contract/identity/access/menu-seed.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import {
  addPermissions,
  findMenuEntries,
  findSeeded,
  insertMenuEntry,
  lockMenuEntries,
  type MenuEntryRow,
  saveSeeded,
} from "./access.sql.ts";
import { grantToDefaultRoles } from "./default-roles.seed.ts";

/**
 * Adds the entries and permissions that no earlier start has added, so that deleted ones do not
 * come back. Tenants' default roles get the new entries as a new tenant's would.
 */
export async function seedMenu(db: Db): Promise<void> {
  await lockMenuEntries(db);
  const rowByUri = new Map((await findMenuEntries(db)).map((row) => [row.uri, row]));
  const seeded = new Set(await findSeeded(db));
  const added: MenuEntryRow[] = [];
  async function add(entries: readonly MenuSeed[], parentId: number | null): Promise<void> {
    for (const [index, { children, ...entry }] of entries.entries()) {
      const keys = entry.permissions.map((permission) => `${entry.uri} ${permission}`);
      let row = rowByUri.get(entry.uri);
      if (row) {
        const unseen = entry.permissions.filter((_, at) => !seeded.has(keys[at] ?? ""));
        if (unseen.length > 0) await addPermissions(db, row.id, unseen);
      } else {
        if (seeded.has(entry.uri)) continue;
        const draft = { ...entry, parentId, sort: (index + 1) * 10 };
        row = { ...draft, id: await insertMenuEntry(db, draft) };
        added.push(row);
      }
      for (const key of [entry.uri, ...keys]) seeded.add(key);
      await add(children, row.id);
    }
  }
  await add(menuSeed, null);
  await grantToDefaultRoles(db, added);
  await saveSeeded(db, [...seeded]);
}
