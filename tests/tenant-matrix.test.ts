// Promise T1: every call × every account × own, foreign and nonexistent ids. Foreign answers as nonexistent does.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type CallName,
  type CallRow,
  callRows,
  type Ids,
  idsNamedBy,
} from "./support/call-rows.ts";
import { type House, type Person, useHouse } from "./support/house.ts";
import { fingerprint, makeWorld, nobodysIds, type World } from "./support/tenant-world.ts";

const specs = new Map<string, EndpointSpec>(
  Object.entries(contracts).flatMap(([noun, contract]) =>
    Object.entries(contract).map(([call, spec]) => [`${noun}.${call}`, spec] as const),
  ),
);
const rows = [...specs].map(([name, spec]) => {
  const row = callRows[name as CallName] as CallRow | undefined;
  return { name, spec, row };
});

const platformWide: (keyof Ids)[] = [
  "firmwareId",
  "draftFirmwareId",
  "firmwareFileId",
  "modelId",
  "spareModelId",
  "menuEntryId",
];
const userTypes = [0, 1, 2] as const;

const house = useHouse();
let platform: Person;

beforeAll(async () => {
  platform = (await house.makeTenant(1)).people[0];
});

/** Names of fields that hold an id, in path, query and body. */
function idFields(spec: EndpointSpec): string[] {
  return [spec.params, spec.query, spec.body].flatMap((part) =>
    Object.keys(part?.properties ?? {}).filter(
      (name) => /^id$|Ids?$/.test(name) && name !== "parentId",
    ),
  );
}

describe("the matrix", () => {
  it("has a row for every call and for nothing else", () => {
    expect(Object.keys(callRows).sort()).toEqual([...specs.keys()].sort());
  });

  it.each(rows)("$name names an id wherever it can", ({ spec, row }) => {
    const input = row?.input(nobodysIds) ?? {};
    const named = Object.keys({ ...input.params, ...input.query, ...input.body });
    expect(named).toEqual(expect.arrayContaining(idFields(spec)));
  });

  it("knows which calls anybody may make", () => {
    const open = rows.filter(({ spec }) => spec.access === "public").map(({ name }) => name);
    expect(open.sort()).toEqual([
      "activation.activate",
      "app-order.cabinet",
      "app-order.opening",
      "app-order.pickupByCode",
      "app.requestCode",
      "app.signIn",
      "app.signInByMiniProgram",
      "auth.captcha",
      "auth.login",
      "device.challenge",
    ]);
  });
});

/** What a stranger could tell apart; the number of the request differs always. */
async function answer(spec: EndpointSpec, as: Person | null, row: CallRow, ids: Ids) {
  const { requestId: _, ...reply } = (await house.call(spec, as, row.input(ids))) as Awaited<
    ReturnType<House["call"]>
  > & { requestId?: string };
  return reply;
}

type Tenant = Awaited<ReturnType<House["makeTenant"]>>;

interface Scene {
  own: Tenant;
  world: World;
  other: Tenant;
  othersWorld: World;
}

async function makeOwn(): Promise<Pick<Scene, "own" | "world">> {
  const own = await house.makeTenant();
  return { own, world: await makeWorld(house, own.id, own.people[2]) };
}

/** Of the own tenant, but in a store that its maintenance staff does not look after. */
const makeUnseenWorld = ({ own }: Pick<Scene, "own">) => makeWorld(house, own.id, null);

/** One for all that changes nothing in it: what is refused, what only reads, and who is never touched. */
let untouched: Promise<Scene & { unseenWorld: World }> | undefined;
function untouchedScene() {
  untouched ??= (async () => {
    const mine = await makeOwn();
    const { own: other, world: othersWorld } = await makeOwn();
    return { ...mine, other, othersWorld, unseenWorld: await makeUnseenWorld(mine) };
  })();
  return untouched;
}

/** Those of the console; the app has a matrix of its own. */
const closed = rows.filter(({ spec }) => spec.access !== "public" && spec.access !== "end-user");

