// Every list with a time range: the second that a row shows finds the row, and the next second does not.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isOfConsole, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { beforeAll, expect, it } from "vitest";
import type { CallName, CallRow } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { makeWorld, type World } from "./support/tenant-world.ts";
import { type Person, useTestServer } from "./support/test-server.ts";

type Row = Record<string, unknown>;

const lists = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).flatMap(([call, spec]: [string, EndpointSpec]) => {
    const { from } = (spec.query?.properties ?? {}) as Record<string, { format?: string }>;
    const { list } = (spec.reply as { properties?: Row }).properties ?? {};
    const isList = from?.format === "date-time" && list && isReading(spec) && isOfConsole(spec);
    return isList ? [{ name: `${noun}.${call}` as CallName, spec }] : [];
  }),
);

const testServer = useTestServer();
let person: Person;
let platform: Person;
let world: World;
beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  const own = await testServer.makeTenant();
  person = own.people[0];
  world = await makeWorld(testServer, own.id, null);
  const renewal = callRows["cabinet-service.renew"].input(world.ids);
  const { errMsg } = await testServer.call(contracts["cabinet-service"].renew, platform, renewal);
  expect(errMsg).toBe("");
});

async function rowsOf({ name, spec }: (typeof lists)[number], period: Row): Promise<Row[]> {
  const row = callRows[name] as CallRow;
  const as = spec.access === "platform" ? platform : person;
  const input = row.input(world.ids);
  const query = { ...input.query, from: undefined, to: undefined, ...period };
  const { data, errMsg } = await testServer.call(spec, as, { ...input, query });
  expect(errMsg, name).toBe("");
  return (data as { list: Row[] }).list;
}

it.each(lists)("$name", async (list) => {
  const [row] = await rowsOf(list, {});
  expect(row, "the world has a row").toBeDefined();
  const times = Object.values(row ?? {}).filter(
    (it) => typeof it === "string" && /^\d{4}-.*T.*\.(?!000)\d{3}Z$/.test(it),
  ) as string[];
  const isFound = async (second: number) => {
    const at = new Date(second).toISOString();
    const found = await rowsOf(list, { from: at, to: at });
    return found.some((it) => JSON.stringify(it) === JSON.stringify(row));
  };
  const found = [];
  for (const time of times) {
    const second = Math.floor(Date.parse(time) / 1_000) * 1_000;
    if (await isFound(second))
      found.push([await isFound(second - 1_000), await isFound(second + 1_000)]);
  }
  expect(found).toContainEqual([false, false]);
});
