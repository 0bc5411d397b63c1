// Tests tags over HTTP on a real PostgreSQL: names, assignment, refusals.
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { MOST_TAGS, MOST_TAGS_OF_ONE } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit } from "../../../../../../tests/support/cabinets.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";

const testServer = useTestServer();
let platform: Person;
let tenantId: number;
let operator: Person;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  operator = tenant.people[1];
});

const create = (name: string, as = operator, more: object = {}) =>
  testServer.call(tagContract.create, as, { query: { name, color: "BLUE", ...more } });
const made = async (name: string) => (await create(name)).data.id;
const list = async (query: object = {}, as = operator) =>
  (await testServer.call(tagContract.list, as, { query: { pageSize: 100, ...query } })).data.list;
const newUser = (name: string, at = tenantId) =>
  testServer.database.transaction({ tenantId: at }, (db) => insertEndUser(db, at, name));
const tagsOf = async (id: number) => {
  const { data } = await testServer.call(endUserContract.get, operator, { params: { id } });
  return data.tags.map(({ name }) => name);
};
const assign = (endUserIds: number[], tagIds: number[], as = operator) =>
  testServer.call(tagContract.assign, as, { body: { endUserIds, tagIds } });
const replace = (endUserId: number, tagIds: number[], as = operator) =>
  testServer.call(tagContract.replace, as, { body: { endUserId, tagIds } });

describe("an import of tags", () => {
  const lineOf = (line: number, name: string, color = "", remark = "") => {
    return { line, name, color, remark };
  };
  const importLines = async (
    lines: ReturnType<typeof lineOf>[],
    mode: "ALL_OR_NONE" | "VALID_ONLY" = "VALID_ONLY",
    as = operator,
    more: object = {},
  ) => {
    const reply = await testServer.call(tagContract.importLines, as, {
      body: { mode, lines, ...more },
    });
    expect(reply.errMsg).toBe("");
    return reply.data;
  };

  it("judges every line, saves the valid ones with their colours, and is audited once", async () => {
    await made("VIP");
    const reply = await importLines([
      lineOf(2, " 企业\u00a0骑手 ", "金色", "一\u202e二"),
      lineOf(3, "企业 骑手"),
      lineOf(4, "VIP"),
      lineOf(5, ""),
      lineOf(6, "新人", "粉色"),
      lineOf(7, "老客户"),
      lineOf(8, "十三个字的标签名称太长了啊啊"),
    ]);
    expect(reply.lines.map(({ line, result, message }) => [line, result, message])).toEqual([
      [2, "IMPORTED", "已导入"],
      [3, "DUPLICATE", "与第 2 行的标签名称重复"],
      [4, "EXISTS", "已有这个标签"],
      [5, "INVALID", "标签名称为空"],
      [6, "INVALID", expect.stringContaining("没有颜色“粉色”，可填蓝色、绿色")],
      [7, "IMPORTED", "已导入"],
      [8, "INVALID", "标签名称最多 12 个字"],
    ]);
    expect((await list()).map(({ name, color, remark }) => [name, color, remark]).sort()).toEqual([
      ["VIP", "BLUE", ""],
      ["企业 骑手", "GOLD", "一二"],
      ["老客户", "BLUE", ""],
    ]);
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: "导入 2 个标签",
      after: { imported: 2, refused: 5, names: ["企业 骑手", "老客户"] },
    });
  });

  it("a bad line, or one beyond the limit, refuses all in ALL_OR_NONE", async () => {
    const names = Array.from({ length: MOST_TAGS - 1 }, (_, index) => `标签${index}`);
    await importLines(names.map((name, index) => lineOf(index + 2, name)));
    const two = [lineOf(2, "最后一个"), lineOf(3, "多一个")];
    expect(await importLines(two, "ALL_OR_NONE")).toMatchObject({
      imported: 0,
      lines: [{ result: "READY" }, { message: `一个租户最多 ${MOST_TAGS} 个标签` }],
    });
    expect(await importLines(two)).toMatchObject({ imported: 1 });
    expect(await list()).toHaveLength(MOST_TAGS);
  });

  it("platform staff import for a named tenant", async () => {
    await importLines([lineOf(2, "VIP")], "VALID_ONLY", platform, { tenantId });
    expect((await list()).map(({ name }) => name)).toEqual(["VIP"]);
  });
});

