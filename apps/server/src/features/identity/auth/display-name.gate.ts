// Refuses names of accounts under which the product acts, or another account of the tenant.
import { isReservedName } from "@cabinet/contract/identity/operator/display-name.rules.ts";
import { nameKey } from "@cabinet/contract/kit/name.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { lockOtherNames } from "./account.sql.ts";

/** `before` is the present name: it stays valid, also one that was given before this rule. */
export async function lockDisplayNameOrRefuse(
  db: Db,
  account: { tenantId: number; operatorId: number | null },
  name: string,
  before?: string,
): Promise<void> {
  if (before !== undefined && nameKey(name) === nameKey(before)) return;
  if (isReservedName(name)) refuse("DISPLAY_NAME_RESERVED", { name });
  const key = nameKey(name);
  const others = await lockOtherNames(db, account);
  if (others.some((other) => nameKey(other) === key)) refuse("DISPLAY_NAME_TAKEN", { name });
}
