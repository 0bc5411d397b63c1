// Malformed requests: every call of the contract refuses them in the envelope, without a 5xx or a
// logged error.
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { contracts } from "@cabinet/contract/contracts.ts";
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
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
  type CallResult,
  type Person,
  useTestServer,
} from "./support/test-server.ts";

const logged: string[] = [];
const log = pino({ level: "error" }, { write: (line) => void logged.push(line) });
const testServer = useTestServer({ log });
const agent = new Agent({ keepAlive: true });
let world: World;
let platform: Person;
/** Refusals of one account wait for each other. */
const platforms: Person[] = [];
let turn = 0;
let rider: AppPerson;
let partner: OpenCaller;

const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([call, spec]) => {
    const name = `${noun}.${call}` as CallName;
    return { name, spec: spec as EndpointSpec, row: callRows[name] as CallRow };
  }),
);

beforeAll(async () => {
  for (let n = 0; n < 8; n++) platforms.push((await testServer.makeTenant(1)).people[0]);
  platform = platforms[0] as Person;
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
  const as =
    spec.access === "end-user"
      ? rider
      : isOfConsole(spec)
        ? (platforms[turn++ % platforms.length] ?? null)
        : null;
  return testServer.call<EndpointSpec>(spec, as, input);
}

async function expectRefused(spec: EndpointSpec, input: CallInput, what: string) {
  const { status, code, errMsg } = await send(spec, input);
  const isRefused = (status === 200 || (status >= 400 && status < 500)) && code === 1;
  expect.soft(isRefused, `${what}: ${status} ${code} ${errMsg}`).toBe(true);
}

async function expectIllFormed(spec: EndpointSpec, input: CallInput, what: string) {
  const reply = (await send(spec, input)) as CallResult<unknown> & { errCode?: string };
  const { status, errCode, errMsg } = reply;
  const shown = `${what}: ${status} ${errCode} ${errMsg}`;
  expect.soft([status < 500, errCode], shown).toEqual([true, "VALIDATION"]);
  expect.soft(errMsg, shown).toContain("无法保存的字符");
}

const credentials = () => ({
  "auth-token": platform.token,
  tenantid: String(platform.tenantId),
  "app-token": rider.token,
});

let senders = 0;
/** Each from an address of its own: refusals of one address wait for each other. */
const anotherAddress = () => `2001:db8:${(++senders % 65_536).toString(16)}::1`;

/** Sends a path byte for byte, as `curl --path-as-is` does. */
async function sendPath(method: string, path: string, given: Record<string, string> = {}) {
  const { port } = testServer.app.server.address() as AddressInfo;
  const headers = { "x-forwarded-for": anotherAddress(), ...given };
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

  it("half a surrogate pair and NUL in any text or name: VALIDATION with a sentence", async () => {
    const good = row.input(world.ids);
    // A query and a form cannot carry half a pair: their bytes are tested below.
    const isJson = spec.bodyForm === undefined || spec.bodyForm === "json";
    for (const [way, field] of fieldsOf(spec.body as Schema | undefined, ["body"])) {
      const isObject = isOf(field, "object");
      if (!isJson || !(isObject || isOf(field, "string"))) continue;
      for (const text of ["\ud800x", "x\udc00", "a\0b"]) {
        const input = placed(good, isObject ? [...way, text] : way, isObject ? 1 : text);
        if (input) await expectIllFormed(spec, input, `${way.join(".")} = ${escape(text)}`);
      }
    }
    for (const part of ["query", "params"] as const) {
      for (const [way, field] of fieldsOf(spec[part] as Schema | undefined, [part])) {
        const input = isOf(field, "string") && placed(good, way, "a\0b");
        if (input) await expectIllFormed(spec, input, way.join("."));
      }
    }
  });

  it("a query that is not UTF-8: VALIDATION with a sentence", async () => {
    const path = urlPath(spec).replace(/\{\w+\}/g, "1");
    for (const text of ["%ED%A0%80", "%ff", "%zz"]) {
      for (const query of [`text=${text}`, `${text}=1`]) {
        const { body } = await sendPath(spec.method, `${path}?${query}`, credentials());
        expect.soft(JSON.parse(body).errCode, body).toBe("VALIDATION");
        expect.soft(JSON.parse(body).errMsg).toContain("UTF-8");
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

const { saveProfile } = accountContract;

/** Sends bytes that `inject` and Node's client do not. */
async function sendRaw(...lines: (string | Buffer)[]) {
  const { port } = testServer.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.write(Buffer.concat(lines.map((line) => Buffer.from(line))));
  const answer = Buffer.concat(await socket.toArray()).toString();
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), ...JSON.parse(body) };
}

it.each([
  ["utf-16", 415],
  ["iso-8859-1", 415],
  ['"GBK"', 415],
  ["utf-8", 200],
  ["UTF8", 200],
])("charset %s of a body: status %i", async (charset, status) => {
  const { username } = platform;
  const { statusCode, body } = await testServer.app.inject({
    ...{ method: saveProfile.method, url: urlPath(saveProfile) },
    headers: { ...credentials(), "content-type": `application/json; charset=${charset}` },
    payload: JSON.stringify({ displayName: username, phone: "" }),
  });
  expect(statusCode, body).toBe(status);
  if (status !== 200) expect(body).toContain("应为 application/json; charset=utf-8");
});

it.each([
  ["application/json", Buffer.from('{"displayName":"\xff","phone":""}', "latin1")],
  ["application/json", Buffer.from('{"displayName":"\xed\xa0\x80","phone":""}', "latin1")],
  ["application/x-www-form-urlencoded", Buffer.from("username=\xff&password=x", "latin1")],
  ["application/x-www-form-urlencoded", Buffer.from("username=%ff&password=x")],
])("a body of %s that is not UTF-8: refused with a sentence (%#)", async (type, body) => {
  const spec = type === "application/json" ? saveProfile : authContract.login;
  const headers = Object.entries({ ...credentials(), "content-type": type });
  const reply = await sendRaw(
    `${spec.method} ${urlPath(spec)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`,
    ...headers.map(([name, value]) => `${name}: ${value}\r\n`),
    `Content-Length: ${body.length}\r\n\r\n`,
    body,
  );
  expect(reply).toMatchObject({ errCode: "VALIDATION", errMsg: expect.stringContaining("UTF-8") });
});

it.each(["/healthz", "/api/auth/token/admin/login", "/nothing"])(
  "two hosts at %s: 400",
  async (path) => {
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(head)).toMatchObject({ status: 400, errCode: "BAD_REQUEST" });
  },
);

it("a multipart field that is not UTF-8: refused with a sentence", async () => {
  const { name, spec } = uploads.find(
    ({ spec }) => spec.access !== "end-user",
  ) as (typeof uploads)[0];
  const part = (head: string, body: string) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const { body } = await testServer.app.inject({
    ...{ method: spec.method, url: urlPath(spec) },
    headers: { ...credentials(), "content-type": "multipart/form-data; boundary=b" },
    payload: Buffer.from(`${part('name="text"', "\xff")}--b--\r\n`, "latin1"),
  });
  expect(JSON.parse(body).errMsg, name).toContain("UTF-8");
});
