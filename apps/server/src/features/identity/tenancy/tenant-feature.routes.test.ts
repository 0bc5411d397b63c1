// Optional features of tenants on a real PostgreSQL: dates in Shanghai, the gate of calls, what stays possible.
import { randomUUID } from "node:crypto";
import {
  accessContract,
  type MenuEntry,
} from "@cabinet/contract/identity/access/access.contract.ts";
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  type FeatureSwitch,
  featureState,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { homeScreenContract } from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { FEATURES } from "@cabinet/contract/vocabulary/feature.rules.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { makeAdverts } from "../../../../../../tests/support/adverts.ts";
import { makeCabinet } from "../../../../../../tests/support/cabinets.ts";
import { callOpen, makeOpenApp } from "../../../../../../tests/support/open-apps.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { refreshPlaylists } from "../../fleet/advert/index.ts";
import { publishEvent } from "../../messaging/webhook/index.ts";

const DAY_MS = 86_400_000;
const testServer = useTestServer();
let platform: Person;
let owner: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  owner = (await testServer.makeTenant()).people[1];
});

const dayAt = (days: number) => shanghaiDay(Date.now() + days * DAY_MS);
const off = (feature: FeatureSwitch["feature"]): FeatureSwitch => ({
  ...{ feature, isOn: false, startsOn: null, endsOn: null },
});
const params = () => ({ id: owner.tenantId });
const get = async () =>
  (await testServer.call(tenancyContract.get, platform, { params: params() })).data;

async function save(features: FeatureSwitch[], id = owner.tenantId) {
  const { data } = await testServer.call(tenancyContract.get, platform, { params: { id } });
  return testServer.call(tenancyContract.saveFeatures, platform, {
    params: { id },
    body: { features, reason: "试用到期", editVersion: data?.editVersion ?? 0 },
  });
}

const inMenu = async () => {
  const paths = (entries: readonly MenuEntry[]): string[] =>
    entries.flatMap(({ uri, children }) => [uri, ...paths(children)]);
  return paths((await testServer.call(accessContract.menu, owner)).data ?? []);
};
const screen = () => testServer.call(statisticsContract.screen, owner, { query: {} });
const page = { query: { page: 1, pageSize: 10 } };

test("features: a day begins and ends at midnight in Shanghai, in the database as in the rule", async () => {
  const times = ["15:59:59Z", "16:00:00Z"].flatMap((time) =>
    ["2026-11-30", "2026-12-01", "2026-12-30", "2026-12-31"].map((day) => `${day}T${time}`),
  );
  const switches = [
    { isOn: true, startsOn: "2026-12-01", endsOn: "2026-12-31" },
    { isOn: true, startsOn: null, endsOn: "2026-12-31" },
    { isOn: true, startsOn: "2026-12-01", endsOn: null },
    { isOn: true, startsOn: "2026-12-31", endsOn: "2026-12-31" },
    { isOn: false, startsOn: null, endsOn: null },
  ];
  const isOnAt = (at: string, { isOn, startsOn, endsOn }: (typeof switches)[number]) =>
    testServer.database.read("platform", async (db) => {
      const row = await db.one<{ isOn: boolean }>(sql`
        select tenant_feature_is_on((2, 'advert', ${isOn}, ${startsOn}::date, ${endsOn}::date)::tenant_feature,
          ${at}::timestamptz) as is_on`);
      return row.isOn;
    });
  for (const each of switches) {
    for (const at of times) {
      const expected = featureState(each, shanghaiDay(Date.parse(at))) === "ON";
      expect(await isOnAt(at, each), `${at} ${JSON.stringify(each)}`).toBe(expected);
    }
  }
  const [december] = switches;
  if (!december) throw new Error("no switch");
  expect(await isOnAt("2026-11-30T15:59:59Z", december)).toBe(false);
  expect(await isOnAt("2026-11-30T16:00:00Z", december)).toBe(true);
  expect(await isOnAt("2026-12-31T15:59:59Z", december)).toBe(true);
  expect(await isOnAt("2026-12-31T16:00:00Z", december)).toBe(false);
});

