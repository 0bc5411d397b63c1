// Tests end users over HTTP on a real PostgreSQL: search, locks, and what prevents their deletion.

import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit, makeCabinet } from "../../../../../../tests/support/cabinets.ts";
import { anyPhone, insertEndUser, insertOrder } from "../../../../../../tests/support/orders.ts";
import {
  type AppPerson,
  type Person,
  useTestServer,
} from "../../../../../../tests/support/test-server.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { queueSms } from "../../messaging/sms/index.ts";

const testServer = useTestServer();
let platform: Person;
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
});

const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction({ tenantId }, work);
const run = (statement: Sql) => inTenant((db) => db.run(statement));
const list = async (query: object = {}, as = people[1]) =>
  (await testServer.call(endUserContract.list, as, { query })).data.list;
const names = async (query: object) => (await list(query)).map(({ userName }) => userName).sort();
const get = async (id: number, as = people[1]) =>
  (await testServer.call(endUserContract.get, as, { params: { id } })).data;
const lock = (id: number, query: object, as = people[1]) =>
  testServer.call(endUserContract.lock, as, {
    params: { id },
    query: { lock: true, reason: "多次遗留物品", ...query },
  });
const remove = (id: number, as = people[1]) =>
  testServer.call(endUserContract.delete, as, { params: { id } });

/** Inserts an end user without a wallet. */
async function newUser(name = "李四"): Promise<{ id: number; phone: string }> {
  const phone = anyPhone();
  return inTenant((db) =>
    db.one(sql`
      insert into end_user (tenant_id, phone, name) values (${tenantId}, ${phone}, ${name})
      returning id, phone`),
  );
}

describe("the list", () => {
  it("filters by phone, name, state, balance, goods and registration day", async () => {
    const rich = await inTenant((db) => insertEndUser(db, tenantId, "有钱人"));
    const [plain, old] = [await newUser("新来的"), await newUser("老用户")];
    await run(sql`update end_user set created_at = now() - interval '9 days' where id = ${old.id}`);
    const cabinet = await makeCabinet(testServer, { tenantId, cells: [{}, {}] });
    const place = { tenantId, cabinetId: cabinet.id };
    await inTenant((db) =>
      insertOrder(db, { ...place, no: 1, recipientId: plain.id, riderId: rich, state: "STORED" }),
    );
    await inTenant((db) =>
      insertOrder(db, { ...place, no: 2, recipientId: old.id, state: "PENDING" }),
    );
    const over = await inTenant((db) =>
      insertOrder(db, { ...place, no: 1, recipientId: plain.id, state: "COMPLETED" }),
    );
    expect(await get(plain.id)).toMatchObject({
      orders: [{ state: "STORED", isRider: false, endedAt: null }],
      recentOrders: [{ id: over, state: "COMPLETED", endedAt: expect.any(String) }],
    });
    expect(await get(rich)).toMatchObject({ orders: [{ isRider: true }], recentOrders: [] });
    await lock(old.id, {});
    expect(await names({})).toEqual(["新来的", "有钱人", "老用户"].sort());
    expect(await names({ phone: plain.phone })).toEqual(["新来的"]);
    expect(await names({ name: "用户" })).toEqual(["老用户"]);
    expect(await names({ state: "LOCKED" })).toEqual(["老用户"]);
    expect(await names({ state: "ACTIVE" })).toEqual(["新来的", "有钱人"].sort());
    expect(await names({ hasBalance: true })).toEqual(["有钱人"]);
    expect(await names({ hasGoods: true })).toEqual(["新来的", "有钱人"].sort());
    expect(await names({ hasGoods: false })).toEqual(["老用户"]);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    expect(await names({ to: yesterday })).toEqual(["老用户"]);
    expect((await list({ sort: "balance", order: "desc" }))[0]).toMatchObject({
      userName: "有钱人",
      phone: expect.stringMatching(/^139\*{4}\d{4}$/),
      principalFen: 10_000,
      bonusFen: 2_000,
      liveOrders: 1,
    });
    expect(await list({ endUserId: plain.id }, (await testServer.makeTenant()).people[1])).toEqual(
      [],
    );
    expect((await list({ tenantId }, platform)).length).toBe(3);
    expect((await testServer.call(endUserContract.list, people[2], { query: {} })).status).toBe(
      403,
    );
  });

  it("shows a whole phone only with permission, and audits it", async () => {
    const { id, phone } = await newUser();
    const show = (as: Person, reason = "联系取件人") =>
      testServer.call(endUserContract.showPhone, as, { params: { id }, body: { reason } });
    expect((await show(people[1])).data).toEqual({ phone });
    expect((await show(people[2])).status).toBe(403);
    expect((await show(people[1], "")).code).toBe(1);
    const audit = await findAudit(testServer, tenantId);
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ reason: "联系取件人", after: { reveals: 1 } });
    expect(audit[0]?.target).toMatch(/^用户 李四（139\*{4}\d{4}）$/);
    expect(JSON.stringify(audit)).not.toContain(phone);
  });
});

