// Updates of the contract: leaving out an optional field changes nothing in the record.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { join, raw, sql } from "../apps/server/src/platform/db/sql.ts";
import type { CallName, CallRow, Ids } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { makeWorld } from "./support/tenant-world.ts";
import { type CallInput, useTestServer } from "./support/test-server.ts";
import { updateSamples } from "./support/update-samples.ts";

const testServer = useTestServer();
// The firmware and menu entries that makeWorld inserts belong to the platform tenant.
beforeAll(() => testServer.makeTenant(1));

/** Fields that select the record or the door, or are only written to the log. */
const NOT_OF_THE_RECORD = new Set([
  "id",
  "tenantId",
  "editVersion",
  "reason",
  "side",
  "afterDoubt",
]);
/** Without a store the call addresses the tenant's rule, which is another record. */
const ADDRESSES: Partial<Record<CallName, string>> = { "pricing.save": "storeId" };

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>;
  required?: string[];
}

/** Paths of optional fields, also within required objects (`config.volume`). */
function optionalFields({ properties = {}, required = [] }: ObjectSchema, prefix = ""): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    return required.includes(name) ? optionalFields(field, `${path}.`) : [path];
  });
}

/** True if the call changes an existing record: a PUT, or a POST that names one. */
function isUpdate({ method, path, body }: EndpointSpec): boolean {
  return method === "PUT" || path.includes("{") || Boolean(body?.properties.id);
}

const partOf = ({ query }: EndpointSpec) => (query ? "query" : "body");

const updates = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract as Record<string, EndpointSpec>).flatMap(([call, spec]) => {
    const name = `${noun}.${call}` as CallName;
    // A simulator keeps the state of its cabinets; no record of the platform changes.
    if (noun === "simulated-cabinet") return [];
    if (isReading(spec) || spec.method === "DELETE" || !isUpdate(spec)) return [];
    const optional = optionalFields((spec[partOf(spec)] ?? {}) as ObjectSchema).filter(
      (field) => !NOT_OF_THE_RECORD.has(field) && ADDRESSES[name] !== field,
    );
    return optional.length > 0 ? [{ name, spec, optional }] : [];
  }),
);

type Fields = Record<string, unknown>;

function withFields(base: Fields, fields: Fields): Fields {
  const made = structuredClone(base);
  for (const [path, value] of Object.entries(fields)) {
    const [outer = "", inner] = path.split(".");
    if (inner) (made[outer] as Fields)[inner] = value;
    else made[outer] = value;
  }
  return made;
}

function withoutFields(base: Fields, paths: readonly string[]): Fields {
  const made = structuredClone(base);
  for (const path of paths) {
    const [outer = "", inner] = path.split(".");
    if (inner) delete (made[outer] as Fields)[inner];
    else delete made[outer];
  }
  return made;
}

const VERSIONS = new Set(["editVersion", "version", "desiredConfigVersion"]);

/** Increments each version field, as the first call did in the database. */
function withNextVersions(fields: Fields): Fields {
  const next = Object.entries(fields).map(([name, value]) => [
    name,
    VERSIONS.has(name) ? Number(value) + 1 : value,
  ]);
  return Object.fromEntries(next);
}

/** Journals, queues and keys grow with each call; they are not records. */
const LOGS =
  /^(audit|idempotency|session$|login_log|live_|list_export|tenant_use)|(_event|_record|_lock)$/;
/** Columns for when, by whom and how often a record was saved, and for the result of a check. */
const VOLATILE = `edit_version version edited_at edited_by updated_at last_seen_at locked_at
  check_state check_text checked_at used_at`.split(/\s+/);

/** Sorted rows of each table as text, by table name. */
async function records(): Promise<Record<string, string>> {
  return testServer.database.read("platform", async (db) => {
    const tables = await db.many<{ name: string }>(sql`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and has_table_privilege(oid, 'select')
      order by 1`);
    const kept = tables.filter(({ name }) => !LOGS.test(name));
    const rows = await db.many<{ name: string; rows: string }>(
      join(
        kept.map(
          ({ name }) => sql`
            select ${name} as name, coalesce(string_agg(row::text, chr(10) order by row::text), '')
              as rows
            from (select to_jsonb(source_row) - ${VOLATILE}::text[] as row
              from ${raw(name)} source_row) listed`,
        ),
        " union all ",
      ),
    );
    return Object.fromEntries(rows.map(({ name, rows: text }) => [name, text]));
  });
}

const cases = updates.flatMap((update) =>
  (updateSamples[update.name] ?? []).map((sample, at) => ({ ...update, sample, at })),
);

describe("updates of the contract", () => {
  it("each optional field has a sample", () => {
    const ids = new Proxy({} as Ids, { get: () => 1 });
    for (const { name, optional } of updates) {
      const row: CallRow = callRows[name];
      const { body, query } = row.input(ids);
      const sampled = (updateSamples[name] ?? []).flatMap((sample) => [
        ...Object.keys({ ...body, ...query }),
        ...Object.keys(sample.fields(ids)),
      ]);
      expect(sampled, name).toEqual(expect.arrayContaining(optional));
    }
    expect(Object.keys(updateSamples).sort()).toEqual(updates.map(({ name }) => name).sort());
  });

  it.each(cases)("$name ($at): left out optional fields change nothing", async (given) => {
    const { name, spec, optional, sample } = given;
    const { 0: as } = (await testServer.makeTenant(1)).people;
    const { id, people } = await testServer.makeTenant();
    const { ids } = await makeWorld(testServer, id, people[2]);
    const row: CallRow = callRows[name];
    const input: CallInput = row.input(ids);
    const part = partOf(spec);
    const full = withFields((input[part] ?? {}) as Fields, sample.fields(ids));

    const untouched = await records();
    const first = await testServer.call(spec, as, { ...input, [part]: full });
    expect(first.errMsg).toBe("");
    const before = await records();
    expect(before).not.toEqual(untouched);

    const again = { ...withNextVersions(full), ...(await sample.again?.(testServer, as, ids)) };
    const second = await testServer.call(spec, as, {
      ...input,
      [part]: withoutFields(again, optional),
    });
    if (sample.refusal) expect(second.errMsg).toContain(sample.refusal);
    else expect(second.errMsg).toBe("");
    expect(await records()).toEqual(before);
  });
});
