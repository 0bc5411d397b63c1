// 个人设置 (personal settings) on a real database: limited to one's own account.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { MOST_PREFERENCES } from "@cabinet/contract/identity/account/account.rules.ts";
import { expect, it } from "vitest";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const { profile, saveProfile, preference, savePreference } = accountContract;
const { sessions, endOtherSessions, signIns } = accountContract;

const entriesOf = (person: Person) =>
  testServer.database.read("platform", (db) =>
    db.many<{ summary: string; target: string; before: unknown; after: unknown }>(sql`
      select summary, target, before, after from audit_log
      where tenant_id = ${person.tenantId} and actor_id = ${person.operatorId} order by id`),
  );

it("profile: shows and changes one's own name and phone, the phone masked everywhere", async () => {
  const { people, id } = await testServer.makeTenant();
  const me = people[1];
  expect((await testServer.call(profile, me)).data).toMatchObject({
    username: me.username,
    userType: 1,
    tenantName: `租户 ${id}`,
    roles: ["运营管理员"],
    phone: "",
    editVersion: 1,
  });
  const body = { displayName: " 王芳 ", phone: "13812345678", editVersion: 1 };
  expect(await testServer.call(saveProfile, me, { body })).toMatchObject({ code: 0 });
  const changed = { displayName: "王芳", phone: "138****5678", editVersion: 2 };
  expect((await testServer.call(profile, me)).data).toMatchObject(changed);
  // An absent field keeps its value.
  await testServer.call(saveProfile, me, { body: { displayName: "王芳", editVersion: 2 } });
  expect((await testServer.call(profile, me)).data).toMatchObject({ phone: "138****5678" });
  expect((await testServer.call(profile, people[2])).data).toMatchObject({
    phone: "",
    editVersion: 1,
  });
  const entries = await entriesOf(me);
  expect(entries[0]).toMatchObject({
    target: `账号 ${me.username}`,
    before: { displayName: me.username, phone: "" },
    after: { displayName: "王芳", phone: "138****5678" },
  });
  expect(JSON.stringify(entries)).not.toContain("13812345678");
});

it.each(["+8613812345678", "008613812345678", "86 138-1234-5678"])(
  "profile: takes the phone %s and keeps it as 11 digits",
  async (phone) => {
    const { 1: person } = (await testServer.makeTenant()).people;
    const body = { displayName: "王芳", phone, editVersion: 1 };
    const saved = await testServer.call(saveProfile, person, { body });
    expect(saved.errMsg).toBe("");
    const stored = await testServer.database.read("platform", (db) =>
      db.one(sql`select phone from operator where id = ${person.operatorId}`),
    );
    expect(stored).toEqual({ phone: "13812345678" });
  },
);

it.each([{ displayName: " " }, { phone: "12345" }, { userType: 0 }])(
  "profile: refuses %j",
  async (change) => {
    const { people } = await testServer.makeTenant();
    const body = { displayName: "王芳", editVersion: 1, ...change };
    expect(await testServer.call(saveProfile, people[1], { body })).toMatchObject({ code: 1 });
    expect((await testServer.call(profile, people[1])).data).toMatchObject({ editVersion: 1 });
  },
);

it("profile: refuses to overwrite a concurrent change", async () => {
  const { people } = await testServer.makeTenant();
  const body = { displayName: "王芳", editVersion: 1 };
  await testServer.call(saveProfile, people[1], { body });
  const late = await testServer.call(saveProfile, people[1], { body });
  expect(late.errMsg).toContain("您的资料刚刚被修改过");
});

