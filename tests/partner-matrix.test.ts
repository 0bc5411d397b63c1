// Promises T1 and T2 for third parties: records of other applications, in their tenant or another,
// do not exist for them.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { openErrors } from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { openApiRoutes } from "../apps/server/src/features/partners/open-api/index.ts";
import type { Partner } from "../apps/server/src/platform/context.ts";
import type { Scope } from "../apps/server/src/platform/db/db.ts";
import { Refusal } from "../apps/server/src/platform/errors.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { type CallName, type CallRow, type Ids, idsNamedBy } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { callOpen, makeOpenApp, type OpenCaller, openCallerOf } from "./support/open-apps.ts";
import { fingerprint, makeWorld, nobodysIds, reusing, type World } from "./support/tenant-world.ts";
import { type Person, useTestServer } from "./support/test-server.ts";

const testServer = useTestServer();
/** Tables that every call may change: its log entry, its nonce and the key's last use. */
const records = ["open_call", "open_nonce", "open_app_key"];
const calls = Object.entries(contracts["open-api"]).map(([call, spec]) => {
  const name = `open-api.${call}` as CallName;
  return { name, spec: spec as EndpointSpec, row: callRows[name] as CallRow };
});

interface Place {
  world: World;
  /** Owns the order in the world's cabinet. */
  owner: OpenCaller;
  /** Application of the same tenant without any order. */
  neighbour: OpenCaller;
}

async function makePlace(): Promise<Place> {
  const { id } = await testServer.makeTenant();
  const world = await makeWorld(testServer, id, null);
  const owner = await openCallerOf(testServer, world.ids);
  return { world, owner, neighbour: await makeOpenApp(testServer, { tenantId: id }) };
}

async function answer(spec: EndpointSpec, as: OpenCaller | null, row: CallRow, ids: Ids) {
  const {
    requestId: _,
    headers: __,
    ...reply
  } = await callOpen(testServer, as, spec, row.input(ids));
  return reply;
}

function expectNoMarks(reply: unknown, { marks }: World): void {
  const text = JSON.stringify(reply);
  for (const mark of marks) expect(text).not.toContain(mark);
}

let here: Place;
let there: Place;
let operator: Person;
const answerChanging = reusing(makePlace);
beforeAll(async () => {
  await testServer.makeTenant(1);
  here = await makePlace();
  there = await makePlace();
  operator = (await testServer.makeTenant()).people[0];
});

describe.each(calls)("$name", ({ spec, row }) => {
  it("missing, wrong or console credentials: 401 before any lookup", async () => {
    const signedIn = { "auth-token": operator.token, tenantid: String(operator.tenantId) };
    for (const as of [
      null,
      { ...here.owner, secret: "cabsk_wrong" },
      { ...here.owner, kid: "k-none" },
    ]) {
      expect(await answer(spec, as, row, here.world.ids)).toMatchObject({
        ...{ status: 401, data: null, errCode: "PARTNER_UNPROVEN" },
      });
    }
    const input = { ...row.input(here.world.ids), headers: signedIn };
    expect(await callOpen(testServer, null, spec, input)).toMatchObject({ status: 401 });
  });

  it("owner: the call succeeds or refuses as its row says", async () => {
    const ask = ({ world, owner }: Place) => answer(spec, owner, row, world.ids);
    const { reply } = isReading(spec)
      ? { reply: await ask(here) }
      : await answerChanging(ask, ({ status, errMsg }) =>
          row.refusal ? errMsg.includes(row.refusal) : status === 200,
        );
    if (row.refusal) {
      expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(row.refusal) });
      expect(Object.keys(openErrors)).toContain(reply.errCode);
    } else expect(reply, reply.errMsg).toMatchObject({ status: 200, code: 0 });
  });

  it("another application's id: same answer as a nonexistent id, nothing changes", async () => {
    const looks = () =>
      Promise.all([
        fingerprint(testServer, here.owner.tenantId, records),
        fingerprint(testServer, there.owner.tenantId),
      ]);
    const before = await looks();
    const named = idsNamedBy(row, here.world.ids);
    for (const kind of named) {
      const ask = (as: OpenCaller, ids: Ids) =>
        answer(spec, as, row, { ...nobodysIds, [kind]: ids[kind] });
      const missing = await ask(here.neighbour, nobodysIds);
      expect(missing).toMatchObject({ status: 404, errCode: "NOT_FOUND" });
      expect(await ask(here.neighbour, here.world.ids), kind).toEqual(missing);
      expect(await ask(here.owner, there.world.ids), kind).toEqual(missing);
    }
    if (named.length === 0) {
      expectNoMarks(await answer(spec, here.owner, row, here.world.ids), there.world);
    } else expect(await looks()).toEqual(before);
    expect(await fingerprint(testServer, there.owner.tenantId)).toBe(before[1]);
  });
});