test("features: existing tenants have all; each call of a feature that is off is refused", async () => {
  expect(await get()).toMatchObject({ features: [] });
  const calls = {
    statistics: () =>
      testServer.call(statisticsContract.occupancy, owner, {
        query: { from: dayAt(-7), to: dayAt(-1) },
      }),
    screen,
    webhook: () => testServer.call(webhookContract.endpoints, owner, page),
    "open-api": () => testServer.call(openAppContract.list, owner, page),
    export: () =>
      testServer.call(exportContract.start, owner, {
        body: { call: faqContract.list.path, query: {} },
      }),
  };
  for (const [feature, call] of Object.entries(calls)) {
    expect(await call(), feature).toMatchObject({ code: 0 });
  }
  const neighbour = owner;
  owner = (await testServer.makeTenant()).people[1];
  expect(await save(FEATURES.map(off))).toMatchObject({ code: 0 });
  for (const [feature, call] of Object.entries(calls)) {
    expect(await call(), feature).toMatchObject({ status: 403, errCode: "FEATURE_OFF" });
  }
  expect((await calls.export()).errMsg).toBe(
    "本租户没有开通“导出”，或不在开通的日期内：请联系平台，由平台管理员在“租户管理”里开通",
  );
  expect(await testServer.call(faqContract.list, owner, page)).toMatchObject({ code: 0 });
  // 首页 lacks its figures, nothing else.
  const home = await testServer.call(homeScreenContract.read, owner, {
    query: { day: dayAt(0) },
  });
  expect(home).toMatchObject({ code: 0 });
  owner = neighbour;
  expect(await screen(), "another tenant").toMatchObject({ code: 0 });
});

test("features: on from its first to its last day; the platform is never refused", async () => {
  const switchTo = (startsOn: string | null, endsOn: string | null) =>
    save([{ feature: "screen", isOn: true, startsOn, endsOn }]);
  for (const [startsOn, endsOn, isOn] of [
    [dayAt(0), dayAt(0), true],
    [dayAt(1), null, false],
    [null, dayAt(-1), false],
    [dayAt(-1), dayAt(1), true],
  ] as const) {
    expect(await switchTo(startsOn, endsOn)).toMatchObject({ code: 0 });
    expect((await screen()).status, `${startsOn} ${endsOn}`).toBe(isOn ? 200 : 403);
    expect((await inMenu()).includes("/largeScreen"), `${startsOn} ${endsOn}`).toBe(isOn);
  }
  const query = { tenantId: owner.tenantId };
  await switchTo(null, dayAt(-1));
  expect(await testServer.call(statisticsContract.screen, platform, { query })).toMatchObject({
    code: 0,
  });
});

test("menu: pages and groups of which nothing is left go, the rest stays", async () => {
  expect(await inMenu()).toContain("/thirdPartApi/record");
  await save([off("webhook")]);
  expect(await inMenu()).toEqual(
    expect.arrayContaining(["/thirdPartApi/record", "/largeScreen", "/cupboardRun/index"]),
  );
  await save([off("webhook"), off("open-api"), off("statistics")]);
  const left = await inMenu();
  expect(left.filter((path) => path.startsWith("/thirdPartApi"))).toEqual([]);
  expect(left).not.toContain("/largeScreen");
  expect(left).not.toContain("/cupboardRun/index");
  expect(left).toContain("/cupboardRun/rider/order");
});

