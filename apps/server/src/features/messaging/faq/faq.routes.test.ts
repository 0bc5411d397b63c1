// Tests questions over the real app: order, ownership, and the answers that end users read.

import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import type { FaqAudience } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import { appNoticeContract } from "@cabinet/contract/orders/app/app-notice.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { PIXEL_PNG } from "../../../../../../tests/support/adverts.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

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

async function makeCategory(as: Person, name: string, audience: FaqAudience = "END_USER") {
  const reply = await testServer.call(faqContract.createCategory, as, { body: { name, audience } });
  expect(reply, reply.errMsg).toMatchObject({ code: 0 });
  return reply.data.id;
}

async function makeFaq(as: Person, categoryId: number, question: string, answer = "<p>答</p>") {
  const body = { categoryId, question, answer, isOn: true };
  const reply = await testServer.call(faqContract.create, as, { body });
  expect(reply, reply.errMsg).toMatchObject({ code: 0 });
  return reply.data.id;
}

async function read(tenantId: number, keyword?: string) {
  const person = await testServer.makeAppPerson(tenantId);
  const { data } = await testServer.call(appNoticeContract.faq, person, {
    ...(keyword && { query: { keyword } }),
  });
  return data.map(({ category, questions }) => [category, ...questions.map((q) => q.question)]);
}

describe("answers for end users", () => {
  it("come from the tenant before the platform, whose questions it may hide, in order", async () => {
    const staff = platform.people[0];
    const basics = await makeCategory(staff, "取件");
    const first = await makeFaq(staff, basics, "平台一");
    await makeFaq(staff, basics, "平台二");
    const money = await makeCategory(staff, "费用");
    await makeFaq(staff, money, "平台三", "<p>按<strong>分钟</strong>计费</p>");
    const admin = mine.people[0];
    const own = await makeCategory(admin, "取件");
    await makeFaq(admin, own, "自己一");
    const second = await makeFaq(admin, own, "自己二");
    expect(await read(mine.id)).toEqual([
      ["取件", "自己一", "自己二", "平台一", "平台二"],
      ["费用", "平台三"],
    ]);
    const raise = () =>
      testServer.call(faqContract.order, admin, { params: { id: second }, body: { step: "up" } });
    expect((await raise()).data).toEqual({ isMoved: true });
    expect((await raise()).data).toEqual({ isMoved: false });
    await testServer.call(faqContract.order, staff, {
      params: { id: first },
      body: { step: "down" },
    });
    const hide = (isHidden: boolean) =>
      testServer.call(faqContract.hide, admin, { params: { id: first }, body: { isHidden } });
    expect(await hide(true)).toMatchObject({ code: 0 });
    expect(await hide(true)).toMatchObject({ code: 0 });
    expect((await read(mine.id))[0]).toEqual(["取件", "自己二", "自己一", "平台二"]);
    expect((await read(other.id))[0]).toEqual(["取件", "平台二", "平台一"]);
    await hide(false);
    await testServer.call(faqContract.turn, admin, {
      params: { id: second },
      body: { isOn: false },
    });
    expect((await read(mine.id))[0]).toEqual(["取件", "自己一", "平台二", "平台一"]);
    await testServer.call(faqContract.orderCategory, staff, {
      params: { id: money },
      body: { step: "up" },
    });
    expect((await read(other.id)).map(([name]) => name)).toEqual(["费用", "取件"]);
  });

  it("are searched by their words, not by their HTML tags", async () => {
    expect(await read(mine.id, "分钟")).toEqual([["费用", "平台三"]]);
    expect(await read(mine.id, "strong")).toEqual([]);
    expect(await read(mine.id, "100%_")).toEqual([]);
  });

  it("do not include the platform's help for accounts", async () => {
    const staff = platform.people[0];
    const id = await makeCategory(staff, "设备", "OPERATOR");
    await makeFaq(staff, id, "怎样远程开门？");
    const help = await testServer.call(faqContract.help, mine.people[2]);
    expect(help.data.map(({ question }) => question)).toEqual(["怎样远程开门？"]);
    expect((await read(mine.id)).flat()).not.toContain("怎样远程开门？");
    const body = { name: "设备", audience: "OPERATOR" as const };
    const own = await testServer.call(faqContract.createCategory, mine.people[0], { body });
    expect(own.errMsg).toContain("由平台编写");
  });
});

describe("editing", () => {
  it("keeps names unique, refuses to delete a filled category and to overwrite a newer edit", async () => {
    const { 0: admin, 1: operator } = mine.people;
    const id = await makeCategory(admin, "押金");
    const faqId = await makeFaq(admin, id, "押金怎么退？");
    const again = { body: { name: "押金", audience: "END_USER" as const } };
    expect((await testServer.call(faqContract.createCategory, admin, again)).errMsg).toContain(
      "已有",
    );
    const remove = () => testServer.call(faqContract.deleteCategory, admin, { params: { id } });
    expect((await remove()).errMsg).toContain("还有 1 个问题");
    const save = (as: Person, editVersion: number) =>
      testServer.call(faqContract.update, as, {
        params: { id: faqId },
        body: {
          categoryId: id,
          question: "押金何时退？",
          answer: "<p>当天</p>",
          isOn: true,
          editVersion,
        },
      });
    expect(await save(operator, 1)).toMatchObject({ code: 0 });
    expect((await save(admin, 1)).errMsg).toContain(operator.username);
    await testServer.call(faqContract.delete, admin, { params: { id: faqId } });
    expect(await remove()).toMatchObject({ code: 0 });
  });

  it("releases an image when the answer no longer shows it", async () => {
    const { 0: admin } = mine.people;
    const file = { name: "示意.png", bytes: PIXEL_PNG };
    const { data: image } = await testServer.call(faqContract.upload, admin, { file });
    const categoryId = await makeCategory(admin, "图示");
    const id = await makeFaq(admin, categoryId, "柜门在哪？", `<img src="${image.address}">`);
    const isUnused = () =>
      testServer.database.read("platform", (db) =>
        db.one(sql`select unused_since is not null as is from file where id = ${image.id}`),
      );
    expect(await isUnused()).toEqual({ is: false });
    const body = { categoryId, question: "柜门在哪？", answer: "<p>左侧</p>", isOn: true };
    await testServer.call(faqContract.update, admin, {
      params: { id },
      body: { ...body, editVersion: 1 },
    });
    expect(await isUnused()).toEqual({ is: true });
  });

  it("is limited to platform staff for platform questions", async () => {
    const { data } = await testServer.call(faqContract.categories, platform.people[1]);
    const [category] = data.list;
    const body = { categoryId: category?.id, question: "一", answer: "<p>二</p>", isOn: true };
    const reply = await testServer.call(faqContract.create, platform.people[1], { body });
    expect(reply.errMsg).toContain("只能由平台管理员修改");
  });
});
