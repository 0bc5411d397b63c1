// Cabinets' secrets in the database: sealed, at most shown once.
import { newCabinetSecret } from "@cabinet/link";
import { type Db, sql } from "../../platform/db.ts";
import type { Vault } from "../../platform/secrets.ts";

/** The row that a sealed secret is bound to. */
export function secretOwner(sn: string, kid: string): string {
  return `cabinet_secret/${sn}/${kid}`;
}

/** Makes a new secret for a cabinet, stores it sealed, and returns it for the one time it is shown. */
export async function issueCabinetSecret(
  db: Db,
  vault: Vault,
  cabinet: { tenantId: number; cabinetId: number; sn: string; kid: string },
): Promise<string> {
  const secret = newCabinetSecret();
  const sealed = vault.seal(secret, secretOwner(cabinet.sn, cabinet.kid));
  await db.run(sql`
    insert into cabinet_secret (tenant_id, cabinet_id, kid, sealed_secret)
    values (${cabinet.tenantId}, ${cabinet.cabinetId}, ${cabinet.kid}, ${sealed})`);
  return secret;
}
