// Announcements over HTTP: drafts, scheduling, addressing, read marks and editions.
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { AnnouncementDraft } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { richTextContract } from "@cabinet/contract/messaging/rich-text/rich-text.contract.ts";
import { appNoticeContract } from "@cabinet/contract/orders/app/app-notice.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { PIXEL_PNG } from "../../../../../../tests/support/adverts.ts";
import { announcementDraft } from "../../../../../../tests/support/announcements.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { announcementJobs } from "./announcement.jobs.ts";

const testServer = useTestServer();
type Tenant = Awaited<ReturnType<typeof testServer.makeTenant>>;
let platform: Tenant;
let mine: Tenant;
let other: Tenant;

beforeAll(async () => {
  platform = await testServer.makeTenant(1);
  mine = await testServer.makeTenant();
  other = await testServer.makeTenant();
});

const versionDraft: AnnouncementDraft = {
  ...announcementDraft,
  ...{ kind: "VERSION", title: "", version: "V2.0.0", content: "<p>新版本</p>", userTypes: [] },
};

async function write(as: Person, more: Partial<AnnouncementDraft> = {}): Promise<number> {
  const body = { ...announcementDraft, ...more };
  const reply = await testServer.call(announcementContract.create, as, { body });
  expect(reply, reply.errMsg).toMatchObject({ code: 0 });
  return reply.data.id;
}

const publish = (as: Person, id: number, publishAt: string | null = null) =>
  testServer.call(announcementContract.publish, as, { params: { id }, body: { publishAt } });

async function release(as: Person, more: Partial<AnnouncementDraft> = {}): Promise<number> {
  const id = await write(as, more);
  expect(await publish(as, id)).toMatchObject({ code: 0 });
  return id;
}

const get = async (as: Person, id: number) =>
  (await testServer.call(announcementContract.get, as, { params: { id } })).data;

async function received(as: Person): Promise<number[]> {
  const query = { page: 1, pageSize: 100 };
  const { data } = await testServer.call(announcementContract.received, as, { query });
  return data.list.map(({ id }) => id);
}

const latest = async (as: Person) => (await testServer.call(announcementContract.latest, as)).data;