test("open API: no new orders and no cabinets; existing orders and repeated answers stay", async () => {
  const app = await makeOpenApp(testServer, { tenantId: owner.tenantId });
  const { sn, id } = await makeCabinet(testServer, { tenantId: owner.tenantId, cells: [{}] });
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update cabinet set is_greeted = true where id = ${id}`),
  );
  const body = {
    ...{ thirdPartyNo: "SF1", cabinetSn: sn, size: "S", recipientPhone: "13812345678" },
    ...{ itemNote: "", reserveMinutes: 15, opensDoor: false },
  } as const;
  const create = (idempotencyKey: string, thirdPartyNo = "SF1") =>
    callOpen(
      testServer,
      app,
      openApiContract.createOrder,
      { body: { ...body, thirdPartyNo } },
      {
        idempotencyKey,
      },
    );
  const key = randomUUID();
  const first = await create(key);
  expect(first).toMatchObject({ code: 0 });
  await save([off("open-api")]);
  expect(await create(randomUUID(), "SF2")).toMatchObject({
    status: 403,
    errCode: "FEATURE_OFF",
    errMsg: "租户没有开通“第三方接口”，或不在开通的日期内：请联系租户，由平台开通",
  });
  expect(await create(key)).toMatchObject({ code: 0, data: first.data });
  expect(
    await callOpen(testServer, app, openApiContract.cabinet, { params: { sn } }),
  ).toMatchObject({ errCode: "FEATURE_OFF" });
  const order = { params: { id: first.data?.id ?? 0 } };
  for (const call of [openApiContract.order, openApiContract.cancelOrder] as const) {
    expect(await callOpen(testServer, app, call, order), call.path).toMatchObject({ code: 0 });
  }
});

test("webhook and adverts: nothing new is published, cabinets stop showing", async () => {
  const { tenantId } = owner;
  const count = (from: "callback_event" | "cabinet_playlist") =>
    testServer.database.read("platform", async (db) => {
      const rows =
        from === "callback_event"
          ? sql`callback_event where tenant_id = ${tenantId}`
          : sql`cabinet_playlist where tenant_id = ${tenantId} and items <> '[]'`;
      return (await db.one<{ n: number }>(sql`select count(*)::int as n from ${rows}`)).n;
    });
  const work = () =>
    testServer.database.transaction({ tenantId }, async (db) => {
      await publishEvent(db, {
        ...{ tenantId, appId: null, type: "order.stored", key: randomUUID(), data: {} },
      });
      await refreshPlaylists(db, tenantId);
    });
  const { id: cabinetId } = await makeCabinet(testServer, { tenantId, cells: [{}] });
  await testServer.database.transaction("platform", (db) =>
    makeAdverts(testServer, db, { tenantId, cabinetId, mark: "试用" }),
  );
  await work();
  expect([await count("callback_event"), await count("cabinet_playlist")]).toEqual([1, 1]);
  await save([off("webhook"), off("advert")]);
  await work();
  expect([await count("callback_event"), await count("cabinet_playlist")]).toEqual([1, 0]);
  await save([]);
  await work();
  expect([await count("callback_event"), await count("cabinet_playlist")]).toEqual([2, 1]);
});

test("租户管理: lists what ends soon; refuses the platform, reversed days and an outdated version", async () => {
  const soon: FeatureSwitch = {
    ...{ feature: "export", isOn: true, startsOn: null, endsOn: dayAt(6) },
  };
  await save([soon]);
  const listed = async (featureWithinDays: number) => {
    const { data } = await testServer.call(tenancyContract.list, platform, {
      query: { page: 1, pageSize: 100, featureWithinDays },
    });
    return data?.list.filter(({ id }) => id === owner.tenantId) ?? [];
  };
  expect(await listed(7)).toMatchObject([{ features: [soon] }]);
  expect(await listed(5)).toEqual([]);
  expect(await save([off("export")], 1)).toMatchObject({ errCode: "TENANT_IS_PLATFORM" });
  expect(await save([{ ...soon, startsOn: dayAt(7) }])).toMatchObject({
    errMsg: "导出：截止日不能早于开始日",
  });
  expect(await save([soon, soon])).toMatchObject({ errMsg: "同一项功能只能填写一次" });
  expect(
    await testServer.call(tenancyContract.saveFeatures, platform, {
      params: params(),
      body: { features: [], reason: "试用到期", editVersion: 1 },
    }),
  ).toMatchObject({ errCode: "CONFLICT" });
  expect(await get()).toMatchObject({ features: [soon] });
  const { data } = await testServer.call(auditContract.list, platform, {
    query: { page: 1, pageSize: 1, call: "PUT /admin/v1/tenant/features/{id}" },
  });
  expect(data?.list).toMatchObject([{ summary: "设置租户的可选功能", reason: "试用到期" }]);
});