describe.each(closed)("$name", ({ spec, row = { input: () => ({}) } }) => {
  const expectGranted = (reply: Awaited<ReturnType<typeof answer>>) => {
    if (row.refusal)
      expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(row.refusal) });
    else expect(reply, reply.errMsg).toMatchObject({ status: 200, code: 0 });
  };

  it("asks who it is before it looks at anything", async () => {
    const { own, world } = await untouchedScene();
    const unknown: Person = { ...platform, tenantId: own.id, token: "x".repeat(43) };
    for (const as of [null, unknown]) {
      expect(await answer(spec, as, row, world.ids)).toMatchObject({ status: 401, data: null });
      const junk = await house.call(spec, as, {
        ...row.input(nobodysIds),
        query: { page: "many", nonsense: 1 },
        headers: { "content-type": "text/nonsense" },
      });
      expect(junk).toMatchObject({ status: 401, code: 1, data: null });
    }
  });

  it("refuses another tenant in the header", async () => {
    const { own, world } = await untouchedScene();
    for (const tenantid of ["1", "999999", "abc", ""]) {
      const input = { ...row.input(world.ids), headers: { tenantid } };
      expect(await house.call(spec, own.people[0], input)).toMatchObject({ status: 403, code: 1 });
    }
  });

  it.each(userTypes)("gives userType %i nothing that is foreign", async (userType) => {
    const { other, othersWorld, ...shared } = await untouchedScene();
    const mayChange = !isReading(spec) && spec.access !== "platform";
    const { own, world } = mayChange ? await makeOwn() : shared;
    const person = own.people[userType];
    const strangers = [othersWorld];
    if (userType === 2) {
      strangers.push(mayChange ? await makeUnseenWorld({ own }) : shared.unseenWorld);
    }
    const before = await fingerprint(house, other.id);
    const named = idsNamedBy(row, world.ids).filter((kind) => !platformWide.includes(kind));

    for (const stranger of strangers) {
      for (const kind of named) {
        if (stranger.ids[kind] === world.ids[kind]) continue;
        const foreign = await answer(spec, person, row, {
          ...world.ids,
          [kind]: stranger.ids[kind],
        });
        const missing = await answer(spec, person, row, { ...world.ids, [kind]: nobodysIds[kind] });
        expect(foreign, kind).toEqual(missing);
        expect(foreign.status === 403 || foreign.code === 1 || isEmpty(foreign.data), kind).toBe(
          true,
        );
        expectNoMarks(foreign, stranger);
      }
      if (named.length > 0) {
        expectNoMarks(await answer(spec, person, row, stranger.ids), stranger);
      }
    }
    expect(await fingerprint(house, other.id)).toBe(before);

    const granted = await answer(spec, person, row, world.ids);
    for (const stranger of strangers) expectNoMarks(granted, stranger);
    expect(await fingerprint(house, other.id)).toBe(before);
    if (spec.access === "platform") expect(granted.status).toBe(403);
    else if (userType === 0 || granted.status !== 403) expectGranted(granted);
  });

  it("lets platform staff do it for any tenant", async () => {
    if (row === callRows["auth.logout"]) return;
    const { world } = isReading(spec) ? await untouchedScene() : await makeOwn();
    expectGranted(await answer(spec, platform, row, world.ids));
  });
});

/** No rows, no figures but zero; the days that were asked for are no secret, nor which sides there are. */
function isEmpty(data: unknown): boolean {
  if (Array.isArray(data)) return data.every(isEmpty);
  if (typeof data === "object" && data !== null) return Object.values(data).every(isEmpty);
  if (typeof data === "string") return /^(\d{4}-\d\d-\d\d|SINGLE|DOUBLE)$/.test(data);
  return data === null || data === 0;
}

function expectNoMarks(reply: unknown, stranger: World): void {
  const text = JSON.stringify(reply);
  for (const mark of stranger.marks) expect(text).not.toContain(mark);
}
