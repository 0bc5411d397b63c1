// Promise L2: a writing call of the console adds exactly one audit entry, with action, target and
// reason.
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { expect } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { CallInput, Person, TestServer } from "./test-server.ts";

interface Entry {
  id: number;
  actorId: number;
  call: string;
  target: string | null;
  reason: string | null;
  /** JSON null counts as present: it states that there was no earlier record. */
  hasBefore: boolean;
  hasAfter: boolean;
  requestId: string;
  text: string;
}

const SECRET_NAME = /password|secret|privateKey|apiV3Key|mapCode|mapKey|token/i;

/** Secrets in the input of a call, which must not appear in the audit log. */
function secretsOf(input: object): string[] {
  const found: string[] = [];
  JSON.stringify(input, (name, value: unknown) => {
    if (typeof value === "string" && SECRET_NAME.test(name) && value.length > 5) found.push(value);
    return value;
  });
  return found;
}

const UPDATE = /\.(update|edit|save|modify|change|set|rename|enable|disable|suspend|lock|unlock)/;
const CREATE = /\.(create|add)/;
const DELETE = /\.(delete|remove)/;
/** Chinese text, a number, a cabinet's serial number, or the words AppID, AppSecret and Logo. */
const READABLE = /\p{Script=Han}|^\d+$|^TEST[0-9A-F]+$|^App(?:ID|Secret)$|^Logo$/u;
/** Not within the hexadecimal digits of a UUID, where eleven decimal digits may follow each other. */
const PHONE = /(?<![\da-f-])1[3-9]\d{9}(?![\da-f-])/;

/** Id of the newest audit entry; entries after it belong to the call under test. */
export async function lastEntryId(testServer: TestServer): Promise<number> {
  const { id } = await testServer.database.read("platform", (db) =>
    db.one<{ id: number }>(sql`select coalesce(max(id), 0)::int as id from audit_log`),
  );
  return id;
}

/**
 * Expects one entry of call `name`, which just succeeded for this platform account as the only
 * call.
 */
export async function expectAudited(
  testServer: TestServer,
  { name, spec }: { name: string; spec: EndpointSpec },
  { by, input, since }: { by: Person; input: CallInput; since: number },
): Promise<void> {
  const entries = await testServer.database.read("platform", (db) =>
    db.many<Entry>(sql`
      select id, actor_id, call, target, reason, before is not null as has_before,
        after is not null as has_after, request_id, to_jsonb(audit)::text as text
      from audit_log audit where id > ${since}`),
  );
  const own = entries.filter(({ call }) => call === `${spec.method} ${spec.path}`);
  expect(own, "one entry").toHaveLength(1);
  const [entry] = own as [Entry];
  expect(entry.actorId).toBe(by.operatorId);
  expect(entry.requestId.length).toBeGreaterThanOrEqual(8);
  expect(entry.target, "names the thing").toMatch(/\p{Script=Han}/u);
  const { reason } = (input.body ?? {}) as { reason?: string };
  if (reason) expect(entry.reason).toBe(reason);
  if (UPDATE.test(name)) expect([entry.hasBefore, entry.hasAfter]).toEqual([true, true]);
  if (CREATE.test(name)) expect(entry.hasAfter, "what was made").toBe(true);
  if (DELETE.test(name)) expect(entry.hasBefore, "what was there").toBe(true);
  for (const { text } of entries) {
    expect(text).not.toMatch(PHONE);
    for (const secret of secretsOf(input)) expect(text).not.toContain(secret);
  }
  const { data } = await testServer.call(auditContract.get, by, { params: { id: entry.id } });
  for (const { label } of [...data.changes, ...data.unchanged]) {
    for (const part of label.split(" · ")) expect(part, label).toMatch(READABLE);
  }
}
