// Legal texts on the real database: versions, the platform's in place of missing ones, and consents with their time.
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import { legalTextContract } from "@cabinet/contract/orders/legal-text/legal-text.contract.ts";
import type { LegalTextKind } from "@cabinet/contract/orders/legal-text/legal-text.rules.ts";
import { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { beforeEach, expect, it } from "vitest";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const { list, get, publish } = legalTextContract;

let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let platform: Person;

beforeEach(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
  ({ id: tenantId, people } = await testServer.makeTenant());
});
const administrator = () => people[0];

const publishAs = (person: Person, kind: LegalTextKind, body: string, editVersion: number) =>
  testServer.call(publish, person, { body: { kind, body, editVersion } });

async function turnOn(): Promise<string> {
  const body = { isOn: true, editVersion: 0 };
  await testServer.call(webPageContract.saveSetting, administrator(), { body });
  return (await testServer.call(webPageContract.setting, administrator())).data.tenantCode;
}

it("publishing: versions count up, stay as they are, and are refused from an outdated page", async () => {
  expect((await publishAs(administrator(), "TERMS", " 第一版 ", 0)).data).toMatchObject({
    version: 1,
  });
  expect(await publishAs(people[1], "TERMS", "另一份", 0)).toMatchObject({
    errCode: "EDIT_OUTDATED",
  });
  const second = await publishAs(people[1], "TERMS", "第二版", 1);
  expect(second.data).toMatchObject({ version: 2 });
  const { data: texts } = await testServer.call(list, administrator());
  expect(texts).toMatchObject([
    { kind: "TERMS", version: 2, publishedBy: people[1].username, consents: 0 },
    { kind: "TERMS", version: 1, isOfPlatform: false },
  ]);
  const first = await testServer.call(get, administrator(), { params: { id: texts[1]?.id } });
  expect(first.data.body).toBe("第一版");
  const entries = await testServer.database.read("platform", (db) =>
    db.many(sql`
      select target, before, after from audit_log
      where tenant_id = ${tenantId} and call like '%legal-text/publish' order by id`),
  );
  expect(entries).toEqual([
    { target: `用户协议 租户 ${tenantId}`, before: null, after: { version: 1 } },
    {
      ...{ target: `用户协议 租户 ${tenantId}`, before: { version: 1 } },
      after: { version: 2 },
    },
  ]);
});

it("the platform's text stands in for a missing one, until the tenant has its own", async () => {
  const tenantCode = await turnOn();
  const known = await testServer.call(list, platform);
  const newest = known.data.find(({ kind }) => kind === "PRIVACY")?.version ?? 0;
  await publishAs(platform, "PRIVACY", "平台的隐私政策", newest);
  const page = () => testServer.call(appPageContract.page, null, { query: { tenantCode } });
  const body = async () =>
    (await testServer.call(appPageContract.legal, null, { query: { tenantCode, kind: "PRIVACY" } }))
      .data.body;
  expect((await page()).data.legal).toContainEqual({
    ...{ kind: "PRIVACY", version: newest + 1, isOfPlatform: true },
  });
  expect(await body()).toBe("平台的隐私政策");
  expect((await testServer.call(list, administrator())).data).toContainEqual(
    expect.objectContaining({ kind: "PRIVACY", isOfPlatform: true }),
  );
  await publishAs(administrator(), "PRIVACY", "自己的隐私政策", 0);
  expect((await page()).data.legal).toContainEqual({
    ...{ kind: "PRIVACY", version: 1, isOfPlatform: false },
  });
  expect(await body()).toBe("自己的隐私政策");
  const stranger = (await testServer.makeTenant()).people[0];
  const { data } = await testServer.call(list, administrator());
  const own = data.find(({ isOfPlatform }) => !isOfPlatform);
  expect(await testServer.call(get, stranger, { params: { id: own?.id } })).toMatchObject({
    errCode: "NOT_FOUND",
  });
});

it("consent: kept with its first time, due again for a new version, never for one that is not in force", async () => {
  await publishAs(administrator(), "TERMS", "第一版", 0);
  const person = await testServer.makeAppPerson(tenantId);
  const agree = async (version: number) => {
    const body = { agreed: [{ kind: "TERMS", version }] };
    const { data } = await testServer.call(appContract.agree, person, { body });
    return data.legal.find(({ kind }) => kind === "TERMS");
  };
  const due = async () =>
    (await testServer.call(appContract.me, person)).data.legal.find(({ kind }) => kind === "TERMS");
  expect(await due()).toEqual({ kind: "TERMS", version: 1, isOfPlatform: false, agreedAt: null });
  expect(await agree(7)).toMatchObject({ agreedAt: null });
  const first = await agree(1);
  expect(first?.agreedAt).toEqual(expect.any(String));
  expect(await agree(1)).toEqual(first);
  await publishAs(administrator(), "TERMS", "第二版", 1);
  expect(await due()).toMatchObject({ version: 2, agreedAt: null });
  // The page of the sign-in still showed the first version.
  expect(await agree(1)).toMatchObject({ version: 2, agreedAt: null });
  expect(await agree(2)).toMatchObject({ agreedAt: expect.any(String) });
  const { data: texts } = await testServer.call(list, administrator());
  const counted = texts.flatMap(({ kind, consents }) => (kind === "TERMS" ? [consents] : []));
  expect(counted).toEqual([1, 1]);
});
