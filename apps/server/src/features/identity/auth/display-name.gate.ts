// Refuses names of accounts under which the product acts, or another account of the tenant.
import { isReservedName } from "@cabinet/contract/identity/operator/display-name.rules.ts";
import { nameKey } from "@cabinet/contract/kit/name.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { lockOtherNames } from "./account.sql.ts";

/** Accounts and applications act under their names. `before` is the present one: it stays valid. */
export function requireOwnName(name: string, before?: string): void {
  const isKept = before !== undefined && nameKey(name) === nameKey(before);
  if (!isKept && isReservedName(name)) refuse("DISPLAY_NAME_RESERVED", { name });
}

/** `before` is the present name: it stays valid, also one that was given before this rule. */
export async function lockDisplayNameOrRefuse(
  db: Db,
  account: { tenantId: number; operatorId: number | null },
  name: string,
  before?: string,
): Promise<void> {
  requireOwnName(name, before);
  if (before !== undefined && nameKey(name) === nameKey(before)) return;
  const key = nameKey(name);
  const others = await lockOtherNames(db, account);
  // `张三（zhangsan）` reads as the signature of that account, where a list cuts the rest off.
  const isTaken = others.some(({ displayName, username }) => {
    const account = nameKey(username);
    return [nameKey(displayName), account].includes(key) || key.includes(`(${account})`);
  });
  if (isTaken) refuse("DISPLAY_NAME_TAKEN", { name });
}
