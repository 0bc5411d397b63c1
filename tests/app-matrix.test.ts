// Promises T1 and T2 for riders and recipients: records of other people, in their tenant or
// another, do not exist for them.
import { randomUUID } from "node:crypto";
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isReading } from "@cabinet/contract/kit/endpoint.ts";
import type { ReceivedFile } from "@cabinet/contract/kit/upload.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { Captcha } from "../apps/server/src/features/identity/auth/index.ts";
import { appSubscriptionRoutes } from "../apps/server/src/features/messaging/template/index.ts";
import {
  appNoticeRoutes,
  appOrderRoutes,
  appPageRoutes,
  appRoutes,
  appWalletRoutes,
} from "../apps/server/src/features/orders/app/index.ts";
import type { EndUser } from "../apps/server/src/platform/context.ts";
import type { Scope } from "../apps/server/src/platform/db/db.ts";
import { Refusal } from "../apps/server/src/platform/errors.ts";
import { insertStoredObject } from "../apps/server/src/platform/files/stored-object.sql.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { type CallName, type CallRow, type Ids, idsNamedBy } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { fingerprint, makeWorld, nobodysIds, reusing, type World } from "./support/tenant-world.ts";
import { type AppPerson, useTestServer } from "./support/test-server.ts";

const captcha = new Captcha("test");
const routes = [
  ...appRoutes(captcha),
  ...appNoticeRoutes,
  ...appOrderRoutes(captcha),
  ...appPageRoutes(false),
  ...appSubscriptionRoutes,
  ...appWalletRoutes,
];
const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract)
    .filter(([, spec]) => (spec as EndpointSpec).access === "end-user")
    .map(([call, spec]) => {
      const name = `${noun}.${call}` as CallName;
      return { name, spec: spec as EndpointSpec, row: callRows[name] as CallRow };
    }),
);

const testServer = useTestServer();
/** Calls whose result is the same for all app users of a tenant. */
const offers: CallName[] = [
  "app.agree",
  "app-notice.announcements",
  "app-notice.readAnnouncement",
  "app-notice.faq",
  "app-wallet.packages",
  "app-wallet.buyPackage",
  "app-wallet.topUp",
  "app-page.uploadPhoto",
];

interface Place {
  world: World;
  /** Owns the order in the world's cabinet. */
  owner: AppPerson;
  /** App user of the same tenant without any order. */
  neighbour: AppPerson;
}

async function makePlace(): Promise<Place> {
  const { id } = await testServer.makeTenant();
  const world = await makeWorld(testServer, id, null);
  const owner = await testServer.makeAppPerson(id, world.ids.endUserId);
  return { world, owner, neighbour: await testServer.makeAppPerson(id) };
}

/** Places that no call changes. */
let here: Place;
let there: Place;
let states: { here: string; there: string };
let operatorToken: string;
beforeAll(async () => {
  // The firmware that makeWorld inserts belongs to the platform tenant.
  await testServer.makeTenant(1);
  here = await makePlace();
  there = await makePlace();
  states = await currentStates();
  operatorToken = (await testServer.makeTenant()).people[0].token;
});

const currentStates = async () => ({
  here: await fingerprint(testServer, here.owner.tenantId),
  there: await fingerprint(testServer, there.owner.tenantId),
});
const answerChanging = reusing(makePlace);

async function answer(spec: EndpointSpec, as: AppPerson | null, row: CallRow, ids: Ids) {
  const { requestId: _, ...reply } = (await testServer.call(spec, as, row.input(ids))) as Awaited<
    ReturnType<typeof testServer.call>
  > & { requestId?: string };
  return reply;
}

type Answered = Awaited<ReturnType<typeof answer>>;

function expectNoMarks(reply: unknown, { marks }: World): void {
  const text = JSON.stringify(reply);
  for (const mark of marks) expect(text).not.toContain(mark);
}

it("every call of the app has a handler", () => {
  expect(calls.length).toBeGreaterThan(8);
  const known = new Set(routes.map((route) => route.spec as EndpointSpec));
  expect(calls.filter(({ spec }) => !known.has(spec)).map(({ name }) => name)).toEqual([]);
});

