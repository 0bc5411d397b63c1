// Four eyes (0142): money beyond the tenant's sum is a request until a second person agrees, and then happens once.
import { contracts } from "@cabinet/contract/contracts.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { reviewContract } from "@cabinet/contract/money/review/review.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Sql, sql } from "../../apps/server/src/platform/db/sql.ts";
import { findAudit, makeCabinet } from "../support/cabinets.ts";
import type { CallName, CallRow } from "../support/call-row.ts";
import { callRows } from "../support/call-rows.ts";
import { insertEndUser, insertOrder, insertPayment } from "../support/orders.ts";
import { makePerson } from "../support/people.ts";
import { fingerprint, makeWorld } from "../support/tenant-world.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
let tenantId: number;
let clerk: Person;
let second: Person;
let third: Person;
let endUserId: number;

const run = (statement: Sql) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

/** The server's own roles cannot change a request. */
async function expire(requests: Sql): Promise<void> {
  const owner = new pg.Client({ connectionString: testServer.url });
  await owner.connect();
  await owner.query(
    sql`update money_review set expires_at = now() - interval '1 second' where ${requests}`,
  );
  await owner.end();
}

const setSum = (tenant: number, fen: number) =>
  run(sql`
    insert into tenant_setting (tenant_id, review_fen, refund_proof_fen, edited_by)
    values (${tenant}, ${fen}, 100000000, '测试')
    on conflict (tenant_id) do update set review_fen = excluded.review_fen`);

/** Another account with the roles of `person`. */
async function makeColleague({ tenantId: tenant, operatorId }: Person): Promise<Person> {
  const roleIds = await testServer.database.read("platform", (db) =>
    db.many<{ id: number }>(sql`
      select role_id as id from operator_role where operator_id = ${operatorId}`),
  );
  return makePerson(testServer, tenant, { roleIds: roleIds.map(({ id }) => id) });
}

beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  tenantId = tenant.id;
  clerk = tenant.people[1];
  second = await makeColleague(clerk);
  third = await makeColleague(clerk);
  await setSum(tenantId, 30_000);
  endUserId = await testServer.database.transaction("platform", (db) =>
    insertEndUser(db, tenantId, "张三"),
  );
});

const adjust = (principalFen: number, as = clerk, more: object = {}) =>
  testServer.call(walletContract.change, as, {
    body: {
      ...{ endUserId, kind: "ADMIN_ADJUST", principalFen, bonusFen: 0, reason: "客服补偿" },
      ...(Math.abs(principalFen) >= 50_000 && { confirmFen: Math.abs(principalFen) }),
      ...more,
    },
  });
const reviews = async (as: Person, query: object = {}) =>
  (await testServer.call(reviewContract.list, as, { query })).data.list;
const approve = (id: number | undefined, as: Person) =>
  testServer.call(reviewContract.approve, as, { params: { id } });
const refuse = (id: number | undefined, as: Person) =>
  testServer.call(reviewContract.refuse, as, { params: { id }, body: { reason: "金额不对" } });
const balance = async () => {
  const { principalFen } = await testServer.database.read("platform", (db) =>
    db.one<{ principalFen: number }>(sql`
      select principal_fen from wallet where tenant_id = ${tenantId} and end_user_id = ${endUserId}`),
  );
  return principalFen;
};
const notices = async (as: Person) =>
  (await testServer.call(notificationContract.list, as)).data.list.map(
    ({ title, text }) => `${title} ${text}`,
  );

/** A request of the clerk for an adjustment of 400 yuan. */
async function request(fen = 40_000): Promise<number> {
  expect((await adjust(fen)).errCode).toBe("REVIEW_REQUESTED");
  const [row] = await reviews(second, { state: "PENDING" });
  return row?.id ?? 0;
}

const requested = { code: 1, errCode: "REVIEW_REQUESTED" };

