// Promise T1: every call × every account × own, foreign and nonexistent ids; foreign ids answer
// like nonexistent ones.
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, isOfConsole, isReading } from "@cabinet/contract/kit/endpoint.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import { expectAudited, lastEntryId } from "./support/audited.ts";
import { type CallName, type CallRow, type Ids, idsNamedBy } from "./support/call-row.ts";
import { callRows } from "./support/call-rows.ts";
import { makePerson } from "./support/people.ts";
import { fingerprint, makeWorld, nobodysIds, type World } from "./support/tenant-world.ts";
import { type Person, type TestServer, useTestServer } from "./support/test-server.ts";

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
  "platformAnnouncementId",
  "platformFaqId",
];

const testServer = useTestServer();
let platform: Person;
/** Account whose session has ended. */
let ended: Person;
/** Number of checked answers. */
let cells = 0;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  ended = (await testServer.makeTenant()).people[0];
  await testServer.call(contracts.auth.logout, ended);
});

afterAll(() => {
  console.info(
    `tenant matrix: ${closed.length} calls, ${kinds.length + 3} persons, ${cells} cells`,
  );
});

/** Fields in path, query and body that hold an id. */
function idFields(spec: EndpointSpec): string[] {
  return [spec.params, spec.query, spec.body].flatMap((part) =>
    Object.keys(part?.properties ?? {}).filter(
      // `requestId` identifies a request, not a row.
      (name) => /^id$|Ids?$/.test(name) && !["parentId", "requestId"].includes(name),
    ),
  );
}

describe("tenant matrix", () => {
  it("has a row for every call and no other", () => {
    expect(Object.keys(callRows).sort()).toEqual([...specs.keys()].sort());
  });

  it.each(rows)("$name: names an id in every id field", ({ spec, row }) => {
    const input = row?.input(nobodysIds) ?? {};
    const named = Object.keys({ ...input.params, ...input.query, ...input.body });
    expect(named).toEqual(expect.arrayContaining(idFields(spec)));
  });

  it("public calls: exactly these", () => {
    const open = rows.filter(({ spec }) => spec.access === "public").map(({ name }) => name);
    expect(open.sort()).toEqual([
      "activation.activate",
      "app-order.cabinet",
      "app-order.opening",
      "app-order.pickupByCode",
      "app-page.legal",
      "app-page.logo",
      "app-page.page",
      "app.requestCode",
      "app.signIn",
      "app.signInByMiniProgram",
      "auth.captcha",
      "auth.login",
      "device.challenge",
      "rich-text.appImage",
    ]);
  });
});

/** The reply without `requestId`, which always differs. */
async function answer(spec: EndpointSpec, as: Person | null, row: CallRow, ids: Ids) {
  cells++;
  const { requestId: _, ...reply } = (await testServer.call(spec, as, row.input(ids))) as Awaited<
    ReturnType<TestServer["call"]>
  > & { requestId?: string };
  return reply;
}

type Tenant = Awaited<ReturnType<TestServer["makeTenant"]>>;

interface MatrixTenants {
  own: Tenant;
  world: World;
  other: Tenant;
  othersWorld: World;
}

async function makeOwn(): Promise<Pick<MatrixTenants, "own" | "world">> {
  const own = await testServer.makeTenant();
  return { own, world: await makeWorld(testServer, own.id, own.people[2]) };
}

/** Kinds of accounts that have their own tenant in the matrix. */
const kinds = [
  "administrator",
  "operator",
  "maintenance staff",
  "operator of some stores",
  "visitor",
] as const;
type Kind = (typeof kinds)[number];
/** Kinds that see the cabinets of some stores only. */
const boundKinds: readonly Kind[] = ["maintenance staff", "operator of some stores"];
/**
 * Nouns that belong to the whole tenant and not to a store; bound kinds see them as their roles
 * allow.
 */
const ofWholeTenant = new Set(
  `account announcement audit callback end-user faq ledger legal-text login-log maintenance-message open-app operator package payment
  reconciliation rich-text role session sms-credit tag tenant-setting wallet`.split(/\s+/),
);

async function personOf(kind: Kind, { own, world }: Pick<MatrixTenants, "own" | "world">) {
  if (kind === "operator of some stores") return makeBoundOperator(own.id, world);
  if (kind === "visitor") return makeImpersonator(own.id);
  return own.people[kind === "administrator" ? 0 : kind === "operator" ? 1 : 2];
}