describe("a lock", () => {
  it("has a reason, an end, a history and an audit entry; it expires without a job", async () => {
    const { id } = await newUser();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await lock(id, { until })).errMsg).toBe("");
    expect(await get(id)).toMatchObject({
      state: "LOCKED",
      lockReason: "多次遗留物品",
      lockedUntil: until,
    });
    expect((await lock(id, { reason: "又来一次" })).code).toBe(0);
    expect(await get(id)).toMatchObject({ lockReason: "又来一次", lockedUntil: until });
    expect((await lock(id, { until: "" })).code).toBe(0);
    expect(await get(id)).toMatchObject({ lockedUntil: null });
    await run(sql`
      update end_user set locked_until = now() - interval '1 second' where id = ${id}`);
    expect(await get(id)).toMatchObject({ state: "ACTIVE", lockReason: null, lockedAt: null });
    expect(await lock(id, { lock: false, reason: "误锁" })).toMatchObject({
      code: 1,
      errMsg: "用户当前状态为“正常”，不能解锁",
    });
    await lock(id, {});
    expect((await lock(id, { lock: false, reason: "已说明" })).code).toBe(0);
    const { locks, state } = await get(id);
    expect(state).toBe("ACTIVE");
    expect(locks.map(({ isLock, reason, actorName }) => [isLock, reason, actorName])).toEqual([
      [false, "已说明", people[1].username],
      [true, "多次遗留物品", people[1].username],
      [true, "多次遗留物品", people[1].username],
      [true, "又来一次", people[1].username],
      [true, "多次遗留物品", people[1].username],
    ]);
    const audit = await findAudit(testServer, tenantId);
    expect(audit).toHaveLength(5);
    expect(audit[0]).toMatchObject({
      target: expect.stringMatching(/^锁定用户 李四/),
      reason: "多次遗留物品",
      before: { lock: false },
      after: { lock: true, until },
    });
  });

  it.each([
    [{ reason: "是" }, "原因"],
    [{ until: "2020-01-01T00:00:00Z" }, "解锁时间须晚于现在"],
    [{ until: "2999-01-01T00:00:00Z" }, "最多在 10 年以内"],
    [{ lock: false, until: "2999-01-01T00:00:00Z" }, "解锁时不用填写解锁时间"],
  ])("is refused as %j, and the error says what to do", async (wrong, words) => {
    const { id } = await newUser();
    expect(await lock(id, wrong)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining(words),
    });
    expect((await get(id)).locks).toEqual([]);
  });
});