describe("request", () => {
  it("above the sum: executes nothing, and waits where a second person sees it", async () => {
    expect(await adjust(40_000)).toMatchObject({
      ...requested,
      errMsg: expect.stringContaining("已提交，待复核"),
    });
    expect(await balance()).toBe(10_000);
    const shared = { kind: "ADMIN_ADJUST", endUserId, principalFen: 40_000, bonusFen: 0 };
    expect(await reviews(second)).toMatchObject([
      { ...shared, reason: "客服补偿", state: "PENDING", isOwn: false, mayDecide: true },
    ]);
    expect(await reviews(clerk)).toMatchObject([{ ...shared, isOwn: true, mayDecide: false }]);
    expect(await notices(second)).toEqual([expect.stringContaining("1 笔资金操作待复核")]);
    expect(await notices(clerk)).toEqual([]);
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: expect.stringMatching(/^复核申请 \d+：调整余额 张三/),
      reason: "客服补偿",
    });
  });

  it("without a sum, and up to it: executed at once, as ever", async () => {
    expect((await adjust(30_000)).errMsg).toBe("");
    await setSum(tenantId, 0);
    expect((await adjust(90_000)).errMsg).toBe("");
    expect(await balance()).toBe(130_000);
  });

  it("split into parts below the sum: they add up over 24 hours; what a second person agreed to does not count", async () => {
    expect((await adjust(20_000)).errMsg).toBe("");
    expect((await adjust(10_000)).errMsg).toBe("");
    expect(await adjust(100)).toMatchObject(requested);
    expect(await adjust(-100)).toMatchObject(requested);
    for (const { id } of await reviews(second)) {
      expect((await approve(id, second)).errMsg).toBe("");
    }
    // The second person's own sum is untouched, too.
    expect((await adjust(30_000, second)).errMsg).toBe("");
    expect(await adjust(100, second)).toMatchObject(requested);
    expect(await balance()).toBe(70_000);
  });

  it("pressed again while it waits: stays one request", async () => {
    await Promise.all([adjust(40_000), adjust(40_000), adjust(40_000)]);
    expect(await reviews(second)).toHaveLength(1);
    expect(await adjust(40_001)).toMatchObject(requested);
    expect(await reviews(second)).toHaveLength(2);
  });

  it("that would be refused anyway: is refused at once", async () => {
    expect((await adjust(-40_000)).errCode).toBe("BALANCE_PART_SHORT");
    expect(await reviews(second)).toEqual([]);
  });

  it("lowering or switching off the sum needs a recent proof", async () => {
    const { setting, saveSetting } = contracts["tenant-setting"];
    await run(sql`
      update session set proven_at = now() - interval '1 hour' where operator_id = ${clerk.operatorId}`);
    const { data } = await testServer.call(setting, clerk);
    const { editVersion, isHint, tellsOverdue, servicePhone, openingHours, smsSign, mapKey } = data;
    const save = (reviewFen: number) =>
      testServer.call(saveSetting, clerk, {
        body: {
          ...{ editVersion, isHint, tellsOverdue, servicePhone, openingHours, smsSign, mapKey },
          ...{ logoId: null, reviewFen },
        },
      });
    expect((await save(0)).errCode).toBe("PROOF_DUE");
    expect((await save(30_001)).errCode).toBe("PROOF_DUE");
    expect((await save(20_000)).errMsg).toBe("");
  });
});