describe("application check and row-level security, each alone", () => {
  const routes = openApiRoutes;

  function outcome(spec: EndpointSpec, scope: Scope, as: Partner, input: object) {
    const route = routes.find((known) => (known.spec as EndpointSpec) === spec);
    const origin = { requestId: "test", address: "127.0.0.1", network: "", userAgent: "" };
    const log = createLog("silent");
    return testServer.database
      .transaction(scope, async (db) =>
        route?.handler({ db, partner: as, origin, log, about: () => {} }, input),
      )
      .catch((error: unknown) => {
        if (error instanceof Refusal) return error.text;
        // 42501: row-level security refuses a row of another tenant. "no row": nothing is visible
        // there.
        const { code } = error as { code?: string };
        if (code === "42501" || (error as Error).message.startsWith("no row")) return null;
        throw error;
      });
  }

  const partnerOf = ({ tenantId, appId, code }: OpenCaller): Partner => ({
    ...{ tenantId, appId, code, name: "应用", ratePerMinute: 600, isSettling: true },
    reserveSharePercent: 100,
    isTenantOpen: true,
    offFeatures: [],
    scopes: new Set(["order:read", "order:write", "order:open", "cabinet:read"]),
  });

  it.each(calls)("$name: returns nothing of another tenant", async ({ spec, row }) => {
    const given = row.input(there.world.ids);
    const body = { itemNote: "", reserveMinutes: 15, opensDoor: false, ...given.body };
    const input = { params: {}, ...given, body, query: { limit: 100, ...given.query } };
    const before = await fingerprint(testServer, there.owner.tenantId);
    // Owner's credentials, transaction of another tenant: row-level security alone protects.
    const scope = { tenantId: here.owner.tenantId };
    expectNoMarks(await outcome(spec, scope, partnerOf(there.owner), input), there.world);
    // Platform transaction sees all rows: only the handler's own check protects.
    expectNoMarks(await outcome(spec, "platform", partnerOf(here.owner), input), there.world);
    expect(await fingerprint(testServer, there.owner.tenantId)).toBe(before);
  });
});

/** Promise I1: any signed input gets a documented answer. */
describe("fuzz", () => {
  const junk = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constantFrom(null, true, "", "\u0000", "1e9", -1, 2 ** 53, [], {}, "1 or 1=1", "'; --"),
    fc.array(fc.string(), { maxLength: 3 }),
  );

  it.each(calls)("$name", async ({ spec, row }) => {
    const names = [spec.params, spec.query, spec.body].map((part) =>
      Object.keys(part?.properties ?? {}),
    );
    const [paramNames = [], queryNames = [], bodyNames = []] = names;
    const fieldsOf = (keys: string[]) =>
      fc.record(Object.fromEntries([...keys, "nonsense"].map((key) => [key, junk])), {
        requiredKeys: [],
      });
    // No URL can carry them: they name the folder or the one above.
    const isSendable = (params: object) =>
      Object.values(params).every((value) => !/^\.{1,2}$/.test(String(value)));
    await fc.assert(
      fc.asyncProperty(
        fieldsOf(paramNames).filter(isSendable),
        fieldsOf(queryNames),
        fieldsOf(bodyNames),
        fc.boolean(),
        async (params, query, body, isRaw) => {
          const good = row.input(here.world.ids);
          const written = Object.fromEntries(
            Object.entries(query).map(([name, value]) => [name, JSON.stringify(value) ?? ""]),
          );
          const reply = await callOpen(
            testServer,
            here.owner,
            spec,
            {
              ...(spec.params && { params: { ...good.params, ...params } }),
              query: { ...good.query, ...written },
              ...(spec.method === "POST" && { body: { ...good.body, ...body } }),
            },
            isRaw && spec.method === "POST"
              ? { raw: Buffer.from(JSON.stringify(body).slice(1)), contentType: "application/json" }
              : {},
          );
          expect([200, 400, 404, 409, 414, 422], JSON.stringify(reply)).toContain(reply.status);
          if (reply.status !== 200) expect(reply.errCode ?? "ROUTE_NOT_FOUND").toMatch(/^[A-Z_]+$/);
        },
      ),
      { numRuns: 12 },
    );
  });
});
