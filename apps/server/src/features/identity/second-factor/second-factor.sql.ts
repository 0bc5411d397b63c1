// SQL for the second factors of accounts: authenticator, passkeys, recovery codes.
import type { Passkey } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import type { AccountKey } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { type FactorFacts, factorExemptUntilSql, isFactorExemptSql } from "../auth/index.ts";

const ofAccount = ({ tenantId, operatorId }: AccountKey): Sql =>
  sql`tenant_id = ${tenantId} and operator_id = ${operatorId}`;

/** Locks the account, so that two changes of its factors follow one another. */
export async function lockAccount(db: Db, { tenantId, operatorId }: AccountKey): Promise<void> {
  await db.run(sql`
    select 1 from operator where tenant_id = ${tenantId} and id = ${operatorId} for update`);
}

export function findFactorFacts(
  db: Db,
  { tenantId, operatorId }: AccountKey,
): Promise<FactorFacts | null> {
  return db.maybe(sql`
    select operator.user_type, operator.permissions, operator.needs_second_factor,
      ${isFactorExemptSql} as is_factor_exempt
    from operator join tenant on tenant.id = operator.tenant_id
    where operator.tenant_id = ${tenantId} and operator.id = ${operatorId}`);
}

/** End of the exception by which the account has no factor yet; null: it has one, or the exception has no end. */
export async function findExemptUntil(
  db: Db,
  { tenantId, operatorId }: AccountKey,
): Promise<string | null> {
  const found = await db.maybe<{ until: string }>(sql`
    select ${factorExemptUntilSql} as until
    from operator join tenant on tenant.id = operator.tenant_id
    where operator.tenant_id = ${tenantId} and operator.id = ${operatorId}
      and not operator.has_second_factor and ${isFactorExemptSql}
      and isfinite(${factorExemptUntilSql})`);
  return found?.until ?? null;
}

interface TotpRow {
  sealedSecret: Buffer;
  isConfirmed: boolean;
  lastStep: number;
}

export function findTotp(db: Db, account: AccountKey): Promise<TotpRow | null> {
  return db.maybe(sql`
    select sealed_secret, confirmed_at is not null as is_confirmed, last_step
    from totp where ${ofAccount(account)}`);
}

/** Replaces a secret that was never confirmed. */
export async function saveTotp(db: Db, account: AccountKey, sealedSecret: Buffer): Promise<void> {
  await db.run(sql`
    insert into totp (tenant_id, operator_id, sealed_secret)
    values (${account.tenantId}, ${account.operatorId}, ${sealedSecret})
    on conflict (tenant_id, operator_id) do update set sealed_secret = excluded.sealed_secret, last_step = 0`);
}

/** Uses a code up; false if it, or a later one, was used before. */
export async function useTotpStep(db: Db, account: AccountKey, step: number): Promise<boolean> {
  const updated = await db.run(sql`
    update totp set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where ${ofAccount(account)} and last_step < ${step}`);
  return updated === 1;
}

/** False if none is bound. */
export async function deleteTotp(db: Db, account: AccountKey): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from totp where ${ofAccount(account)} and confirmed_at is not null`);
  return deleted === 1;
}

export interface PasskeyRow extends Passkey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/** With a host: those that can be used there. */
export function findPasskeys(db: Db, account: AccountKey, host?: string): Promise<PasskeyRow[]> {
  return db.many(sql`
    select id, credential_id, host, public_key, counter, transports, name, created_at, last_used_at
    from passkey where ${ofAccount(account)} ${host === undefined ? sql`` : sql`and host = ${host}`}
    order by created_at, id`);
}

export async function insertPasskey(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  passkey: Pick<
    PasskeyRow,
    "credentialId" | "publicKey" | "counter" | "transports" | "name" | "host"
  >,
): Promise<void> {
  await db.run(sql`
    insert into passkey (tenant_id, operator_id, credential_id, host, public_key, counter, transports, name)
    values (${tenantId}, ${operatorId}, ${passkey.credentialId}, ${passkey.host}, ${passkey.publicKey},
      ${passkey.counter}, ${passkey.transports}, ${passkey.name})`);
}

export async function recordPasskeyUse(
  db: Db,
  account: AccountKey,
  { id, counter }: { id: number; counter: number },
): Promise<void> {
  await db.run(sql`
    update passkey set counter = ${counter}, last_used_at = now()
    where ${ofAccount(account)} and id = ${id}`);
}

export function deletePasskey(
  db: Db,
  account: AccountKey,
  id: number,
): Promise<{ name: string } | null> {
  return db.maybe(
    sql`delete from passkey where ${ofAccount(account)} and id = ${id} returning name`,
  );
}

export async function countRecoveryCodes(db: Db, account: AccountKey): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) as count from recovery_code where ${ofAccount(account)}`,
  );
  return count;
}

export async function replaceRecoveryCodes(
  db: Db,
  account: AccountKey,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.run(sql`delete from recovery_code where ${ofAccount(account)}`);
  await db.run(sql`
    insert into recovery_code (tenant_id, operator_id, code_hash)
    select ${account.tenantId}, ${account.operatorId}, unnest(${hashes}::bytea[])`);
}

/** False if there is no such code, or it was used. */
export async function useRecoveryCode(db: Db, account: AccountKey, hash: Buffer): Promise<boolean> {
  const used = await db.run(sql`
    delete from recovery_code where ${ofAccount(account)} and code_hash = ${hash}`);
  return used === 1;
}

/** Deletes all factors; false if there were none. */
export async function deleteFactors(db: Db, account: AccountKey): Promise<boolean> {
  const hadTotp = await deleteTotp(db, account);
  const passkeys = await db.run(sql`delete from passkey where ${ofAccount(account)}`);
  await db.run(sql`delete from recovery_code where ${ofAccount(account)}`);
  return hadTotp || passkeys > 0;
}
