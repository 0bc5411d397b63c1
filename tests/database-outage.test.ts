// Promise O2: without the database, or without a free connection to it, every call answers 503,
// never 500.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { errorText } from "@cabinet/contract/kit/errors.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Database, openDatabase } from "../apps/server/src/platform/db/db.ts";
import { raw, sql } from "../apps/server/src/platform/db/sql.ts";
import { type DatabaseLine, startDatabaseLine } from "./support/database-line.ts";
import { callOpen, makeOpenApp, type OpenCaller } from "./support/open-apps.ts";
import { type AppPerson, type Person, useTestServer } from "./support/test-server.ts";

let line: DatabaseLine;
const testServer = useTestServer({
  hasOutsideBroker: true,
  through: async (url) => {
    line = await startDatabaseLine(url);
    return line.url;
  },
});
let staff: Person;
let rider: AppPerson;
let partner: OpenCaller;

const calls: [string, EndpointSpec][] = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([call, spec]): [string, EndpointSpec] => [`${noun}.${call}`, spec]),
);
const ofAccess = (isOne: (access: EndpointSpec["access"]) => boolean) =>
  calls.filter(([, { access }]) => isOne(access));

beforeAll(async () => {
  staff = (await testServer.makeTenant(1)).people[0];
  const { id: tenantId } = await testServer.makeTenant();
  rider = await testServer.makeAppPerson(tenantId);
  partner = await makeOpenApp(testServer, { tenantId });
});
afterAll(() => line.stop());

const overloaded = { code: 1, data: null, errMsg: errorText("OVERLOADED") };

function ask(spec: EndpointSpec, headers: Record<string, string>, payload?: object) {
  const { method } = spec;
  const url = urlPath(spec).replace(/\{\w+\}/g, "1");
  return send({ method, url, headers, ...(payload && { payload }) });
}

async function send(request: InjectOptions) {
  const reply = await testServer.app.inject(request);
  return { status: reply.statusCode, retryAfter: reply.headers["retry-after"], body: reply.body };
}

function expectOverloaded({ status, retryAfter, body }: Awaited<ReturnType<typeof send>>) {
  expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: "5" });
  expect(JSON.parse(body)).toMatchObject(overloaded);
}

const asStaff = () => ({
  "auth-token": staff.token,
  tenantid: String(staff.tenantId),
  "auth-id": "cupboard",
});

/** Sessionless endpoints that query the database, each with the input that gets it there. */
const openRoads: [string, string, object | undefined][] = [
  ["/device/v1/challenge", "GET", undefined],
  [
    "/device/v1/activate",
    "POST",
    { sn: "A1000001", code: "7K2M9Q4X8W3V5T6R", claim: "c".repeat(22) },
  ],
  ["/api/app/v1/cabinet/A1000001?tenantId=1", "GET", undefined],
  [
    "/api/app/v1/pickup",
    "POST",
    { sn: "A1000001", code: "123456", phoneTail: "1234", agreedFen: 0 },
  ],
  ["/api/app/v1/opening/0193c1a2-7b1c-7d3e-9f00-1234567890ab", "GET", undefined],
];

describe.each([["the database refuses connections", () => line.breakDown(), () => line.restore()]])(
  "%s",
  (_, breakDown, restore) => {
    beforeAll(breakDown);
    afterAll(restore);

    it.each(
      ofAccess((access) => access !== "public" && access !== "end-user" && access !== "partner"),
    )("console: %s answers 503 with Retry-After", async (_name, spec) => {
      expectOverloaded(await ask(spec, asStaff()));
    });

    it.each(ofAccess((access) => access === "end-user"))(
      "app: %s answers 503 with Retry-After",
      async (_name, spec) => {
        expectOverloaded(await ask(spec, { "app-token": rider.token }));
      },
    );

    it.each(ofAccess((access) => access === "partner"))(
      "open API: %s answers 503",
      async (_name, spec) => {
        const { status, code, errMsg } = await callOpen(testServer, partner, spec);
        expect({ status, code, errMsg }).toEqual({
          status: 503,
          code: 1,
          errMsg: errorText("OVERLOADED"),
        });
      },
    );

    it.each(openRoads)("public: %s answers 503 with Retry-After", async (url, method, payload) => {
      expectOverloaded(await send({ method: method as "GET", url, ...(payload && { payload }) }));
    });

    it("live channel: answers 503 with Retry-After", async () => {
      expectOverloaded(await send({ method: "GET", url: LIVE_PATH, headers: asStaff() }));
    });

    it.each(ofAccess((access) => access === "public"))(
      "public: %s answers anything but 500",
      async (_name, spec) => {
        expect((await ask(spec, {}, {})).status).not.toBe(500);
      },
    );

    it("/healthz answers 200, /readyz 503, /metrics with those of the process", async () => {
      expect((await get("/healthz")).statusCode).toBe(200);
      expect((await get("/readyz")).statusCode).toBe(503);
      const metrics = await get("/metrics");
      expect(metrics.statusCode).toBe(200);
      expect(metrics.body).toContain("process_cpu_seconds_total");
    });
  },
);

it("half-dead connections: the call that finds one answers 503, the next one is served", async () => {
  const list = () => ask(contracts.store.list, asStaff());
  expect((await list()).status).not.toBe(503);
  line.cut();
  expectOverloaded(await list());
  expect((await testServer.app.inject({ url: "/readyz" })).statusCode).toBe(200);
});

const get = (url: string) => testServer.app.inject({ url });

/** Makes the next read fail in one of these statements. */
function failIn(...statements: string[]) {
  const { read } = Database.prototype;
  vi.spyOn(Database.prototype, "read").mockImplementationOnce(function (
    this: Database,
    scope,
    work,
    first,
  ) {
    const failing: typeof work = async (db, rows) => {
      for (const statement of statements) await db.run(raw(statement));
      return work(db, rows);
    };
    return read.call(this, scope, failing, first) as ReturnType<typeof work>;
  });
}

it("statement timeout: the call answers 503 with Retry-After", async () => {
  failIn("set local statement_timeout = 20", "select pg_sleep(5)");
  expectOverloaded(await ask(contracts.store.list, asStaff()));
});

it("full disk of the database: the call answers 503, and the server is not ready", async () => {
  failIn("do $$ begin raise 'No space left on device' using errcode = 'disk_full'; end $$");
  expectOverloaded(await ask(contracts.store.list, asStaff()));
  await expect.poll(async () => (await get("/readyz")).json()).toMatchObject({ write: false });
});

it("server that has become read only: its connections are given up, and a new one writes", async () => {
  const { url } = testServer;
  const database = openDatabase(url, { max: 1 });
  const write = () => database.unscoped(sql`delete from session where expires_at < now()`);
  await database.pool.query("set default_transaction_read_only = on");
  await expect(write()).rejects.toMatchObject({ code: "NO_CONNECTION" });
  expect(await write()).toEqual([]);
  await database.close();
});