/** Makes an operator with every permission, limited to the stores of this world. */
function makeBoundOperator(tenantId: number, { ids }: World): Promise<Person> {
  return testServer.database
    .transaction("platform", async (db) => {
      const { roleId } = await db.one<{ roleId: number }>(sql`
        insert into role (tenant_id, name, store_scope) values (${tenantId}, '片区运营', 'LISTED')
        returning id as role_id`);
      await db.run(sql`
        insert into role_store
        select tenant_id, ${roleId}, id from store
        where tenant_id = ${tenantId} and id in (${ids.storeId}, ${ids.emptyStoreId})`);
      await db.run(sql`
        insert into role_menu_entry
        select ${tenantId}, ${roleId}, id from tenant_entries(${tenantId})`);
      return roleId;
    })
    .then((roleId) => makePerson(testServer, tenantId, { roleIds: [roleId] }));
}

/** Signs platform staff in to the tenant by impersonation. */
async function makeImpersonator(tenantId: number): Promise<Person> {
  const staff = (await testServer.makeTenant(1)).people[0];
  const { data } = await testServer.call(contracts.visit.start, staff, {
    params: { id: tenantId },
    body: { reason: "核对租户的设置" },
  });
  return { ...staff, tenantId, token: data.token };
}

/** Shared worlds that no call changes: for refused calls, for reads, and as the foreign tenant. */
let untouched:
  | Promise<MatrixTenants & { unseenWorld: World; persons: Map<Kind, Person>; othersState: string }>
  | undefined;
function untouchedWorld() {
  untouched ??= (async () => {
    const mine = await makeOwn();
    const { own: other, world: othersWorld } = await makeOwn();
    // A store of the own tenant that accounts bound to some stores do not see.
    const unseenWorld = await makeWorld(testServer, mine.own.id, null);
    const persons = new Map<Kind, Person>();
    for (const kind of kinds) persons.set(kind, await personOf(kind, mine));
    const othersState = await fingerprint(testServer, other.id);
    return { ...mine, other, othersWorld, unseenWorld, persons, othersState };
  })();
  return untouched;
}

type Answered = Awaited<ReturnType<typeof answer>>;

/** World of the last call that changed something. */
let lastWorld: Pick<MatrixTenants, "own" | "world"> | undefined;

/**
 * Answer to a call that changes something, in the last world if it still grants the call, otherwise
 * in a new one.
 */
async function answerChanging(
  kind: Kind,
  untouchedOne: Person,
  answerIn: (person: Person, world: World) => Promise<Answered>,
  isGranted: (reply: Answered) => boolean,
): Promise<Answered> {
  if (lastWorld) {
    const person = await personOf(kind, lastWorld);
    const mayDoAll = (await permissionsOf(person)) === (await permissionsOf(untouchedOne));
    const reply = await answerIn(person, lastWorld.world);
    if (isGranted(reply) || (reply.status === 403 && mayDoAll)) return reply;
  }
  lastWorld = await makeOwn();
  return answerIn(await personOf(kind, lastWorld), lastWorld.world);
}

/** Permissions now: earlier calls may have taken some away. */
async function permissionsOf({ operatorId }: Person): Promise<string> {
  const { text } = await testServer.database.read("platform", (db) =>
    db.one<{ text: string }>(sql`
      select concat_ws(',', is_store_bound, to_jsonb(permissions)) as text
      from operator where id = ${operatorId}`),
  );
  return text;
}

/** Calls of the console; the app and the open API have their own matrix tests. */
const closed = rows.filter(({ spec }) => isOfConsole(spec));

const nounOf = (name: string) => name.split(".")[0] as string;
/** A fingerprint reads every table. */
const isLastOfNoun = (name: string) =>
  closed.findLast((call) => nounOf(call.name) === nounOf(name))?.name === name;