describe("an end user with something left", () => {
  /** Each entry leaves one thing with the end user. */
  const leftovers: [name: string, leave: (id: number) => Promise<unknown>, words: string][] = [
    [
      "principal",
      (id) =>
        run(
          sql`insert into wallet (tenant_id, end_user_id, principal_fen) values (${tenantId}, ${id}, 150)`,
        ),
      "本金余额 1.50 元",
    ],
    [
      "bonus",
      (id) =>
        run(
          sql`insert into wallet (tenant_id, end_user_id, bonus_fen) values (${tenantId}, ${id}, 300)`,
        ),
      "赠金余额 3 元",
    ],
    [
      "held money",
      (id) =>
        run(sql`insert into wallet (tenant_id, end_user_id, principal_fen, held_principal_fen)
          values (${tenantId}, ${id}, 100, 100)`),
      "其中冻结 1 元",
    ],
    ["a card", (id) => insertCard(id, 3), "1 张可用的套餐卡"],
    ["goods", (id) => orderOf({ recipientId: id, state: "STORED" }), "1 个进行中的订单"],
    [
      "goods that they brought",
      async (id) => orderOf({ recipientId: (await newUser()).id, riderId: id, state: "STORED" }),
      "1 个进行中的订单",
    ],
    [
      "a debt",
      (id) =>
        orderOf({
          ...{ recipientId: id, state: "COMPLETED", payStatus: "UNPAID" },
          money: { priceFen: 420 },
        }),
      "1 个未付清的订单（共 4.20 元）",
    ],
    [
      "a debt of goods taken back",
      async (id) =>
        orderOf({
          ...{ recipientId: (await newUser()).id, riderId: id, state: "TAKEN_BACK" },
          ...{ payStatus: "UNPAID", money: { priceFen: 100 } },
        }),
      "1 个未付清的订单（共 1 元）",
    ],
    ["a payment under way", (id) => insertTopUp(id, "CREATED"), "1 笔待支付的充值"],
    [
      "a refund under way",
      async (id) => {
        const topUpId = await insertTopUp(id, "PAID");
        await run(sql`
          insert into top_up_refund (tenant_id, top_up_id, principal_fen, bonus_fen, out_refund_no,
            state, actor_name, reason)
          values (${tenantId}, ${topUpId}, 100, 0, 'TK1', 'PROCESSING', '李伟', '退款')`);
      },
      "1 笔未完成的充值退款",
    ],
    [
      "an open difference",
      (id) =>
        run(sql`
          insert into reconciliation_difference (tenant_id, day, kind, area, subject, end_user_id,
            detail)
          values (${tenantId}, current_date, 'PAID_CLOSED', 'TOP_UP', 'CZ1', ${id}, '-')`),
      "1 项待处理的对账差异",
    ],
  ];

  async function orderOf(fixture: object): Promise<number> {
    const { id: cabinetId } = await makeCabinet(testServer, { tenantId, cells: [{}] });
    const recipientId = 0;
    return inTenant((db) => insertOrder(db, { tenantId, cabinetId, recipientId, ...fixture }));
  }
  async function insertCard(id: number, usesLeft: number): Promise<void> {
    await inTenant(async (db) => {
      const sold = await db.one<{ id: number }>(sql`
        insert into package (tenant_id, name, kind, sides, price_fen, uses, valid_days, edited_by)
        values (${tenantId}, '次卡', 'USES', '{SINGLE}', 100, 3, 30, '李伟') returning id`);
      await db.run(sql`
        insert into user_package (tenant_id, end_user_id, package_id, name, kind, sides, price_fen,
          uses, uses_left, expires_at)
        values (${tenantId}, ${id}, ${sold.id}, '次卡', 'USES', '{SINGLE}', 100, 3, ${usesLeft},
          now() + interval '1 day')`);
    });
  }
  const insertTopUp = async (id: number, state: string) =>
    (
      await inTenant((db) =>
        db.one<{ id: number }>(sql`
          insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, out_trade_no,
            openid, actor_kind, actor_name)
          values (${tenantId}, ${id}, 'WECHAT', ${state}, 100, ${`CZ${id}`}, 'o-1', 'END_USER', '-')
          returning id`),
      )
    ).id;

  it.each(leftovers)("cannot be deleted: %s", async (_, leave, words) => {
    const { id, phone } = await newUser();
    await leave(id);
    const refused = await remove(id);
    expect(refused).toMatchObject({ code: 1, errMsg: expect.stringContaining(words) });
    expect(refused.errMsg).toMatch(/^“李四”还有.*，不能删除：请先处理完再删除$/);
    expect((await list({ phone }))[0]?.userName).toBe("李四");
    expect(await findAudit(testServer, tenantId)).toEqual([]);
  });

  it("can be deleted once the things are used up, expired or paid", async () => {
    const { id } = await newUser();
    await insertCard(id, 0);
    await insertTopUp(id, "PAID");
    await orderOf({ recipientId: id, state: "COMPLETED" });
    expect((await remove(id)).errMsg).toBe("");
  });
});

