// Tests notes on people over HTTP on a real PostgreSQL: order, author, limits, erasure, audit log.
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { MOST_NOTES_OF_ONE } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { beforeEach, expect, it } from "vitest";
import { findAudit } from "../../../../../../tests/support/cabinets.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let operator: Person;
let id: number;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  operator = people[1];
  id = await testServer.database.transaction({ tenantId }, async (db) => {
    const endUserId = await insertEndUser(db, tenantId, "张三");
    await db.run(sql`
      update wallet set principal_fen = 0, bonus_fen = 0 where end_user_id = ${endUserId}`);
    return endUserId;
  });
});

const add = (text: string, as = operator, of = id) =>
  testServer.call(endUserContract.addNote, as, { params: { id: of }, body: { text } });
const remove = (noteId: number, as = operator, of = id) =>
  testServer.call(endUserContract.deleteNote, as, { params: { id: of, noteId } });
const notes = async (as = operator) =>
  (await testServer.call(endUserContract.get, as, { params: { id } })).data.notes;

it("notes: newest first with author and time; one that is deleted is gone", async () => {
  const first = await add(" 常投诉，请先核实 ");
  await add("改约下午联系");
  expect(await notes()).toEqual([
    expect.objectContaining({ text: "改约下午联系", actorName: operator.username }),
    expect.objectContaining({ id: first.data.id, text: "常投诉，请先核实", isDeletable: true }),
  ]);
  expect(Date.parse((await notes())[0]?.at ?? "")).toBeGreaterThan(Date.now() - 60_000);
  expect((await remove(first.data.id)).errMsg).toBe("");
  expect((await notes()).map(({ text }) => text)).toEqual(["改约下午联系"]);
  expect((await remove(first.data.id)).errMsg).toContain("备注不存在");
});

it("notes: an account of all stores deletes those of a colleague", async () => {
  const { data } = await add("同事写的", people[0]);
  expect((await remove(data.id)).errMsg).toBe("");
});

it("notes: the audit log names person and author and has no text", async () => {
  const { data } = await add("常投诉，请先核实");
  await remove(data.id);
  const audit = await findAudit(testServer, tenantId);
  const target = /^用户 张三（139\*{4}\d{4}）的备注$/;
  const deleted = new RegExp(`的备注（由“${operator.username}”添加）$`);
  expect(audit).toMatchObject([
    { target: expect.stringMatching(target), after: { noteId: data.id } },
    { target: expect.stringMatching(deleted), before: { noteId: data.id } },
  ]);
  expect(JSON.stringify(audit)).not.toContain("常投诉");
});

it("notes: erased with their person", async () => {
  await add("常投诉，请先核实");
  const deleted = await testServer.call(endUserContract.delete, operator, { params: { id } });
  expect(deleted.errMsg).toBe("");
  const left = await testServer.database.read("platform", (db) =>
    db.many(sql`select from end_user_note where tenant_id = ${tenantId}`),
  );
  expect(left).toEqual([]);
  expect((await add("又来了")).errMsg).toContain("用户不存在");
});

it("notes: invisible to another tenant, and refused to accounts that may not change people", async () => {
  const { data } = await add("常投诉，请先核实");
  const other = await testServer.makeTenant();
  expect((await add("别家的", other.people[1])).errMsg).toContain("用户不存在");
  expect((await remove(data.id, other.people[1])).errMsg).toContain("用户不存在");
  expect((await add("运维的", people[2])).status).toBe(403);
  expect(await notes()).toHaveLength(1);
});

it.each(["", "  ", "长".repeat(201)])("note %j is refused", async (text) => {
  expect(await add(text)).toMatchObject({ code: 1, errMsg: expect.stringContaining("备注") });
});

it("notes: at most fifty of one person", async () => {
  for (let nth = 0; nth < MOST_NOTES_OF_ONE; nth++) await add(`备注 ${nth}`);
  expect((await add("多了")).errMsg).toBe("一个用户最多 50 条备注，请先删除不用的");
});
