// Decision 0115: a press counts for 15 seconds, for every call that opens a door or moves money, and for its command.
import { randomUUID } from "node:crypto";
import { contracts } from "@cabinet/contract/contracts.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { type ErrorCode, errorText } from "@cabinet/contract/kit/errors.ts";
import {
  PRESS_HEADER,
  PRESS_SECONDS,
  SERVER_TIME_HEADER,
} from "@cabinet/contract/kit/press.rules.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { hashCode } from "../apps/server/src/features/orders/order/index.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import type { CallName } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { callOpen, type OpenCaller, openCallerOf } from "./support/open-apps.ts";
import { fingerprint, makeWorld, type World } from "./support/tenant-world.ts";
import {
  type AppPerson,
  type CallInput,
  type Person,
  useTestServer,
} from "./support/test-server.ts";

const testServer = useTestServer();
const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract)
    .map(([call, spec]) => ({ name: `${noun}.${call}` as CallName, spec: spec as EndpointSpec }))
    .filter(({ spec }) => spec.pressed),
);

type Call = (typeof calls)[number];
const callOf = (name: CallName) => calls.find((each) => each.name === name) as Call;
const KEY = "idempotency-key";

let platform: Person;
let operator: Person;
let world: World;
let rider: AppPerson;
let partner: OpenCaller;

async function makePlace(): Promise<void> {
  const { id, people } = await testServer.makeTenant();
  operator = people[0];
  world = await makeWorld(testServer, id, null);
  rider = await testServer.makeAppPerson(id, world.ids.endUserId);
  partner = await openCallerOf(testServer, world.ids);
}

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  await makePlace();
});

const pressed = (secondsAgo: number) => ({
  [PRESS_HEADER]: String(Date.now() - secondsAgo * 1_000),
});

/** Calls as whoever may, with the row's input. */
function send({ name, spec }: Call, headers: Record<string, string>, body: object = {}) {
  const input: CallInput = callRows[name].input(world.ids);
  const given = {
    ...input,
    ...(input.body && { body: { ...input.body, ...body } }),
    headers: { ...input.headers, ...headers },
  };
  if (spec.access === "partner") {
    const idempotencyKey = headers[KEY];
    return callOpen(testServer, partner, spec, given, {
      ...(idempotencyKey && { idempotencyKey }),
    });
  }
  const ofConsole = spec.access === "platform" ? platform : operator;
  const as = { public: null, "end-user": rider }[spec.access as string];
  return testServer.call(spec, as === undefined ? ofConsole : as, given);
}

/** Tables that a refused call of a third party may change: its log entry, its nonce and the key's last use. */
const records = ["open_call", "open_nonce", "open_app_key"];
const state = () => fingerprint(testServer, world.ids.tenantId, records);
const refusal = (code: ErrorCode) => ({ errCode: code, code: 1, data: null });

describe.each(calls)("$name", (one) => {
  it("a press of 16 seconds ago, or of the future, is refused and changes nothing", async () => {
    const before = await state();
    const late = await send(one, pressed(PRESS_SECONDS + 1));
    expect(late).toMatchObject(refusal("PRESS_EXPIRED"));
    expect(late.errMsg).toBe(errorText("PRESS_EXPIRED", { seconds: PRESS_SECONDS }));
    expect(await send(one, pressed(-60))).toMatchObject(refusal("PRESS_AHEAD"));
    expect(await send(one, { [PRESS_HEADER]: "soon" })).toMatchObject(refusal("BAD_REQUEST"));
    expect(await state()).toBe(before);
  });
});

describe("fresh press", () => {
  beforeAll(makePlace);
  it.each(calls.filter(({ spec }) => spec.access !== "partner"))(
    "$name: is not refused for its press",
    async (one) => {
      // Slightly ahead: clocks of two servers differ.
      const reply = await send(one, pressed(-1));
      expect(["PRESS_EXPIRED", "PRESS_AHEAD"]).not.toContain(
        (reply as { errCode?: string }).errCode,
      );
    },
  );
});

