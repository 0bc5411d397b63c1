// Names of accounts: nobody acts under the product's name, an invisible one, or that of a colleague.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { beforeAll, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { callRows } from "../support/call-rows.ts";
import { makeWorld, type World } from "../support/tenant-world.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
let world: World;
let operator: Person;
let colleague: Person;

beforeAll(async () => {
  await testServer.makeTenant(1);
  const { id, people } = await testServer.makeTenant();
  world = await makeWorld(testServer, id, null);
  operator = people[1];
  colleague = people[2];
});

async function rename(as: Person, displayName: string) {
  const { data } = await testServer.call(accountContract.profile, as);
  const editVersion = data?.editVersion;
  return testServer.call(accountContract.saveProfile, as, { body: { displayName, editVersion } });
}

const nameOf = async (as: Person) =>
  (await testServer.call(accountContract.profile, as)).data?.displayName;

it.each([
  ["系统", "系统自己使用的名称"],
  [" 系　统 ", "系统自己使用的名称"],
  ["系统01", "系统自己使用的名称"],
  ["平台管理员", "系统自己使用的名称"],
  ["ＡＤＭＩＮ", "系统自己使用的名称"],
  ["\u200b\u200b", "看不见的字符"],
  ["李\u202e伟", "看不见的字符"],
  ["李\u0007伟", "看不见的字符"],
  ["李\ud800", "无法保存的字符"],
  ["\u3000", "不能为空"],
])("%j: refused, and the name stays", async (name, words) => {
  const before = await nameOf(operator);
  expect((await rename(operator, name)).errMsg).toContain(words);
  expect(await nameOf(operator)).toBe(before);
});

it("a colleague's name: refused in any width, case and spacing, for one of two at the same time", async () => {
  expect((await rename(colleague, "Li Wei")).errMsg).toBe("");
  for (const name of ["Li Wei", "ＬＩ  wei", "liwei"]) {
    expect((await rename(operator, name)).errMsg).toContain("已有名为");
  }
  const replies = await Promise.all([rename(operator, "王芳"), rename(colleague, "王芳")]);
  expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
});

it("another's signature, or account: refused in any place of the name and any width", async () => {
  const accounts = { wangfang: colleague, liwei: operator };
  await testServer.database.transaction("platform", async (db) => {
    for (const [username, { operatorId }] of Object.entries(accounts)) {
      await db.run(sql`update operator set username = ${username} where id = ${operatorId}`);
    }
  });
  for (const name of ["王芳（wangfang）", "王芳 (WangFang)", "（wangfang）经理", "wangfang"]) {
    expect((await rename(operator, name)).errMsg, name).toContain("已有名为");
  }
  for (const name of ["王芳（夜班）", "李伟（liwei）"]) {
    expect((await rename(operator, name)).errMsg, name).toBe("");
  }
  await testServer.database.transaction("platform", async (db) => {
    for (const { operatorId, username } of Object.values(accounts)) {
      await db.run(sql`update operator set username = ${username} where id = ${operatorId}`);
    }
  });
});

it("a name given before the rule: its account may save other things, nobody else may take it", async () => {
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`update operator set display_name = '系统' where id = ${operator.operatorId}`),
  );
  expect((await rename(operator, "系统")).errMsg).toBe("");
  expect((await rename(colleague, "系统")).errMsg).toContain("系统自己使用的名称");
  expect((await rename(operator, "系统员")).errMsg).toContain("系统自己使用的名称");
});

it("renamed for one opening: the log names the account, and so does the filter", async () => {
  expect((await rename(operator, "张三")).errMsg).toBe("");
  const opened = await testServer.call(commandContract.open, operator, {
    ...callRows["command.open"].input(world.ids),
  });
  expect(opened.errMsg).toBe("");
  expect((await rename(operator, "李四")).errMsg).toBe("");
  const logOf = (query: object) => testServer.call(commandContract.list, operator, { query });
  const { data } = await logOf({ actorName: operator.username });
  expect(data.list.map(({ actorName }) => actorName)).toEqual([`张三（${operator.username}）`]);
});

it("an application acts under its name, too: not under the product's", async () => {
  const { body } = callRows["open-app.create"].input(world.ids);
  const draft = { ...body, name: "系 统" };
  const { errMsg } = await testServer.call(openAppContract.create, operator, { body: draft });
  expect(errMsg).toContain("系统自己使用的名称");
});
