// Promise I1: every number that a call takes has bounds, and with whatever lies at them nothing breaks.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isOfConsole, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { CallName, CallRow } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { fieldsOf, isOf, parts, placed, type Schema } from "./support/schema-fields.ts";
import { makeWorld, type World } from "./support/tenant-world.ts";
import { type AppPerson, type Person, useTestServer } from "./support/test-server.ts";

/** What is allowed, but what nobody means: the bounds, the first and the last of days. */
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

it("bounds every number that comes in", () => {
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

// Third parties sign what they send: their fuzz is in the matrix of theirs. Who signs out is nobody afterwards.
const probed = calls.filter(
  ({ name, spec }) => spec.access !== "partner" && name !== "auth.logout",
);
/** What only asks, then what changes something, and last what takes things away for all that come after. */
const stages = [
  { stage: "asking", of: probed.filter(({ spec }) => isReading(spec)) },
  { stage: "changing", of: probed.filter(({ spec }) => !isReading(spec) && !isTaking(spec)) },
  { stage: "taking away", of: probed.filter(({ spec }) => !isReading(spec) && isTaking(spec)) },
];
function isTaking({ method, access }: EndpointSpec): boolean {
  return method === "DELETE" || access === "platform";
}

describe("what lies at the bounds breaks nothing", () => {
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

  describe.each(stages)("$stage", ({ of }) => {
    it.each([...new Set(of.map(({ noun }) => noun))])("of %s", async (noun) => {
      for (const call of of) if (call.noun === noun) await probe(call);
    });
  });
});