describe("repeats", () => {
  beforeAll(makePlace);
  const key = () => ({ [KEY]: randomUUID() });
  const cabinetSn = async () =>
    (
      await testServer.database.read("platform", (db) =>
        db.one<{ sn: string }>(sql`select sn from cabinet where id = ${world.ids.cabinetId}`),
      )
    ).sn;

  it.each(["wallet.change", "order-deed.open", "app-order.deposit", "open-api.openDoor"] as const)(
    "%s: a repeat of what was done gets its answer, however late it comes",
    async (name) => {
      await makePlace();
      const one = callOf(name);
      const once = key();
      const body = name === "app-order.deposit" ? { sn: await cabinetSn(), size: "S" } : {};
      const repeated = (secondsAgo: number) => send(one, { ...once, ...pressed(secondsAgo) }, body);
      const first = await repeated(3);
      expect(first.errMsg).toBe("");
      const before = await state();
      for (const secondsAgo of [40, -60]) {
        expect((await repeated(secondsAgo)).data).toEqual(first.data);
      }
      expect(await state()).toBe(before);
    },
  );

  it("a refused press keeps no key: the next one under it is done", async () => {
    const one = callOf("wallet.change");
    const once = key();
    expect(await send(one, { ...once, ...pressed(20) })).toMatchObject(refusal("PRESS_EXPIRED"));
    expect(await send(one, { ...once, ...pressed(1) })).toMatchObject({ code: 0 });
  });
});

describe("commands", () => {
  const expiry = async (commandId: string) =>
    (
      await testServer.database.read("platform", (db) =>
        db.one<{ seconds: number }>(sql`
          select extract(epoch from expires_at - now())::float8 as seconds from command
          where id = ${commandId}`),
      )
    ).seconds;

  it.each(["command.open", "command.restart", "order-deed.open", "malfunction.test"] as const)(
    "%s: expires 15 seconds after the press, and without one 15 seconds after its creation",
    async (name) => {
      const one = callOf(name);
      for (const [headers, most] of [
        [pressed(5), 10],
        [{}, PRESS_SECONDS],
      ] as const) {
        await makePlace();
        const { data, errMsg } = await send(one, headers);
        expect(errMsg).toBe("");
        const seconds = await expiry((data as { id: string }).id);
        expect(seconds).toBeLessThanOrEqual(most);
        expect(seconds).toBeGreaterThan(most - 5);
      }
    },
  );

  it("pickup by code: a late press counts as no try, and its door opens no later than 15 seconds after it", async () => {
    await makePlace();
    const { tenantId, cabinetId, orderId } = world.ids;
    const code = "314159";
    const codeHash = hashCode(testServer.vault, { tenantId, cabinetId }, code);
    const { sn, tail } = await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`update live_order set code_hash = ${codeHash} where order_id = ${orderId}`);
      await db.run(sql`update storage_order
        set pricing = jsonb_set(pricing, '{rule,freeMinutes}', '600') where id = ${orderId}`);
      await db.run(sql`delete from package_use where order_id = ${orderId}`);
      return db.one<{ sn: string; tail: string }>(sql`
        select cabinet.sn, right(end_user.phone, 4) as tail from cabinet, end_user
        where cabinet.id = ${cabinetId} and end_user.id = ${world.ids.endUserId}`);
    });
    const pickUp = (typed: string, secondsAgo: number) =>
      testServer.call(contracts["app-order"].pickupByCode, null, {
        body: { sn, code: typed, phoneTail: tail, agreedFen: 0 },
        headers: pressed(secondsAgo),
      });
    const before = await state();
    for (const typed of [code, "000000"]) {
      expect(await pickUp(typed, 16)).toMatchObject(refusal("PRESS_EXPIRED"));
    }
    expect(await state()).toBe(before);
    const { data, errMsg } = await pickUp(code, 5);
    expect(errMsg).toBe("");
    expect(await expiry(data.commandId)).toBeLessThanOrEqual(10);
  });
});

it("every answer has the server's time", async () => {
  for (const url of ["/api/auth/captcha", "/api/nowhere"]) {
    const { headers } = await testServer.app.inject(url);
    expect(Math.abs(Number(headers[SERVER_TIME_HEADER]) - Date.now())).toBeLessThan(60_000);
  }
});
