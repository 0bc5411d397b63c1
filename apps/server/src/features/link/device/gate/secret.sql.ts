// Cabinets' secrets in the database: sealed, shown at most once.
import { newCabinetSecret } from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import { type CabinetKey, kidsInForceSql } from "../presence/presence.sql.ts";

/** Owner string (additional data) that a sealed secret is bound to. */
export function secretOwner(sn: string, kid: string): string {
  return `cabinet_secret/${sn}/${kid}`;
}

/**
 * Makes a new secret for a cabinet, stores it sealed, and returns it for the one time it is shown.
 */
export async function issueCabinetSecret(
  db: Db,
  cabinet: CabinetKey & { sn: string; kid: string; issuedBy?: string },
): Promise<string> {
  const secret = newCabinetSecret();
  const sealed = db.vault.seal(secret, secretOwner(cabinet.sn, cabinet.kid));
  await db.run(sql`
    insert into cabinet_secret (tenant_id, cabinet_id, kid, sealed_secret, issued_by)
    values (${cabinet.tenantId}, ${cabinet.cabinetId}, ${cabinet.kid}, ${sealed}, ${cabinet.issuedBy ?? null})`);
  return secret;
}

/** Records a connection with this secret; a secret that was used once is never replaced. */
export async function markSecretUsed(db: Db, cabinet: CabinetKey, kid: string): Promise<void> {
  await db.run(sql`
    update cabinet_secret set first_used_at = coalesce(first_used_at, now()), last_used_at = now()
    where tenant_id = ${cabinet.tenantId} and cabinet_id = ${cabinet.cabinetId} and kid = ${kid}`);
}

export async function deleteUnusedSecrets(db: Db, cabinet: CabinetKey): Promise<void> {
  await db.run(sql`
    delete from cabinet_secret
    where tenant_id = ${cabinet.tenantId} and cabinet_id = ${cabinet.cabinetId}
      and first_used_at is null`);
}

/** Ends the cabinet's secrets, deletes unused ones, returns the key ids of those in force. */
export async function endSecrets(db: Db, cabinet: CabinetKey): Promise<string[]> {
  const ended = await db.many<{ kid: string }>(sql`
    update cabinet_secret set expires_at = now()
    where tenant_id = ${cabinet.tenantId} and cabinet_id = ${cabinet.cabinetId}
      and (expires_at is null or expires_at > now())
    returning kid`);
  await deleteUnusedSecrets(db, cabinet);
  return ended.map(({ kid }) => kid);
}

/** Asks the database, not a cache: the cabinet is in service and this key of it is in force. */
export async function isKeyInForce(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  kid: string,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from cabinet
    where cabinet.tenant_id = ${tenantId} and cabinet.id = ${cabinetId} and cabinet.lifecycle <> 'RETIRED'
      and ${kid} = any(${kidsInForceSql(sql`cabinet`)})`);
  return found !== null;
}

export interface SealedSecret extends CabinetKey {
  sn: string;
  kid: string;
  sealed: Buffer;
}

/** The secrets in force of the cabinets with these serial numbers; none for a retired one. */
export function findSecrets(db: Db, sns: readonly string[]): Promise<SealedSecret[]> {
  return db.many(sql`
    select cabinet.tenant_id, cabinet.id as cabinet_id, cabinet.sn, secret.kid,
      secret.sealed_secret as sealed
    from cabinet
    join cabinet_secret secret on secret.tenant_id = cabinet.tenant_id
      and secret.cabinet_id = cabinet.id
    where cabinet.sn = any(${sns}::text[]) and cabinet.lifecycle <> 'RETIRED'
      and (secret.expires_at is null or secret.expires_at > now())`);
}

/** Lets a secret expire after `hours`, or earlier if it had an earlier end; returns the end. */
export async function endSecretAfter(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  kid: string,
  hours: number,
): Promise<string> {
  const { expiresAt } = await db.one<{ expiresAt: string }>(sql`
    update cabinet_secret set expires_at = least(expires_at, now() + make_interval(hours => ${hours}))
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and kid = ${kid}
    returning expires_at`);
  return expiresAt;
}

/**
 * Sets the end one second back: a report being stored began before now and must not find the
 * secret.
 */
export async function endSecretNow(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  kid: string,
  revokedBy: string,
): Promise<void> {
  await db.run(sql`
    update cabinet_secret set expires_at = now() - interval '1 second', revoked_at = now(),
      revoked_by = ${revokedBy}, sealed_secret = null
    where tenant_id = ${tenantId} and cabinet_id = ${cabinetId} and kid = ${kid}`);
}

/** Retention of ended secrets, long enough to investigate an incident. */
const KEPT_DAYS = 90;

/** Wipes ended secrets, and deletes their rows after `KEPT_DAYS`. */
export async function cleanSecrets(db: Db): Promise<void> {
  await db.run(sql`
    update cabinet_secret set sealed_secret = null
    where expires_at <= now() and sealed_secret is not null`);
  await db.run(sql`
    delete from cabinet_secret where expires_at < now() - make_interval(days => ${KEPT_DAYS})`);
}