describe.each(calls)("$name", ({ name, spec, row }) => {
  const isOffer = offers.includes(name);
  const isExpected = ({ status, code, errMsg }: Answered) =>
    row.refusal ? code === 1 && errMsg.includes(row.refusal) : status === 200 && code === 0;
  const inPlace = async (ask: (place: Place) => Promise<Answered>) =>
    isReading(spec) ? { place: here, reply: await ask(here) } : answerChanging(ask, isExpected);

  it("missing, unknown or console session: 401 before any lookup", async () => {
    for (const token of [null, "x".repeat(43), operatorToken]) {
      const as = token && { ...here.owner, token };
      const reply = await answer(spec, as || null, row, here.world.ids);
      expect(reply).toMatchObject({ status: 401, data: null });
    }
  });

  it("owner: the call succeeds or refuses as its row says", async () => {
    const { reply } = await inPlace(({ world, owner }) => answer(spec, owner, row, world.ids));
    if (row.refusal) {
      expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(row.refusal) });
    } else expect(reply, reply.errMsg).toMatchObject({ status: 200, code: 0 });
  });

  it("another person's id: same answer as a nonexistent id, nothing changes", async () => {
    const named = idsNamedBy(row, here.world.ids);
    for (const kind of named) {
      const ask = (as: AppPerson, ids: Ids) =>
        answer(spec, as, row, { ...nobodysIds, [kind]: ids[kind] });
      const missing = await ask(here.neighbour, nobodysIds);
      expect(missing.code).toBe(1);
      const foreign = await ask(here.owner, there.world.ids);
      expect(foreign, kind).toEqual(missing);
      expectNoMarks(foreign, there.world);
      if (isOffer) continue;
      const neighbours = await ask(here.neighbour, here.world.ids);
      expect(neighbours, kind).toEqual(missing);
      expectNoMarks(neighbours, here.world);
    }
    expect(await currentStates()).toEqual(states);
    if (!isOffer && named.length > 0) return;
    const seen = await inPlace(({ world, owner, neighbour }) =>
      answer(spec, isOffer ? owner : neighbour, row, world.ids),
    );
    expectNoMarks(seen.reply, isOffer ? there.world : seen.place.world);
    expect(await currentStates()).toEqual(states);
  });
});

describe("session check and row-level security, each alone", () => {
  let mine: Place;
  beforeAll(async () => {
    mine = await makePlace();
  });

  /** An uploaded file as a handler receives it. */
  async function receivedFile(): Promise<ReceivedFile> {
    const key = randomUUID();
    await testServer.database.transaction("platform", (db) => insertStoredObject(db, key));
    return {
      ...{ key, kind: "IMAGE", mediaType: "image/png", name: "a.png", sizeBytes: 1 },
      ...{ sha256: "0".repeat(64), width: 1, height: 1, durationMs: null },
    };
  }

  async function outcome(spec: EndpointSpec, scope: Scope, as: AppPerson, input: object) {
    const route = routes.find((known) => (known.spec as EndpointSpec) === spec);
    const user: EndUser = {
      ...{ ...as, tokenHash: Buffer.alloc(32), name: "" },
      ...{ closed: null, lockedUntil: null },
    };
    const origin = { requestId: "test", address: "127.0.0.1", network: "", userAgent: "" };
    const log = createLog("silent");
    return testServer.database
      .transaction(scope, async (db) =>
        route?.handler({ db, user, origin, log, headers: {} }, input),
      )
      .catch((error: unknown) => {
        if (error instanceof Refusal) return error.text;
        // 42501: row-level security refuses a row of another tenant.
        if ((error as { code?: string }).code === "42501") return null;
        throw error;
      });
  }

  it.each(calls)(
    "$name: returns nothing of another tenant or person",
    async ({ name, spec, row }) => {
      const given = row.input(there.world.ids);
      const file = given.file && (await receivedFile());
      const input = {
        params: {},
        ...given,
        query: { page: 1, pageSize: 100, ...given.query },
        body: { ...given.body, ...(file && { file }) },
      };
      // Session of the owner, transaction of another tenant: row-level security alone protects.
      const scope = { tenantId: mine.owner.tenantId };
      expectNoMarks(await outcome(spec, scope, there.owner, input), there.world);
      // Platform transaction sees all rows: only the handler's own check protects.
      const others = offers.includes(name) ? [mine.owner] : [mine.owner, there.neighbour];
      for (const person of others) {
        expectNoMarks(await outcome(spec, "platform", person, input), there.world);
      }
      expect((await currentStates()).there).toBe(states.there);
    },
  );
});
