// Promise I1: every numeric input of a call has bounds, and no value at its bounds causes a 5xx.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isOfConsole, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { CallName, CallRow } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { fieldsOf, isOf, parts, placed, type Schema } from "./support/schema-fields.ts";
import { makeWorld, type World } from "./support/tenant-world.ts";
import { type AppPerson, type Person, useTestServer } from "./support/test-server.ts";

/** Allowed values that no client means: both bounds, the first and the last calendar day. */
function absurdities(schema: Schema): unknown[] {
  if (schema.enum || schema.const !== undefined) return [];
  if (isOf(schema, "integer") || isOf(schema, "number")) return [schema.minimum, schema.maximum];
  if (schema.format === "date") return ["0001-01-01", "1000-01-01", "2999-12-31"];
  if (schema.format === "date-time") return ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"];
  return [];
}

const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([call, spec]) => {
    const name = `${noun}.${call}` as CallName;
    return { noun, name, spec: spec as EndpointSpec, row: callRows[name] as CallRow };
  }),
);

it("every numeric input of a call has a minimum and a maximum", () => {
  const unbounded = calls.flatMap(({ name, spec }) =>
    parts.flatMap((part) =>
      [...fieldsOf(spec[part] as Schema | undefined, [part])]
        .filter(([, field]) => isOf(field, "integer") || isOf(field, "number"))
        .filter(([, field]) => field.const === undefined && !field.enum)
        .filter(([, { minimum, maximum }]) => minimum === undefined || maximum === undefined)
        .map(([way]) => `${name} ${way.join(".")}`),
    ),
  );
  expect(unbounded).toEqual([]);
});

// The open API's fuzz test is in partner-matrix.test.ts: its requests are signed. A logout would
// leave the following probes without a session.
const probed = calls.filter(
  ({ name, spec }) => spec.access !== "partner" && name !== "auth.logout",
);
/**
 * Reads first, then writes; deletions and platform calls last, because later probes need the rows.
 */
const groups = [
  { group: "reads", of: probed.filter(({ spec }) => isReading(spec)) },
  { group: "writes", of: probed.filter(({ spec }) => !isReading(spec) && !isTaking(spec)) },
  {
    group: "deletions and platform calls",
    of: probed.filter(({ spec }) => !isReading(spec) && isTaking(spec)),
  },
];
function isTaking({ method, access }: EndpointSpec): boolean {
  return method === "DELETE" || access === "platform";
}

describe("boundary values never cause a 5xx", () => {
  const testServer = useTestServer();
  let platform: Person;
  let rider: AppPerson;
  let world: World;
  beforeAll(async () => {
    platform = (await testServer.makeTenant(1)).people[0];
    const { id } = await testServer.makeTenant();
    world = await makeWorld(testServer, id, null);
    rider = await testServer.makeAppPerson(id, world.ids.endUserId);
  });

  async function probe({ name, spec, row }: (typeof calls)[number]) {
    const as = spec.access === "end-user" ? rider : isOfConsole(spec) ? platform : null;
    const good = row.input(world.ids);
    for (const part of parts) {
      for (const [way, field] of fieldsOf(spec[part] as Schema | undefined, [part])) {
        for (const value of absurdities(field)) {
          const input = placed(good, way, value);
          if (!input) continue;
          const { status, errMsg } = await testServer.call<EndpointSpec>(spec, as, input);
          expect.soft(status, `${name} ${way.join(".")} = ${value}: ${errMsg}`).toBeLessThan(500);
        }
      }
    }
  }

  describe.each(groups)("$group", ({ of }) => {
    it.each([...new Set(of.map(({ noun }) => noun))])("calls of %s", async (noun) => {
      for (const call of of) if (call.noun === noun) await probe(call);
    });
  });
});