describe("a deleted end user", () => {
  it("is anonymous in orders, journals and messages, and the phone can register again", async () => {
    const { id, phone } = await newUser("王小明");
    const as = await testServer.makeAppPerson(tenantId, id);
    const { id: cabinetId } = await makeCabinet(testServer, { tenantId, cells: [{}] });
    const orderId = await inTenant((db) =>
      insertOrder(db, { tenantId, cabinetId, recipientId: id, state: "COMPLETED" }),
    );
    await inTenant((db) =>
      queueSms(db, {
        tenantId,
        phone,
        scene: "SIGN_IN_CODE",
        text: "验证码 123456",
      }),
    );
    await run(sql`
      insert into mini_program_user (tenant_id, app_id, openid, end_user_id)
      values (${tenantId}, 'wx1', 'openid-of-wang', ${id})`);
    const change = (principalFen: number) =>
      testServer.call(walletContract.change, people[1], {
        body: {
          ...{ endUserId: id, kind: "ADMIN_ADJUST", principalFen, bonusFen: 0 },
          reason: "更正余额",
        },
      });
    await change(500);
    await change(-500);
    expect((await remove(id)).errMsg).toBe("");

    expect(await list({})).toEqual([]);
    expect((await testServer.call(endUserContract.get, people[1], { params: { id } })).code).toBe(
      1,
    );
    const orders = await testServer.call(orderContract.list, people[1], {
      query: { side: "SINGLE" },
    });
    expect(orders.data.list[0]).toMatchObject({
      id: orderId,
      recipient: { name: "已注销用户", phone: expect.stringMatching(/^#[\d,]+$/) },
    });
    const journals = await testServer.call(ledgerContract.list, people[1], { query: {} });
    expect(journals.data.list.map(({ userName }) => userName)).toEqual([
      "已注销用户",
      "已注销用户",
    ]);
    const messages = await testServer.call(smsContract.history, people[1], { query: {} });
    expect(messages.data.list[0]).toMatchObject({ phone: "" });
    const text = await testServer.call(smsContract.showText, people[1], {
      params: { id: messages.data.list[0]?.id },
      body: { reason: "核对内容" },
    });
    expect(text).toMatchObject({ status: 200, code: 1, errMsg: expect.stringContaining("已注销") });
    expect((await change(100)).errMsg).toContain("用户不存在");
    const shown = await testServer.call(endUserContract.showPhone, people[1], {
      params: { id },
      body: { reason: "联系取件人" },
    });
    expect(shown.code).toBe(1);
    // Name and phone remain nowhere in the tenant's rows except masked in the audit log.
    const { n } = await testServer.database.read("platform", (db) =>
      db.one<{ n: number }>(sql`
        select ((select count(*) from end_user where phone = ${phone} or name = '王小明')
          + (select count(*) from sms_message where phone = ${phone})
          + (select count(*) from mini_program_user where openid = 'openid-of-wang')
          + (select count(*) from app_session where end_user_id = ${id}))::int as n`),
    );
    expect(n).toBe(0);
    const audit = await findAudit(testServer, tenantId);
    expect(audit.at(-1)?.target).toMatch(/^删除用户 王小明（139\*{4}\d{4}）$/);
    expect(JSON.stringify(audit)).not.toContain(phone);
    expect((await testServer.call(appContract.me, as)).status).toBe(401);
    const again = await inTenant((db) =>
      db.one<{ id: number }>(sql`
        insert into end_user (tenant_id, phone) values (${tenantId}, ${phone}) returning id`),
    );
    expect(again.id).not.toBe(id);
  });

  it("gets no money from a concurrent change: either the money or the deletion is refused", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await newUser();
      const [paid, gone] = await Promise.all([
        testServer.call(walletContract.change, people[1], {
          body: {
            ...{ endUserId: id, kind: "RECHARGE", principalFen: 100, bonusFen: 0 },
            reason: "前台收现金",
          },
        }),
        remove(id),
      ]);
      expect([paid.code, gone.code].sort(), `round ${round}`).toEqual([0, 1]);
      expect(paid.errMsg + gone.errMsg).toMatch(/用户不存在|还有本金余额 1 元/);
      const left = await inTenant((db) =>
        db.one<{ n: number }>(sql`
          select count(*)::int as n from end_user
          join wallet on wallet.tenant_id = end_user.tenant_id and wallet.end_user_id = end_user.id
          where end_user.id = ${id} and end_user.deleted_at is not null
            and wallet.principal_fen > 0`),
      );
      expect(left.n).toBe(0);
    }
  });
});

describe("a person closes the own account", () => {
  const closing = (as: AppPerson) => testServer.call(appContract.close, as);

  it("is told what is left, and nothing is erased", async () => {
    const { id, phone } = await newUser();
    const as = await testServer.makeAppPerson(tenantId, id);
    await testServer.call(walletContract.change, people[1], {
      body: {
        ...{ endUserId: id, kind: "RECHARGE", principalFen: 250, bonusFen: 0 },
        reason: "前台收现金",
      },
    });
    const refused = await closing(as);
    expect(refused).toMatchObject({ code: 1, errCode: "ACCOUNT_HAS_LEFTOVERS" });
    expect(refused.errMsg).toBe("您还有本金余额 2.50 元，暂不能注销：处理完后再试，或联系客服");
    expect((await testServer.call(appContract.me, as)).code).toBe(0);
    expect((await list({ phone }))[0]?.userName).toBe("李四");
  });

  it("is forgotten, signed out everywhere, and the audit log names the person as the actor", async () => {
    const { id, phone } = await newUser();
    const as = await testServer.makeAppPerson(tenantId, id);
    const elsewhere = await testServer.makeAppPerson(tenantId, id);
    expect((await closing(as)).errMsg).toBe("");
    for (const each of [as, elsewhere]) {
      expect((await testServer.call(appContract.me, each)).status).toBe(401);
    }
    expect(await list({ phone })).toEqual([]);
    const audit = await findAudit(testServer, tenantId);
    expect(audit.at(-1)).toMatchObject({
      actorName: "用户本人",
      target: `用户 李四（${phone.slice(0, 3)}****${phone.slice(7)}）`,
    });
    expect(JSON.stringify(audit)).not.toContain(phone);
  });

  it("stays locked: a new account of the same phone would not be", async () => {
    const { id } = await newUser();
    const as = await testServer.makeAppPerson(tenantId, id);
    await lock(id, {});
    expect(await closing(as)).toMatchObject({ code: 1, errCode: "END_USER_LOCKED" });
    expect((await get(id)).state).toBe("LOCKED");
  });
});