describe("a tag", () => {
  it("is created, changed and deleted, each audited with before and after", async () => {
    const id = await made(" VIP ");
    const edit = (body: object) =>
      testServer.call(tagContract.update, operator, {
        body: { id, name: "贵宾", color: "GOLD", remark: "老客户", editVersion: 1, ...body },
      });
    expect((await edit({})).errMsg).toBe("");
    expect(await edit({})).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("刚刚被修改过"),
    });
    expect(await list()).toMatchObject([
      { name: "贵宾", color: "GOLD", remark: "老客户", users: 0, editedBy: operator.username },
    ]);
    const user = await newUser("张三");
    await assign([user], [id]);
    expect((await list())[0]?.users).toBe(1);
    expect((await testServer.call(tagContract.delete, operator, { query: { id } })).errMsg).toBe(
      "",
    );
    expect(await tagsOf(user)).toEqual([]);
    const audit = await findAudit(testServer, tenantId);
    expect(audit.map(({ target }) => target)).toEqual([
      "标签 VIP",
      "标签 VIP",
      expect.stringMatching(/^给用户 张三（139\*{4}\d{4}）加标签 贵宾$/),
      "标签 贵宾",
    ]);
    expect(audit[1]).toMatchObject({ before: { name: "VIP" }, after: { name: "贵宾" } });
    expect(audit[3]).toMatchObject({ before: { name: "贵宾", users: 1 }, after: null });
  });

  it("has a name unique within its tenant, even when two are created at once", async () => {
    const replies = await Promise.all([create("VIP"), create("VIP"), create("VIP")]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    expect(replies.find(({ code }) => code === 1)?.errMsg).toBe("已有标签“VIP”，请换一个名称");
    const id = await made("骑手");
    const rename = { id, name: "VIP", color: "RED", remark: "", editVersion: 1 };
    expect((await testServer.call(tagContract.update, operator, { body: rename })).code).toBe(1);
    expect((await create("VIP", (await testServer.makeTenant()).people[1])).code).toBe(0);
  });

  it("is one of at most a hundred", async () => {
    for (let nth = 0; nth < MOST_TAGS; nth++) await made(`标签 ${nth}`);
    expect(await create("多了")).toMatchObject({
      code: 1,
      errMsg: "一个租户最多 100 个标签，请先去掉不用的",
    });
  });

  it("is created by platform staff for the tenant that they name, by others for their own", async () => {
    expect((await create("平台给的", platform, { tenantId })).code).toBe(0);
    expect((await list()).map(({ name }) => name)).toEqual(["平台给的"]);
    const other = await testServer.makeTenant();
    expect(await create("给别人", operator, { tenantId: other.id })).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("租户不存在"),
    });
    expect(await list({ tenantId }, other.people[1])).toEqual([]);
  });
});

describe("the tags of people", () => {
  it("are added to several people, who keep their other tags, or replaced for one person", async () => {
    const [vip, rider] = [await made("VIP"), await made("骑手")];
    const [one, two] = [await newUser("一"), await newUser("二")];
    await assign([one], [vip]);
    expect((await assign([one, two], [vip, rider])).data).toEqual({ changed: 2 });
    expect((await assign([one, two], [vip])).data).toEqual({ changed: 0 });
    expect(await tagsOf(one)).toEqual(["VIP", "骑手"].sort());
    await replace(one, [rider]);
    expect(await tagsOf(one)).toEqual(["骑手"]);
    await replace(one, []);
    expect(await tagsOf(one)).toEqual([]);
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: expect.stringMatching(/^用户 一（.*）的标签$/),
      before: { tagIds: "骑手" },
      after: { tagIds: "无" },
    });
    const found = await testServer.call(endUserContract.list, operator, {
      query: { tagId: rider },
    });
    expect(found.data.list.map(({ userName }) => userName)).toEqual(["二"]);
  });

  it("belong to the person's own tenant, even when platform staff assign them", async () => {
    const other = await testServer.makeTenant();
    const theirs = (await create("别家的", other.people[1])).data.id;
    const own = await newUser("张三");
    expect(await assign([own], [theirs])).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("标签不存在"),
    });
    for (const reply of [
      await assign([own], [theirs], platform),
      await replace(own, [theirs], platform),
    ]) {
      expect(reply).toMatchObject({
        code: 1,
        errMsg: "所选的用户和标签须属于同一个租户，请分别设置",
      });
    }
    expect(await tagsOf(own)).toEqual([]);
  });

  it("are at most twenty for one person", async () => {
    const ids: number[] = [];
    for (let nth = 0; nth <= MOST_TAGS_OF_ONE; nth++) ids.push(await made(`标签 ${nth}`));
    const user = await newUser("张三");
    await replace(user, ids.slice(0, MOST_TAGS_OF_ONE));
    expect(await assign([user], ids.slice(-1))).toMatchObject({
      code: 1,
      errMsg: "张三最多 20 个标签，请先去掉不用的",
    });
    expect((await replace(user, ids)).code).toBe(1);
  });
});