describe("decision", () => {
  it("agreed: executed with the requested amount, under both names, and said to the requester", async () => {
    const id = await request();
    expect((await approve(id, second)).errMsg).toBe("");
    expect(await balance()).toBe(50_000);
    const [journal] = (await testServer.call(contracts.ledger.list, second)).data.list;
    expect(journal).toMatchObject({ kind: "ADMIN_ADJUST", principalFen: 40_000 });
    expect(journal?.actorName).toBe(`${clerk.username}，${second.username} 复核`);
    expect(await reviews(clerk)).toMatchObject([
      { state: "APPROVED", deciderName: second.username, mayDecide: false },
    ]);
    expect(await notices(clerk)).toEqual([expect.stringContaining("已同意")]);
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      target: expect.stringMatching(new RegExp(`^复核申请 ${id}：调整余额 张三`)),
      after: { principalFen: 50_000 },
    });
  });

  it("agreed by two people at once, and again: executed once", async () => {
    const id = await request();
    const answers = await Promise.all(
      [second, third, second, third, second, third].map((as) => approve(id, as)),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await approve(id, third)).errCode).toBe("STATE_NOT_ALLOWED");
    expect((await refuse(id, third)).errCode).toBe("STATE_NOT_ALLOWED");
    expect(await balance()).toBe(50_000);
  });

  it("agreed and refused at once: one of both", async () => {
    const id = await request();
    const [agreed, refused] = await Promise.all([approve(id, second), refuse(id, third)]);
    expect([agreed.code, refused.code].sort()).toEqual([0, 1]);
    expect(await balance()).toBe(agreed.code === 0 ? 50_000 : 10_000);
  });

  it("by the requester, or by another account with the same phone: refused", async () => {
    const id = await request();
    expect((await approve(id, clerk)).errCode).toBe("REVIEW_OWN");
    await run(sql`
      update operator set phone = '13812345678'
      where id in (${clerk.operatorId}, ${second.operatorId})`);
    expect((await approve(id, second)).errCode).toBe("REVIEW_OWN");
    expect((await approve(id, third)).errMsg).toBe("");
  });

  it("needs the permission of the call, in the tenant, and an own recent proof", async () => {
    const id = await request();
    const stranger = (await testServer.makeTenant()).people[1];
    expect(await reviews(stranger)).toEqual([]);
    expect((await approve(id, stranger)).errCode).toBe("NOT_FOUND");
    expect((await refuse(id, stranger)).errCode).toBe("NOT_FOUND");
    const keeper = await makePerson(testServer, tenantId, {
      roleIds: [await makeRole(["order:refund"])],
    });
    expect(await reviews(keeper)).toEqual([]);
    expect((await approve(id, keeper)).errCode).toBe("NOT_FOUND");
    await run(sql`
      update session set proven_at = now() - interval '1 hour' where operator_id = ${second.operatorId}`);
    expect((await approve(id, second)).errCode).toBe("PROOF_DUE");
    expect(await balance()).toBe(10_000);
  });

  it("refused: nothing happens, and the requester reads why; a request can be taken back", async () => {
    const id = await request();
    expect((await refuse(id, second)).errMsg).toBe("");
    expect(await reviews(clerk)).toMatchObject([{ state: "REFUSED", decision: "金额不对" }]);
    expect(await notices(clerk)).toEqual([expect.stringContaining("已拒绝")]);
    expect((await approve(id, third)).errCode).toBe("STATE_NOT_ALLOWED");
    const own = await request(50_000);
    expect((await refuse(own, clerk)).errMsg).toBe("");
    expect(await balance()).toBe(10_000);
  });

  it("expired: nobody can agree any more, which the requester is told", async () => {
    const id = await request();
    await expire(sql`id = ${id}`);
    expect(await approve(id, second)).toMatchObject({
      errCode: "STATE_NOT_ALLOWED",
      errMsg: expect.stringContaining("已过期"),
    });
    expect(await reviews(second, { state: "PENDING" })).toEqual([]);
    expect(await reviews(second, { state: "EXPIRED" })).toMatchObject([{ id, mayDecide: false }]);
    expect(await notices(second)).toEqual([]);
    expect(await notices(clerk)).toEqual([expect.stringContaining("已过期")]);
    // Asked for anew.
    expect(await request()).not.toBe(id);
  });

  it("is checked again when it is executed: balance, requester, and the request stays", async () => {
    expect((await adjust(30_000, third)).errMsg).toBe("");
    const id = await request(-35_000);
    expect((await adjust(-10_000, third)).errCode).toBe("REVIEW_REQUESTED");
    await run(sql`
      update wallet set principal_fen = 20000 where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
    expect(await approve(id, second)).toMatchObject({
      errCode: "REVIEW_FAILED",
      errMsg: expect.stringContaining("本金"),
    });
    await run(sql`
      update wallet set principal_fen = 40000 where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
    await run(sql`update operator set disabled_at = now() where id = ${clerk.operatorId}`);
    expect((await approve(id, second)).errCode).toBe("REVIEW_FAILED");
    await run(sql`update operator set disabled_at = null where id = ${clerk.operatorId}`);
    expect((await approve(id, second)).errMsg).toBe("");
    expect(await balance()).toBe(5_000);
  });

  it("of a refund whose order changed meanwhile: not executed", async () => {
    const { id: cabinetId } = await makeCabinet(testServer, { tenantId });
    const paid = { paidPrincipalFen: 60_000, priceFen: 60_000 };
    const orderId = await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`
        update wallet set principal_fen = 60000 where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
      const order = { tenantId, cabinetId, recipientId: endUserId, money: paid } as const;
      const made = await insertOrder(db, { ...order, state: "COMPLETED", payStatus: "PAID" });
      const payment = { tenantId, orderId: made, endUserId, principalFen: 60_000, bonusFen: 0 };
      await insertPayment(db, payment);
      return made;
    });
    const refund = (amountFen: number, as: Person) =>
      testServer.call(orderActionContract.refund, as, {
        params: { id: orderId },
        body: { amountFen, reason: "用户来电要求" },
      });
    expect(await refund(40_000, clerk)).toMatchObject(requested);
    expect((await refund(10_000, third)).errMsg).toBe("");
    const [row] = await reviews(second);
    expect(row).toMatchObject({ kind: "PAYMENT_REFUND", orderId, principalFen: 40_000 });
    expect((await approve(row?.id, second)).errCode).toBe("REVIEW_OUTDATED");
    expect(await balance()).toBe(10_000);
    // More than is left.
    expect((await refund(20_000, third)).errMsg).toBe("");
    expect((await approve(row?.id, second)).errCode).toBe("REVIEW_FAILED");
  });

  it("of a sale whose package changed meanwhile: not executed", async () => {
    const packageId = await testServer.database.transaction("platform", async (db) => {
      await db.run(sql`
        update wallet set principal_fen = 60000 where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
      const { id } = await db.one<{ id: number }>(sql`
        insert into package (tenant_id, name, kind, sides, price_fen, uses, valid_days, is_on_sale,
          edited_by)
        values (${tenantId}, '年卡', 'USES', '{SINGLE}', 40000, 100, 365, true, '') returning id`);
      return id;
    });
    const body = { packageId, endUserId, agreedFen: 40_000, reason: "用户到店购买" };
    expect(await testServer.call(packageContract.sell, clerk, { body })).toMatchObject(requested);
    const [row] = await reviews(second);
    await run(sql`update package set uses = 1, edit_version = 2 where id = ${packageId}`);
    expect((await approve(row?.id, second)).errCode).toBe("REVIEW_OUTDATED");
    await run(sql`update package set uses = 100, edit_version = 1 where id = ${packageId}`);
    // The wallet pays another part of the same price from its principal.
    await run(sql`
      update wallet set principal_fen = 39000 where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
    expect((await approve(row?.id, second)).errMsg).toBe("");
  });
});

async function makeRole(permissions: string[]): Promise<number> {
  const { id } = await testServer.database.transaction("platform", (db) =>
    db.one<{ id: number }>(sql`
      with role as (
        insert into role (tenant_id, name, store_scope) values (${tenantId}, '退款专员', 'ALL')
        returning id
      ), entry as (
        insert into role_menu_entry
        select ${tenantId}, role.id, entry.id from role, tenant_entries(${tenantId}) entry
        where entry.permissions <@ ${permissions}::text[] and entry.permissions <> '{}'
      )
      select id from role`),
  );
  return id;
}

const waiting = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract as Record<string, EndpointSpec>)
    .filter(([, { risk }]) => risk === "money-by-sum")
    .map(([call, spec]) => [`${noun}.${call}` as CallName, spec] as const)
    // The refund of an order, which the world's order refuses, has its own test above.
    .filter(([name]) => !(callRows[name] as CallRow).refusal),
);

describe("every call whose money adds up", () => {
  beforeAll(() => testServer.makeTenant(1));

  it.each(waiting)(
    "%s: a request leaves no other trace, and is executed as requested",
    async (name, spec) => {
      const { id, people } = await testServer.makeTenant();
      const { ids } = await makeWorld(testServer, id, null);
      const approver = await makeColleague(people[1]);
      await setSum(id, 1);
      await expire(sql`tenant_id = ${id}`);
      const traces = ["money_review", "audit_log", "audit_link", "audit_head"];
      const before = await fingerprint(testServer, id, traces);
      const reply = await testServer.call(spec, people[1], callRows[name].input(ids));
      expect(reply).toMatchObject(requested);
      expect(await fingerprint(testServer, id, traces)).toBe(before);
      const [row] = await reviews(approver, { state: "PENDING" });
      expect((await approve(row?.id, approver)).errMsg).toBe("");
      const posted = await testServer.database.read("platform", (db) =>
        db.one<object>(sql`
        select kind, end_user_id, principal_fen, bonus_fen, order_id from ledger_journal
        where tenant_id = ${id} order by id desc limit 1`),
      );
      const { kind, endUserId: of, principalFen, bonusFen, orderId } = row ?? {};
      expect(posted).toEqual({ kind, endUserId: of, principalFen, bonusFen, orderId });
    },
  );
});
