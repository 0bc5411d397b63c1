// Promise L2: every writing call of the console adds exactly one entry that says what was done to what.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "../apps/server/src/platform/db.ts";
import { type CallName, type CallRow, callRows } from "./support/call-rows.ts";
import { type Person, useHouse } from "./support/house.ts";
import { makeWorld } from "./support/tenant-world.ts";

const writes = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract)
    .filter(([, spec]: [string, EndpointSpec]) => !isReading(spec))
    .filter(([, spec]) => spec.access !== "public" && spec.access !== "end-user")
    .map(([call, spec]: [string, EndpointSpec]) => {
      const name = `${noun}.${call}` as CallName;
      return { name, spec, row: callRows[name] as CallRow };
    }),
);

const house = useHouse();
let platform: Person;

beforeAll(async () => {
  platform = (await house.makeTenant(1)).people[0];
});

interface Entry {
  tenantId: number;
  actorId: number;
  call: string;
  target: string | null;
  reason: string | null;
  /** JSON null says that there was none. */
  hasBefore: boolean;
  hasAfter: boolean;
  requestId: string;
  text: string;
}

const lastId = async () =>
  (
    await house.database.read("platform", (db) =>
      db.one<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_log`),
    )
  ).id;
const entriesAfter = (id: number) =>
  house.database.read("platform", (db) =>
    db.many<Entry>(sql`
      select tenant_id as "tenantId", actor_id as "actorId", call, target, reason,
        before is not null as "hasBefore", after is not null as "hasAfter",
        request_id as "requestId", to_jsonb(a)::text as text
      from audit_log a where id > ${id} order by id`),
  );

/** Whatever somebody sent that must not be told again. */
function secretsOf(input: object): string[] {
  const found: string[] = [];
  JSON.stringify(input, (name, value: unknown) => {
    const isSecret = /password|secret|privateKey|pem$|apiKey|mapKey|token/i.test(name);
    if (typeof value === "string" && isSecret && value.length > 5) found.push(value);
    return value;
  });
  return found;
}

const describesUpdate = /\.(update|edit|save|modify|change|set|rename|enable|disable|suspend)/;
const describesCreate = /\.(create|add)/;
const describesDelete = /\.(delete|remove)/;

describe.each(writes)("$name", ({ name, spec, row }) => {
  it("adds one entry that names its target", async () => {
    const own = await house.makeTenant();
    const { ids } = await makeWorld(house, own.id, own.people[2]);
    const person = spec.access === "platform" ? platform : own.people[0];
    const before = await lastId();
    const input = row.input(ids);
    const reply = await house.call(spec, person, input);
    const entries = await entriesAfter(before);
    if (row.refusal) {
      expect(reply.errMsg).toContain(row.refusal);
      expect(entries.length).toBeLessThanOrEqual(1);
      return;
    }
    expect(reply, reply.errMsg).toMatchObject({ code: 0 });
    expect(entries).toHaveLength(1);
    const [entry] = entries as [Entry];
    expect(entry).toMatchObject({
      actorId: person.operatorId,
      call: `${spec.method} ${spec.path}`,
    });
    expect(entry.requestId.length).toBeGreaterThanOrEqual(8);
    expect(entry.target, "names the thing").toMatch(/\p{Script=Han}/u);
    const reason = (input.body as { reason?: string } | undefined)?.reason;
    if (reason) expect(entry.reason).toBe(reason);
    if (describesUpdate.test(name)) {
      expect([entry.hasBefore, entry.hasAfter], "before and after").toEqual([true, true]);
    }
    if (describesCreate.test(name)) expect(entry.hasAfter, "after").toBe(true);
    if (describesDelete.test(name)) expect(entry.hasBefore, "before").toBe(true);
    expect(entry.text).not.toMatch(/(?<!\d)1[3-9]\d{9}(?!\d)/);
    for (const secret of secretsOf(input)) expect(entry.text).not.toContain(secret);
  });
});