/** Moves the announcement's times back, as if this interval had passed. */
const age = (id: number, by: string) =>
  testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update announcement set publish_at = publish_at - ${by}::interval,
        updated_at = updated_at - ${by}::interval,
        expires_at = expires_at - ${by}::interval where id = ${id}`),
  );

describe("lifecycle of an announcement", () => {
  it("is visible from its publishing to its withdrawal", async () => {
    const { 0: admin, 1: operator } = mine.people;
    const id = await write(admin);
    expect((await get(admin, id)).phase).toBe("DRAFT");
    expect(await received(operator)).not.toContain(id);
    expect(await publish(admin, id)).toMatchObject({ code: 0 });
    expect((await get(admin, id)).phase).toBe("LIVE");
    expect(await received(operator)).toContain(id);
    expect(await publish(admin, id)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("当前状态为“已发布”，不能发布"),
    });
    const remove = () => testServer.call(announcementContract.delete, admin, { params: { id } });
    expect((await remove()).errMsg).toContain("请先撤回");
    const body = { reason: "时间写错了" };
    expect(
      await testServer.call(announcementContract.withdraw, admin, { params: { id }, body }),
    ).toMatchObject({ code: 0 });
    expect(await received(operator)).not.toContain(id);
    expect(await get(admin, id)).toMatchObject({
      phase: "WITHDRAWN",
      withdrawReason: "时间写错了",
    });
    expect(await remove()).toMatchObject({ code: 0 });
    expect((await publish(admin, id)).errMsg).toContain("不存在");
  });

  it("is published by the clock, and notifies consoles once", async () => {
    const { 0: admin, 1: operator } = mine.people;
    const messages: unknown[] = [];
    const stop = testServer.listener.on("live", (event) => messages.push(event));
    const id = await write(admin);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    expect(await publish(admin, id, at)).toMatchObject({ code: 0 });
    expect(await get(admin, id)).toMatchObject({ phase: "SCHEDULED", publishAt: at });
    expect(await received(operator)).not.toContain(id);
    const run = () =>
      announcementJobs.tasks["announcement.tell"]?.(null, {
        database: testServer.database,
        log: testServer.app.log as never,
      });
    const ours = () =>
      messages.filter((event) => JSON.stringify(event).includes('"topic":"announcement"')).length;
    /** PostgreSQL delivers notices in the order of commits: with the marker, all before it are here. */
    const hearAll = async (marker: number) => {
      const event = { tenantId: mine.id, topic: "cabinet", cabinetId: marker } as const;
      await testServer.database.transaction("platform", (db) => pushLive(db, event));
      const isHeard = () => messages.some((each) => JSON.stringify(each).includes(`:${marker}`));
      await expect.poll(isHeard).toBe(true);
    };
    await run();
    await hearAll(987_654_321);
    const before = ours();
    await age(id, "2 hours");
    expect(await received(operator)).toContain(id);
    expect((await get(admin, id)).phase).toBe("LIVE");
    await Promise.all([run(), run()]);
    await run();
    expect(await get(admin, id)).toMatchObject({ phase: "LIVE" });
    await hearAll(987_654_322);
    expect(ours()).toBe(before + 1);
    stop();
  });

  it("becomes a draft when withdrawn before its time, and expires at its end", async () => {
    const { 0: admin, 1: operator } = mine.people;
    const expiresAt = new Date(Date.now() + 7_200_000).toISOString();
    const id = await write(admin, { expiresAt });
    const late = new Date(Date.now() + 9_000_000).toISOString();
    expect((await publish(admin, id, late)).errMsg).toContain("到期时间应晚于发布时间");
    await publish(admin, id, new Date(Date.now() + 3_600_000).toISOString());
    await testServer.call(announcementContract.withdraw, admin, {
      params: { id },
      body: { reason: "改期" },
    });
    expect(await get(admin, id)).toMatchObject({ phase: "DRAFT", publishAt: null });
    await publish(admin, id);
    expect(await received(operator)).toContain(id);
    await age(id, "3 hours");
    expect(await received(operator)).not.toContain(id);
    expect((await get(admin, id)).phase).toBe("EXPIRED");
  });

  it.each([
    [{ title: " " }, "请填写公告标题"],
    [{ userTypes: [] }, "至少一种接收的账号类型"],
    [{ kind: "VERSION", version: "V1" }, "版本通知只能由平台发布"],
    [{ content: "<p> </p><script>1</script>" }, "内容不能为空"],
    [{ expiresAt: "2020-01-01T00:00:00.000Z" }, "到期时间应晚于现在"],
  ] as const)("refuses %j", async (more, text) => {
    const body = { ...announcementDraft, ...more };
    const reply = await testServer.call(announcementContract.create, mine.people[0], { body });
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
  });

  it("refuses a publishing time in the past", async () => {
    const id = await write(mine.people[0]);
    const past = new Date(Date.now() - 1_000).toISOString();
    expect((await publish(mine.people[0], id, past)).errMsg).toContain("应晚于现在");
  });
});

describe("recipients of an announcement", () => {
  it("are the accounts of the user types and tenants that it names", async () => {
    const { 0: staff } = platform.people;
    const all = await release(staff, { userTypes: [1, 2] });
    const some = await release(staff, { userTypes: [1], tenantIds: [mine.id] });
    expect(await received(mine.people[1])).toEqual(expect.arrayContaining([all, some]));
    expect(await received(mine.people[2])).toContain(all);
    expect(await received(mine.people[2])).not.toContain(some);
    expect(await received(other.people[1])).toContain(all);
    expect(await received(other.people[1])).not.toContain(some);
    expect(await received(staff)).not.toContain(all);
    const own = await release(other.people[1]);
    expect(await received(other.people[2])).toContain(own);
    expect(await received(mine.people[1])).not.toContain(own);
    const one = { params: { id: some } };
    expect(
      (await testServer.call(announcementContract.receivedOne, mine.people[1], one)).data,
    ).toEqual(
      expect.objectContaining({ content: announcementDraft.content, isFromPlatform: true }),
    );
    expect(
      (await testServer.call(announcementContract.receivedOne, other.people[1], one)).errMsg,
    ).toContain("不存在");
    expect((await get(staff, some)).tenants).toEqual([{ id: mine.id, name: `租户 ${mine.id}` }]);
  });

  it("only platform staff may address other tenants", async () => {
    const reply = await testServer.call(announcementContract.create, platform.people[1], {
      body: announcementDraft,
    });
    expect(reply.errMsg).toContain("只能由平台管理员编写");
    expect(await write(platform.people[1], { audience: "END_USER" })).toBeGreaterThan(0);
  });

  it("kind and audience are fixed once it may have been seen", async () => {
    const { 0: admin } = mine.people;
    const id = await release(admin);
    const body = { ...announcementDraft, audience: "END_USER" as const, editVersion: 1 };
    const reply = await testServer.call(announcementContract.update, admin, {
      params: { id },
      body,
    });
    expect(reply.errMsg).toContain("不能更改类型和接收人群");
  });

  it("users of the app receive it, and their read marks count once", async () => {
    const { 0: admin } = mine.people;
    const id = await release(admin, { audience: "END_USER", isPinned: true });
    const person = await testServer.makeAppPerson(mine.id);
    const stranger = await testServer.makeAppPerson(other.id);
    const list = async (as: typeof person) =>
      (await testServer.call(appNoticeContract.announcements, as)).data.list;
    expect(await list(person)).toMatchObject([{ id, isPinned: true, isRead: false }]);
    expect((await list(stranger)).map((each) => each.id)).not.toContain(id);
    const read = (as: typeof person) =>
      testServer.call(appNoticeContract.readAnnouncement, as, { params: { id } });
    expect(await read(stranger)).toMatchObject({ code: 1 });
    await Promise.all([read(person), read(person), read(person)]);
    expect(await list(person)).toMatchObject([{ id, isRead: true }]);
    expect(await get(admin, id)).toMatchObject({ readCount: 1 });
    const { data } = await testServer.call(announcementContract.recipients, admin, {
      params: { id },
      query: { isRead: true },
    });
    expect(data.list[0]?.name).not.toContain(person.phone);
  });
});

describe("read marks", () => {
  it("count each account once, and list those who have not read it", async () => {
    const { 0: admin, 1: operator, 2: maintenance } = mine.people;
    const id = await release(admin, { userTypes: [1, 2] });
    const read = (as: Person) =>
      testServer.call(announcementContract.read, as, { body: { ids: [id] } });
    await Promise.all([read(operator), read(operator)]);
    expect(await read(other.people[1])).toMatchObject({ code: 0 });
    expect(await get(admin, id)).toMatchObject({ readCount: 1, reachCount: 2 });
    const people = async (isRead: boolean) =>
      (
        await testServer.call(announcementContract.recipients, admin, {
          params: { id },
          query: { isRead },
        })
      ).data.list.map((each) => each.id);
    expect(await people(true)).toEqual([operator.operatorId]);
    expect(await people(false)).toEqual([maintenance.operatorId]);
  });

  it("the audit entry names the announcement, also of a second read", async () => {
    const { 0: admin, 1: operator } = mine.people;
    const id = await release(admin, { userTypes: [1], title: "国庆值班" });
    await testServer.call(announcementContract.read, operator, { body: { ids: [id] } });
    await testServer.call(announcementContract.read, operator, { body: { ids: [id] } });
    const { method, path } = announcementContract.read;
    const { data } = await testServer.call(auditContract.list, admin, {
      query: { call: `${method} ${path}`, target: "国庆值班" },
    });
    expect(data.list.map(({ target }) => target)).toEqual(Array(2).fill("公告“国庆值班”"));
  });
});

describe("version notice", () => {
  it("is the latest published one or null, for operators only", async () => {
    const { 0: staff } = platform.people;
    expect(await latest(mine.people[1])).toBeNull();
    const first = await release(staff, versionDraft);
    await age(first, "1 day");
    await release(staff, { ...versionDraft, version: "V2.1.0" });
    await write(staff, { ...versionDraft, version: "V3.0.0" });
    expect((await latest(mine.people[1]))?.version).toBe("V2.1.0");
    expect(await latest(mine.people[2])).toBeNull();
    const body = { ...versionDraft, content: "<p>更正</p>", editVersion: 1 };
    await testServer.call(announcementContract.update, staff, { params: { id: first }, body });
    expect((await latest(mine.people[1]))?.version).toBe("V2.1.0");
  });

  it("gets a new time when corrected, so that it is shown again", async () => {
    const { 0: staff } = platform.people;
    const id = await release(staff, { ...versionDraft, version: "V4.0.0" });
    const before = await latest(mine.people[1]);
    const body = { ...versionDraft, version: "V4.0.0", content: "<p>更正</p>", editVersion: 1 };
    await testServer.call(announcementContract.update, staff, { params: { id }, body });
    const after = await latest(mine.people[1]);
    expect(after).toMatchObject({ version: "V4.0.0", content: "<p>更正</p>" });
    expect(Date.parse(after?.updateTime ?? "")).toBeGreaterThan(
      Date.parse(before?.updateTime ?? ""),
    );
  });
});

describe("editions", () => {
  it("keeps every edition, and refuses to overwrite a concurrent change", async () => {
    const { 0: admin, 1: operator } = mine.people;
    const id = await write(admin, { content: "<p>一</p>" });
    const save = (as: Person, content: string, editVersion: number) =>
      testServer.call(announcementContract.update, as, {
        params: { id },
        body: { ...announcementDraft, content, editVersion },
      });
    expect(await save(operator, "<p>二</p>", 1)).toMatchObject({ code: 0 });
    const late = await save(admin, "<p>三</p>", 1);
    expect(late).toMatchObject({ code: 1, errMsg: expect.stringContaining(operator.username) });
    const { data } = await testServer.call(announcementContract.editions, admin, {
      params: { id },
    });
    expect(data.list.map(({ edition, content }) => [edition, content])).toEqual([
      [2, "<p>二</p>"],
      [1, "<p>一</p>"],
    ]);
  });
});

describe("pictures in announcements", () => {
  const upload = async (as: Person) =>
    (
      await testServer.call(announcementContract.upload, as, {
        file: { name: "现场.png", bytes: PIXEL_PNG },
      })
    ).data;
  const look = (as: Person, fileId: string) =>
    testServer.call(richTextContract.image, as, { params: { fileId } });
  const unused = (id: string) =>
    testServer.database.read("platform", async (db) => {
      const row = await db.one<{ isUnused: boolean }>(sql`
        select unused_since is not null as is_unused from file where id = ${id}`);
      return row.isUnused;
    });

  it("are visible to its recipients while it is published", async () => {
    const { 0: staff } = platform.people;
    const { id: fileId, address } = await upload(staff);
    const content = `<p>见图<img src="${address}" alt="现场"></p>`;
    const id = await write(staff, { content, userTypes: [1], tenantIds: [mine.id] });
    expect(await look(mine.people[1], fileId)).toMatchObject({ code: 1 });
    await publish(staff, id);
    expect(await look(mine.people[1], fileId)).toMatchObject({ status: 200, code: 0 });
    expect(await look(mine.people[2], fileId)).toMatchObject({ code: 1 });
    expect(await look(other.people[1], fileId)).toMatchObject({ code: 1 });
    expect(
      await testServer.call(richTextContract.appImage, null, { params: { fileId } }),
    ).toMatchObject({ code: 1 });
  });

  it("are public while an announcement to app users shows them", async () => {
    const { 0: admin } = mine.people;
    const { id: fileId, address } = await upload(admin);
    const id = await write(admin, { content: `<img src="${address}">`, audience: "END_USER" });
    const fetched = () => testServer.call(richTextContract.appImage, null, { params: { fileId } });
    expect(await fetched()).toMatchObject({ code: 1 });
    await publish(admin, id);
    expect(await fetched()).toMatchObject({ status: 200, code: 0 });
  });

  it("are kept while an announcement uses them, and released with the last one", async () => {
    const { 0: admin } = mine.people;
    const { id: fileId, address } = await upload(admin);
    expect(await unused(fileId)).toBe(true);
    const content = `<p><img src="${address}"></p>`;
    const first = await write(admin, { content });
    const second = await write(admin, { content });
    expect(await unused(fileId)).toBe(false);
    const remove = (id: number) =>
      testServer.call(announcementContract.delete, admin, { params: { id } });
    await remove(first);
    expect(await unused(fileId)).toBe(false);
    await remove(second);
    expect(await unused(fileId)).toBe(true);
  });

  it("refuse pictures of another tenant", async () => {
    const { address } = await upload(other.people[0]);
    const body = { ...announcementDraft, content: `<img src="${address}">` };
    const reply = await testServer.call(announcementContract.create, mine.people[0], { body });
    expect(reply.errMsg).toContain("文中有一张图片");
  });
});