describe.each(closed)("$name", ({ name, spec, row = { input: () => ({}) } }) => {
  const isGranted = ({ status, code, errMsg }: Answered) =>
    row.refusal ? code === 1 && errMsg.includes(row.refusal) : status === 200 && code === 0;
  const expectGranted = (reply: Answered) => {
    if (row.refusal)
      expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(row.refusal) });
    else expect(reply, reply.errMsg).toMatchObject({ status: 200, code: 0 });
  };

  it("missing, unknown or ended session: 401 before any lookup", async () => {
    const { own, world } = await untouchedWorld();
    const unknown: Person = { ...platform, tenantId: own.id, token: "x".repeat(43) };
    const junk = {
      ...row.input(nobodysIds),
      query: { page: "many", nonsense: 1 },
      headers: { "content-type": "text/nonsense" },
    };
    const replies = [null, unknown, ended].flatMap((as) => [
      answer(spec, as, row, world.ids),
      testServer.call(spec, as, junk),
    ]);
    for (const reply of await Promise.all(replies)) {
      expect(reply).toMatchObject({ status: 401, code: 1, data: null });
    }
  });

  it("another tenant in the header: 403", async () => {
    const { own, world } = await untouchedWorld();
    const replies = ["1", "999999", "abc", ""].map((tenantid) =>
      testServer.call(spec, own.people[0], { ...row.input(world.ids), headers: { tenantid } }),
    );
    for (const reply of await Promise.all(replies)) {
      expect(reply).toMatchObject({ status: 403, code: 1 });
    }
  });

  // Calls that only read do not disturb each other.
  const itOfKind = isReading(spec) ? it.concurrent : it;
  itOfKind.each(kinds)("%s: gets nothing foreign", async (kind) => {
    const { othersWorld, unseenWorld, persons, world } = await untouchedWorld();
    const person = persons.get(kind) as Person;
    const isBound = boundKinds.includes(kind) && !ofWholeTenant.has(nounOf(name));
    const strangers = isBound ? [othersWorld, unseenWorld] : [othersWorld];
    const named = idsNamedBy(row, world.ids).filter((id) => !platformWide.includes(id));

    for (const stranger of strangers) {
      const sought = named.filter(
        (id) =>
          stranger.ids[id] !== world.ids[id] &&
          // Advert pictures belong to the tenant, whatever the store.
          !(stranger === unseenWorld && id === "advertFileId"),
      );
      const ask = (ids: Partial<Ids>) => answer(spec, person, row, { ...world.ids, ...ids });
      const replies = sought.map(async (id) => ({
        id,
        foreign: await ask({ [id]: stranger.ids[id] }),
        missing: await ask({ [id]: nobodysIds[id] }),
      }));
      for (const { id, foreign, missing } of await Promise.all(replies)) {
        expect(foreign, id).toEqual(missing);
        expect(foreign.status === 403 || foreign.code === 1 || isEmpty(foreign.data), id).toBe(
          true,
        );
        expectNoMarks(foreign, stranger);
      }
      if (named.length > 0) {
        expectNoMarks(await answer(spec, person, row, stranger.ids), stranger);
      }
    }

    const isClosed = spec.access === "platform" || (kind === "visitor" && !isReading(spec));
    const isLeaving = row === callRows["auth.logout"];
    const mayChange = (!isReading(spec) && !isClosed) || isLeaving;
    const granted = mayChange
      ? await answerChanging(
          kind,
          person,
          (able, { ids }) => answer(spec, able, row, ids),
          isGranted,
        )
      : await answer(spec, person, row, world.ids);
    for (const stranger of strangers) expectNoMarks(granted, stranger);
    if (isClosed && !isLeaving) expect(granted.status).toBe(403);
    else if (row.isForAllStores && kind === "operator of some stores") {
      expect(granted.errMsg).toContain("您只管理部分门店");
    } else if (kind === "administrator" || granted.status !== 403) expectGranted(granted);
  });

  it("platform staff: granted for any tenant, and writes are audited", async () => {
    if (row === callRows["auth.logout"]) return;
    const scene = isReading(spec) ? await untouchedWorld() : await makeOwn();
    if (!isReading(spec)) lastWorld = scene;
    const { world } = scene;
    const input = row.input(world.ids);
    const since = await lastEntryId(testServer);
    const reply = await testServer.call(spec, platform, input);
    expectGranted(reply);
    // Promise L2: every change has exactly one audit entry.
    if (isReading(spec) || row.refusal) return;
    await expectAudited(testServer, { name, spec }, { by: platform, input, since });
  });

  if (!isLastOfNoun(name)) return;

  it("and the noun's other calls: leave another tenant's rows unchanged", async () => {
    const { other, othersState } = await untouchedWorld();
    expect(await fingerprint(testServer, other.id)).toBe(othersState);
  });
});

/** True without rows and with zero figures only; requested days and sides are not secret. */
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
