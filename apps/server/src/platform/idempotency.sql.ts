// A request that was made twice has one effect and one answer: the key's row is part of the effect's own transaction.
import { createHash } from "node:crypto";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { type Db, sql } from "./db.ts";
import { invalid, Refusal, refuse } from "./errors.ts";

export interface OnceKey {
  tenantId: number;
  /** Whose keys: two people may use the same one. */
  actor: string;
  key: string;
  fingerprint: Buffer;
}

/** 1 to 128 visible characters, as the header has it. */
const KEY = /^[\x21-\x7e]{1,128}$/;

/** The key of a request by its header; null where the call or the request has none. */
export function onceKeyOf(
  spec: EndpointSpec,
  header: string | string[] | undefined,
  from: { tenantId: number; actor: string },
  input: unknown,
): OnceKey | null {
  if (!spec.once || header === undefined) return null;
  if (typeof header !== "string" || !KEY.test(header)) {
    invalid("Idempotency-Key 应为 1 至 128 个可见字符");
  }
  const content = JSON.stringify([spec.method, spec.path, sorted(input)]);
  const fingerprint = createHash("sha256").update(content).digest();
  return { ...from, key: header, fingerprint };
}

/** The order in which fields are named says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

/**
 * Runs `work`, or gives the answer that it gave under this key before. A repeat waits for the first
 * one's transaction: was that undone, it runs itself. What is refused keeps no key. Without a key
 * `work` simply runs.
 */
export async function runOnce<Result>(
  db: Db,
  once: OnceKey | null,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!once) return work();
  if (!(await insertKey(db, once))) return firstReply(db, once);
  const result = await work();
  if (result instanceof Refusal) await deleteKey(db, once);
  else await keepReply(db, once, result);
  return result;
}

async function insertKey(db: Db, { tenantId, actor, key, fingerprint }: OnceKey): Promise<boolean> {
  try {
    const inserted = await db.run(sql`
      insert into idempotency_key (tenant_id, actor, key, fingerprint)
      values (${tenantId}, ${actor}, ${key}, ${fingerprint})
      on conflict do nothing`);
    return inserted === 1;
  } catch (error) {
    // The first one is not through after the whole lock_timeout.
    if ((error as { code?: string }).code === "55P03") refuse("REPEAT_IN_FLIGHT");
    throw error;
  }
}

const ofKey = ({ tenantId, actor, key }: OnceKey) =>
  sql`tenant_id = ${tenantId} and actor = ${actor} and key = ${key}`;

async function firstReply<Result>(db: Db, once: OnceKey): Promise<Result> {
  const { fingerprint, reply } = await db.one<{ fingerprint: Buffer; reply: Result }>(sql`
    select fingerprint, reply from idempotency_key where ${ofKey(once)}`);
  if (!fingerprint.equals(once.fingerprint)) refuse("REPEAT_DIFFERS");
  return reply;
}

async function keepReply(db: Db, once: OnceKey, reply: unknown): Promise<void> {
  await db.run(sql`
    update idempotency_key set reply = ${JSON.stringify(reply)} where ${ofKey(once)}`);
}

async function deleteKey(db: Db, once: OnceKey): Promise<void> {
  await db.run(sql`delete from idempotency_key where ${ofKey(once)}`);
}

/** Whoever repeats a request does so within days. */
export async function deleteOldKeys(db: Db): Promise<void> {
  await db.run(sql`delete from idempotency_key where created_at < now() - interval '3 days'`);
}
