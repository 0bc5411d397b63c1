// Malformed requests: every call of the contract refuses them in the envelope, without a 5xx or a
// logged error.
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isOfConsole, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CallName, CallRow } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { callOpen, type OpenCaller, openCallerOf } from "./support/open-apps.ts";
import { fieldsOf, isOf, parts, placed, type Schema } from "./support/schema-fields.ts";
import { makeWorld, type World } from "./support/tenant-world.ts";
import {
  type AppPerson,
  type CallInput,
  type Person,
  useTestServer,
} from "./support/test-server.ts";

const logged: string[] = [];
const log = pino({ level: "error" }, { write: (line) => void logged.push(line) });
const testServer = useTestServer({ log });
const agent = new Agent({ keepAlive: true });
let world: World;
let platform: Person;
let rider: AppPerson;
let partner: OpenCaller;

const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([call, spec]) => {
    const name = `${noun}.${call}` as CallName;
    return { name, spec: spec as EndpointSpec, row: callRows[name] as CallRow };
  }),
);

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  const { id } = await testServer.makeTenant();
  world = await makeWorld(testServer, id, null);
  rider = await testServer.makeAppPerson(id, world.ids.endUserId);
  partner = await openCallerOf(testServer, world.ids);
  await testServer.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => agent.destroy());
afterEach(() => {
  expect(logged.splice(0).slice(0, 3)).toEqual([]);
});

function send(spec: EndpointSpec, input: CallInput) {
  if (spec.access === "partner") return callOpen(testServer, partner, spec, input);
  const as = spec.access === "end-user" ? rider : isOfConsole(spec) ? platform : null;
  return testServer.call<EndpointSpec>(spec, as, input);
}

async function expectRefused(spec: EndpointSpec, input: CallInput, what: string) {
  const { status, code, errMsg } = await send(spec, input);
  const isRefused = (status === 200 || (status >= 400 && status < 500)) && code === 1;
  expect.soft(isRefused, `${what}: ${status} ${code} ${errMsg}`).toBe(true);
}

/** Sends a path byte for byte, as `curl --path-as-is` does. */
async function sendPath(method: string, path: string, headers: Record<string, string> = {}) {
  const { port } = testServer.app.server.address() as AddressInfo;
  const sent = request({ agent, host: "127.0.0.1", port, method, path, headers });
  sent.end();
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  return { status: reply.statusCode ?? 0, body: await text(reply) };
}

async function expectPathRefused(method: string, path: string, headers = {}) {
  const { status, body } = await sendPath(method, path, headers);
  const shown = `${method} ${path.slice(0, 120)}: ${status} ${body.slice(0, 200)}`;
  expect.soft(status >= 400 && status < 500, shown).toBe(true);
  expect.soft(JSON.parse(body), shown).toMatchObject({ code: 1, data: null });
  expect.soft(body, shown).not.toMatch(/FST_|Error/);
}

const numbers = ["Infinity", "-Infinity", "1e400", "0x10", "1e3", "1".repeat(400), "NaN", " 1"];
const times = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-14:00",
  "2026-11-22T23:59:60Z",
];

function badValues(field: Schema, isText: boolean): string[] {
  if (isText && (isOf(field, "integer") || isOf(field, "number"))) return numbers;
  if (field.format === "date") return ["0000-01-01", "0000-02-30"];
  return field.format === "date-time" ? times : [];
}

describe.each(calls)("$name", ({ spec, row }) => {
  it("malformed numbers and dates: refused", async () => {
    const good = row.input(world.ids);
    for (const part of parts) {
      const isText = part !== "body" || (spec.bodyForm ?? "json") !== "json";
      for (const [way, field] of fieldsOf(spec[part] as Schema | undefined, [part])) {
        for (const value of badValues(field, isText)) {
          const input = placed(good, way, value);
          if (input) await expectRefused(spec, input, `${way.join(".")} = ${value.slice(0, 40)}`);
        }
      }
    }
  });

  it("malformed paths: refused", async () => {
    const path = urlPath(spec).replace(/\{\w+\}/g, "1");
    const forms = [
      `/${path}`,
      path.replace(/\/(\w+)$/, "//$1"),
      `${path}/%00`,
      `${path}/%zz`,
      `${path}/../../../../etc/passwd`,
      `${path}/%2e%2e/%2e%2e/package.json`,
      `${path}/..%5c..%5cpackage.json`,
      `${path}/${"a".repeat(5_000)}`,
    ];
    for (const form of forms) await expectPathRefused(spec.method, form);
    if (!spec.params) return;
    const long = urlPath(spec).replace(/\{\w+\}/g, "1".repeat(5_000));
    await expectPathRefused(spec.method, long);
  });
});

const uploads = calls.filter(({ spec }) => spec.bodyForm === "multipart");
it.each(uploads)("$name: a malformed multipart body is refused", async ({ spec }) => {
  const credentials = { "auth-token": platform.token, tenantid: String(platform.tenantId) };
  const path = urlPath(spec).replace(/\{\w+\}/g, "1");
  for (const parameters of ["", "; boundary=", '; boundary=""', `; boundary=${"b".repeat(300)}`]) {
    const headers = { ...credentials, "content-type": `multipart/form-data${parameters}` };
    await expectPathRefused(spec.method, path, headers);
  }
});

it.each([
  "//",
  "//etc/passwd",
  "/%00",
  "/assets/%00",
  "/assets/../../package.json",
  "/%2e%2e/%2e%2e/package.json",
  "/assets/..%5c..%5cpackage.json",
  "/doc/../../../../etc/passwd",
  `/${"a".repeat(5_000)}.txt`,
  "/%zz",
])("static files of the console: %s is refused", async (path) => {
  await expectPathRefused("GET", path, { accept: "text/html,*/*" });
});