it("preferences: stored per account; the last value for each list wins, and a reset is stored", async () => {
  const { people } = await testServer.makeTenant();
  const hide = (...hidden: string[]) => ({ hidden, order: [] });
  const untouched = {
    ...{ theme: null, tagView: null, isCompact: null, isSetupHidden: null, columns: [] },
  };
  const save = (body: object) => testServer.call(savePreference, people[1], { body });
  expect((await testServer.call(preference, people[1])).data).toEqual(untouched);
  const columns = [
    { list: "设备列表", choice: hide("signal") },
    { list: "订单列表", choice: { ...hide(), widths: [{ key: "id", width: 220 }] } },
    {
      list: "门店列表",
      choice: { ...hide("code", "region"), filters: [{ name: "本市", search: "region=杭州" }] },
    },
  ];
  expect(await save({ theme: "dark", columns })).toMatchObject({ code: 0 });
  await save({ columns: [{ list: "设备列表", choice: null }] });
  const { data } = await testServer.call(preference, people[1]);
  expect(data.theme).toBe("dark");
  expect(data.columns).toHaveLength(3);
  expect(data.columns).toContainEqual({ list: "设备列表", choice: null });
  expect(data.columns).toContainEqual(columns[1]);
  expect(data.columns).toContainEqual(columns[2]);
  expect((await testServer.call(preference, people[2])).data).toEqual(untouched);
  const last = (await entriesOf(people[1])).at(-1);
  expect(last).toMatchObject({
    before: { columns: [{ list: "设备列表", choice: hide("signal") }] },
    after: { columns: [{ list: "设备列表", choice: null }] },
  });
});

it("preferences: the tab bar is off until it is switched on, and is kept both on and off", async () => {
  const { people } = await testServer.makeTenant();
  const stored = async () => (await testServer.call(preference, people[1])).data.tagView;
  expect(await stored()).toBeNull();
  for (const tagView of [true, false]) {
    await testServer.call(savePreference, people[1], { body: { tagView } });
    expect(await stored()).toBe(tagView);
  }
  await testServer.call(savePreference, people[1], { body: { theme: "dark" } });
  expect(await stored()).toBe(false);
});

it("preferences: limited to the number of lists a console may have", async () => {
  const { people } = await testServer.makeTenant();
  const save = (from: number) => {
    const lists = Array.from({ length: 50 }, (_, nth) => ({ list: `${from + nth}`, choice: null }));
    return testServer.call(savePreference, people[1], { body: { columns: lists } });
  };
  for (let from = 0; from < MOST_PREFERENCES; from += 50) {
    expect(await save(from)).toMatchObject({ code: 0 });
  }
  expect((await save(MOST_PREFERENCES)).errMsg).toContain("最多保存");
  expect(await save(0)).toMatchObject({ code: 0 });
  expect((await testServer.call(preference, people[1])).data.columns).toHaveLength(
    MOST_PREFERENCES,
  );
});

it("sessions and sign-ins: lists only one's own", async () => {
  const { people } = await testServer.makeTenant();
  const me = people[1];
  const { data } = await testServer.call(sessions, me);
  expect(data).toMatchObject([{ isCurrent: true, device: "未知设备" }]);
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into login_log (tenant_id, operator_id, username, outcome, address, user_agent)
      values (${me.tenantId}, ${me.operatorId}, ${me.username}, 'CREDENTIALS_WRONG', '203.0.113.7',
          'curl/8.5.0'),
        (${me.tenantId}, ${people[2].operatorId}, ${people[2].username}, 'SIGNED_IN', null, null)`),
  );
  expect((await testServer.call(signIns, me)).data).toMatchObject({
    total: 1,
    list: [{ outcome: "CREDENTIALS_WRONG", address: "203.0.113.7", device: "curl 8" }],
  });
});

it("ending other sessions: takes effect on their next request, for this account only", async () => {
  const { people } = await testServer.makeTenant();
  const me = people[1];
  const again: Person = { ...me, token: `${me.token.slice(0, -4)}AAAA` };
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      insert into session (token_hash, tenant_id, operator_id, expires_at)
      select sha256(${again.token}::bytea), tenant_id, operator_id, expires_at from session
      where tenant_id = ${me.tenantId} and operator_id = ${me.operatorId}`),
  );
  expect(await testServer.call(profile, again)).toMatchObject({ code: 0 });
  expect((await testServer.call(endOtherSessions, me)).data).toEqual({ ended: 1 });
  expect(await testServer.call(profile, again)).toMatchObject({ status: 401 });
  expect(await testServer.call(profile, me)).toMatchObject({ code: 0 });
  expect(await testServer.call(profile, people[2])).toMatchObject({ code: 0 });
  expect((await testServer.call(endOtherSessions, me)).data).toEqual({ ended: 0 });
});
