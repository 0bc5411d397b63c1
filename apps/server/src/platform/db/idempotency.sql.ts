// Idempotency keys: a repeated request has one effect and one answer. The key's row commits with the effect.
import { createHash } from "node:crypto";
import { type EndpointSpec, IDEMPOTENCY_DAYS } from "@cabinet/contract/kit/endpoint.ts";
import { Refusal, refuse } from "../errors.ts";
import { requireFreshPress } from "../press.gate.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";
import { codeOf, LOCK_NOT_AVAILABLE } from "./sql-state.ts";

export interface OnceKey {
  tenantId: number;
  /** Keys are per caller: two people may use the same one. */
  actor: string;
  key: string;
  fingerprint: Buffer;
  /** Derived from the request, and expires after `DERIVED_KEY_SECONDS`. */
  isDerived: boolean;
}

/** Longer than a client's timeout (10 s, specification §9) and the retry after it. */
const DERIVED_KEY_SECONDS = 60;

/** 1 to 128 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,128}$/;

/** The key of a request: from its header, else derived for calls that declare `always`, else null. */
export function onceKeyOf(
  spec: EndpointSpec,
  header: string | string[] | undefined,
  from: { tenantId: number; actor: string },
  input: unknown,
): OnceKey | null {
  if (!spec.once || (header === undefined && spec.once !== "always")) return null;
  const content = JSON.stringify([spec.method, spec.path, sorted(input)]);
  const fingerprint = createHash("sha256").update(content).digest();
  if (header === undefined) {
    // The leading space keeps derived keys apart from the visible characters of a header.
    const key = ` ${fingerprint.toString("base64url")}`;
    return { ...from, key, fingerprint, isDerived: true };
  }
  if (typeof header !== "string" || !KEY.test(header)) {
    refuse("IDEMPOTENCY_KEY_INVALID");
  }
  return { ...from, key: header, fingerprint, isDerived: false };
}

/** Sorts object keys: two bodies that differ only in field order have the same fingerprint. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

/**
 * Runs `work` if the press behind it still counts, or returns the answer that it gave under this key before. A repeat waits for the first request's
 * transaction and runs itself if that was rolled back. A refused request keeps no key.
 */
export async function runOnce<Result>(
  db: Db,
  once: OnceKey | null,
  work: () => Promise<Result>,
): Promise<Result> {
  db.noteReplay?.(false);
  if (once && !(await insertKey(db, once))) return firstReply(db, once);
  requireFreshPress(db);
  if (!once) return work();
  const result = await work();
  if (result instanceof Refusal) await deleteKey(db, once);
  else await keepReply(db, once, result);
  return result;
}

/** True when the key is new, or derived and expired. */
async function insertKey(db: Db, once: OnceKey): Promise<boolean> {
  const { tenantId, actor, key, fingerprint, isDerived } = once;
  try {
    const inserted = await db.run(sql`
      insert into idempotency_key as known (tenant_id, actor, key, fingerprint)
      values (${tenantId}, ${actor}, ${key}, ${fingerprint})
      on conflict (tenant_id, actor, key) do update set created_at = now(), reply = null
      where ${isDerived}::boolean
        and known.created_at < now() - ${DERIVED_KEY_SECONDS} * interval '1 second'`);
    return inserted === 1;
  } catch (error) {
    // The first request is still running after the whole lock_timeout.
    if (codeOf(error) === LOCK_NOT_AVAILABLE) refuse("REPEAT_IN_FLIGHT");
    throw error;
  }
}

const ofKey = ({ tenantId, actor, key }: OnceKey) =>
  sql`tenant_id = ${tenantId} and actor = ${actor} and key = ${key}`;

async function firstReply<Result>(db: Db, once: OnceKey): Promise<Result> {
  const { fingerprint, reply } = await db.one<{ fingerprint: Buffer; reply: Result }>(sql`
    select fingerprint, reply from idempotency_key where ${ofKey(once)}`);
  if (!fingerprint.equals(once.fingerprint)) refuse("REPEAT_DIFFERS");
  db.noteReplay?.(true);
  return reply;
}

async function keepReply(db: Db, once: OnceKey, reply: unknown): Promise<void> {
  await db.run(sql`
    update idempotency_key set reply = ${JSON.stringify(reply)} where ${ofKey(once)}`);
}

async function deleteKey(db: Db, once: OnceKey): Promise<void> {
  await db.run(sql`delete from idempotency_key where ${ofKey(once)}`);
}

/** A retry comes sooner. */
export async function deleteOldKeys(db: Db): Promise<void> {
  await db.run(sql`delete from idempotency_key
    where created_at < now() - make_interval(days => ${IDEMPOTENCY_DAYS})`);
}
