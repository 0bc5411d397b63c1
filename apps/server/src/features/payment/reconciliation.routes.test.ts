// Promise M5: each kind of planted discrepancy is found in one run, and a house in order has none.
import { reconciliationContract } from "@cabinet/contract/reconciliation/reconciliation.contract.ts";
import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
} from "@cabinet/contract/reconciliation/reconciliation.rules.ts";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../tests/support/cabinets.ts";
import { type Person, useHouse } from "../../../../../tests/support/house.ts";
import { anyPhone } from "../../../../../tests/support/orders.ts";
import { insertSetting } from "../../../../../tests/support/payments.ts";
import { billLine, billOf, WechatStandIn } from "../../../../../tests/support/wechat-pay.ts";
import { systemActor } from "../../platform/actor.ts";
import { type Db, sql } from "../../platform/db.ts";
import { payFromWallet, postJournal } from "../ledger/index.ts";
import { buyPackage, coverByCard } from "../package/index.ts";
import { addFigures } from "../statistics/index.ts";
import { paymentJobs } from "./index.ts";

const house = useHouse();
const wechat = new WechatStandIn();
/** The owner of the tables: what no program of ours may do. */
let owner: pg.Client;
let staff: Person;
let tenantId: number;
let cabinetId: number;
let storeId: number;
let endUserId: number;
let topUp: { id: number; no: string; transactionNo: string };
let orderId: number;
let cardId: number;
/** The order that the card paid for. */
let coveredId: number;

beforeAll(async () => {
  await wechat.open();
  owner = new pg.Client({ connectionString: house.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await wechat.close();
});

const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
  house.database.transaction({ tenantId }, work);

/** Past everything that guards the table which the statement is about. */
async function plant(text: string, values: unknown[] = []): Promise<void> {
  const [, table] = /^(?:update|insert into|delete from) (\w+)/.exec(text) ?? [];
  const guards = ["disable trigger user", "no force row level security"];
  const guarded = ["enable trigger user", "force row level security"];
  await owner.query("begin");
  try {
    for (const change of guards) await owner.query(`alter table ${table} ${change}`);
    const { rowCount } = await owner.query(text, values);
    if (rowCount === 0) throw new Error(`nothing planted: ${text}`);
    for (const change of guarded) await owner.query(`alter table ${table} ${change}`);
    await owner.query("commit");
  } catch (error) {
    await owner.query("rollback");
    throw error;
  }
}

beforeEach(async () => {
  const tenant = await house.makeTenant();
  [tenantId, staff] = [tenant.id, tenant.people[1]];
  storeId = await makeStore(house, tenantId, []);
  cabinetId = (await makeCabinet(house, { tenantId, storeId })).id;
  await inTenant(makeHouseInOrder);
  wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 })]);
});

const goodTrade = () => ({
  outTradeNo: topUp.no,
  transactionNo: topUp.transactionNo,
  state: "SUCCESS" as const,
  attach: `CABINET-${tenantId}`,
});

/** A person topped up 50 + 5 by WeChat, paid 8 for a stay, got 1 back, and took the next on a card. */
async function makeHouseInOrder(db: Db): Promise<void> {
  await insertSetting(house, db, tenantId, "测试");
  ({ id: endUserId } = await db.one<{ id: number }>(sql`
    insert into end_user (tenant_id, phone, name) values (${tenantId}, ${anyPhone()}, '张三')
    returning id`));
  const [no, transactionNo] = [`CZ${tenantId}A`, `42${tenantId}`];
  const { id } = await db.one<{ id: number }>(sql`
    insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, bonus_fen,
      out_trade_no, transaction_no, paid_at, actor_kind, actor_name)
    values (${tenantId}, ${endUserId}, 'WECHAT', 'PAID', 5000, 500, ${no}, ${transactionNo}, now(),
      'END_USER', '张三') returning id`);
  topUp = { id, no, transactionNo };
  const money = { tenantId, endUserId, actor: systemActor };
  await postJournal(db, {
    ...money,
    kind: "RECHARGE",
    channel: "WECHAT",
    principalFen: 5_000,
    bonusFen: 500,
    bizType: "TOP_UP",
    bizId: String(id),
  });
  ({ id: orderId } = await db.one<{ id: number }>(sql`
    insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size, state,
      pay_status, recipient_id, pricing, price_fen, paid_principal_fen, refunded_principal_fen,
      ended_at)
    values (${tenantId}, 'SINGLE', ${cabinetId}, ${storeId}, 1, 'M', 'COMPLETED', 'PARTIAL_REFUND',
      ${endUserId}, '{}', 800, 800, 100, now()) returning id`));
  const order = { id: orderId, side: "SINGLE" as const };
  await payFromWallet(db, {
    ...money,
    kind: "PAYMENT",
    fen: 800,
    bizType: "TEST",
    bizId: `${orderId} paid`,
    order,
  });
  await postJournal(db, {
    ...money,
    kind: "PAYMENT_REFUND",
    principalFen: 100,
    bonusFen: 0,
    bizType: "TEST",
    bizId: `${orderId} back`,
    order,
  });
  const place = { tenantId, side: "SINGLE" as const, cabinetId, storeId };
  await addFigures(db, place, { started: 1, incomeFen: 800, refundFen: 100 });
  await payByCard(db);
}

/** Bought for 6, ten uses, one of them taken. */
async function payByCard(db: Db): Promise<void> {
  const actor = systemActor;
  const { id: packageId } = await db.one<{ id: number }>(sql`
    insert into package (tenant_id, name, kind, sides, price_fen, uses, valid_days, is_on_sale,
      edited_by)
    values (${tenantId}, '十次卡', 'USES', '{SINGLE}', 600, 10, 30, true, '李伟') returning id`);
  const sale = { tenantId, endUserId, packageId, agreedFen: 600, actor };
  ({ userPackageId: cardId } = await buyPackage(db, sale));
  ({ id: coveredId } = await db.one<{ id: number }>(sql`
    insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size, state,
      pay_status, recipient_id, pricing, price_fen, covered_fen, user_package_id, ended_at)
    values (${tenantId}, 'SINGLE', ${cabinetId}, ${storeId}, 2, 'M', 'COMPLETED', 'NONE',
      ${endUserId}, '{}', 300, 300, ${cardId}, now()) returning id`));
  const stay = { tenantId, endUserId, side: "SINGLE" as const, orderId: coveredId, fen: 300 };
  expect(await coverByCard(db, stay)).toMatchObject({ userPackageId: cardId, usesLeft: 9 });
}

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);

async function reconcile(day = today()) {
  const asked = await house.call(reconciliationContract.run, staff, { body: { day } });
  expect(asked).toMatchObject({ code: 0 });
  await runQueue();
  const { data } = await house.call(reconciliationContract.runs, staff, { query: {} });
  const run = data.list.find(({ id }) => id === asked.data.id);
  if (!run) throw new Error("no run");
  return run;
}

async function runQueue(task = "reconciliation.run", origin = wechat.origin): Promise<void> {
  const jobs = paymentJobs({ vault: house.vault, origin });
  const tools = { database: house.database, log: pino({ level: "silent" }) };
  await jobs.tasks[task]?.({}, tools);
}

const list = async (query: object = { state: "OPEN" }) =>
  (
    await house.call(reconciliationContract.differences, staff, {
      query: { ...query, pageSize: 100 },
    })
  ).data.list;

it("finds nothing in a house that is in order, and says what it looked at", async () => {
  expect(await reconcile()).toMatchObject({
    state: "DONE",
    billState: "COMPARED",
    orders: 2,
    journals: 4,
    wallets: 1,
    cards: 1,
    topUps: 1,
    billRows: 1,
    found: 0,
    problem: null,
  });
  expect(await list()).toEqual([]);
});

/** What is planted, and what of it must be told. */
const planted: Partial<
  Record<DifferenceKind, { plant: () => Promise<void>; subject?: () => string; actualFen?: number }>
> = {
  LEDGER_UNBALANCED: {
    plant: () =>
      plant(
        `update ledger_leg set amount_fen = amount_fen + 1 where tenant_id = $1
         and account = 'ORDER_INCOME' and amount_fen > 0`,
        [tenantId],
      ),
    actualFen: 1,
  },
  LEDGER_CHAIN: {
    plant: () =>
      plant(
        `update ledger_journal set principal_after_fen = principal_after_fen - 7
         where tenant_id = $1 and kind = 'PACKAGE_BUY'`,
        [tenantId],
      ),
  },
  WALLET_BALANCE: {
    plant: () =>
      plant("update wallet set principal_fen = principal_fen + 300 where tenant_id = $1", [
        tenantId,
      ]),
    subject: () => `本金 ${endUserId}`,
    actualFen: 4_000,
  },
  WALLET_HELD: {
    plant: () => plant("update wallet set held_bonus_fen = 100 where tenant_id = $1", [tenantId]),
    subject: () => `冻结赠金 ${endUserId}`,
    actualFen: 100,
  },
  HOLD_STALE: {
    plant: async () => {
      await plant(
        `insert into wallet_hold (tenant_id, end_user_id, order_id, principal_fen, bonus_fen, created_at)
         values ($1, $2, $3, 200, 0, now() - interval '2 days')`,
        [tenantId, endUserId, orderId],
      );
      await plant("update wallet set held_principal_fen = 200 where tenant_id = $1", [tenantId]);
    },
    actualFen: 200,
  },
  ORDER_PAID: {
    plant: () =>
      plant("update storage_order set paid_principal_fen = 900 where id = $1", [orderId]),
    subject: () => String(orderId),
    actualFen: 900,
  },
  ORDER_REFUNDED: {
    plant: () =>
      plant("update storage_order set refunded_principal_fen = 0 where tenant_id = $1", [tenantId]),
    subject: () => String(orderId),
    actualFen: 0,
  },
  ORDER_STATUS: {
    plant: () => plant("update storage_order set pay_status = 'PAID' where id = $1", [orderId]),
    subject: () => String(orderId),
    actualFen: 800,
  },
  ORDER_COVERED: {
    plant: () => plant("update package_use set fen = 200 where tenant_id = $1", [tenantId]),
    subject: () => String(coveredId),
    actualFen: 300,
  },
  CARD_USES: {
    plant: () => plant("update user_package set uses_left = 5 where tenant_id = $1", [tenantId]),
    subject: () => `套餐卡 ${cardId}`,
  },
  CARD_PAID: {
    plant: () => plant("update user_package set price_fen = 900 where tenant_id = $1", [tenantId]),
    subject: () => `套餐卡 ${cardId}`,
    actualFen: 900,
  },
  CARD_MISSING: {
    plant: () =>
      plant(
        "update ledger_journal set biz_id = '0' where tenant_id = $1 and biz_type = 'PACKAGE_BUY'",
        [tenantId],
      ),
  },
  ORDER_MISSING: {
    plant: () =>
      plant("delete from storage_order where tenant_id = $1 and id = $2", [tenantId, orderId]),
    subject: () => String(orderId),
  },
  FIGURES: {
    plant: () =>
      plant("update order_delta set income_fen = income_fen + 50 where tenant_id = $1", [tenantId]),
    actualFen: 850,
  },
  TOP_UP_NOT_POSTED: {
    plant: () =>
      plant(
        `insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, paid_at,
           actor_kind, actor_name)
         values ($1, $2, 'CASH', 'PAID', 700, now(), 'OPERATOR', '李伟')`,
        [tenantId, endUserId],
      ),
  },
  TOP_UP_AMOUNT: {
    plant: () => plant("update top_up set bonus_fen = 400 where tenant_id = $1", [tenantId]),
    subject: () => topUp.no,
    actualFen: 5_500,
  },
  TOP_UP_MISSING: {
    plant: () => plant("update top_up set state = 'CREATED' where tenant_id = $1", [tenantId]),
  },
  BILL_NOT_THERE: {
    plant: async () => {
      wechat.bill = billOf([]);
    },
    subject: () => topUp.no,
  },
  BILL_AMOUNT: {
    plant: async () => {
      wechat.bill = billOf([billLine({ ...goodTrade(), fen: 4_999 })]);
    },
    subject: () => topUp.no,
    actualFen: 4_999,
  },
  PAID_UNKNOWN: {
    plant: async () => {
      const unknown = { ...goodTrade(), outTradeNo: "CZ-nobody", transactionNo: "42x", fen: 900 };
      wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 }), billLine(unknown)]);
    },
    subject: () => "CZ-nobody",
    actualFen: 900,
  },
  PAID_CLOSED: { plant: () => plantUnpaid("CLOSED", 900), actualFen: 900 },
  PAID_AMOUNT: { plant: () => plantUnpaid("CREATED", 901), actualFen: 901 },
  PAID_TWICE: {
    plant: async () => {
      const again = { ...goodTrade(), transactionNo: "42again", fen: 5_000 };
      wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 }), billLine(again)]);
    },
    actualFen: 5_000,
  },
  REFUND_NOT_HERE: {
    plant: async () => {
      wechat.bill = billWithRefund("TK-nobody", 120);
    },
    subject: () => "TK-nobody",
    actualFen: 120,
  },
  REFUND_NOT_THERE: { plant: () => plantRefund(), subject: () => `TK${tenantId}` },
  REFUND_AMOUNT: {
    plant: async () => {
      await plantRefund();
      wechat.bill = billWithRefund(`TK${tenantId}`, 121);
    },
    subject: () => `TK${tenantId}`,
    actualFen: 121,
  },
};

async function plantUnpaid(state: "CREATED" | "CLOSED", fen: number): Promise<void> {
  await plant(
    `insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, out_trade_no,
       actor_kind, actor_name) values ($1, $2, 'WECHAT', $3, 900, 'CZ-late', 'END_USER', '张三')`,
    [tenantId, endUserId, state],
  );
  const late = { ...goodTrade(), outTradeNo: "CZ-late", transactionNo: `42late${tenantId}`, fen };
  wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 }), billLine(late)]);
}

const plantRefund = () =>
  plant(
    `insert into top_up_refund (tenant_id, top_up_id, out_refund_no, principal_fen, bonus_fen,
       state, reason, actor_name, accepted_at)
     values ($1, $2, $3, 120, 0, 'DONE', '测试', '李伟', now())`,
    [tenantId, topUp.id, `TK${tenantId}`],
  );

const billWithRefund = (outRefundNo: string, fen: number, status = "SUCCESS") =>
  billOf([
    billLine({ ...goodTrade(), fen: 5_000 }),
    billLine({
      ...goodTrade(),
      state: "REFUND",
      fen: 0,
      refund: { outRefundNo, refundNo: "503", fen, status },
    }),
  ]);

describe("M5: what is planted is found in one run", () => {
  const kinds = Object.entries(planted).map(([kind, how]) => ({ kind, how }));

  it.each(kinds)("$kind", async ({ kind, how }) => {
    await how.plant();
    const run = await reconcile();
    const [found, ...more] = (await list()).filter((one) => one.kind === kind);
    expect(found).toMatchObject({ kind, tenantId, day: today() });
    expect(more).toEqual([]);
    expect(run.found).toBe((await list()).length);
    if (how.subject) expect(found?.subject).toBe(how.subject());
    if (how.actualFen !== undefined) expect(found?.actualFen).toBe(how.actualFen);
    // The next run finds the same row, not a second one.
    await reconcile();
    expect((await list()).filter((one) => one.kind === kind)).toMatchObject([{ id: found?.id }]);
  });

  it("names every kind but the one that WeChat alone tells of", () => {
    const others = DIFFERENCE_KINDS.filter((kind) => !(kind in planted));
    expect(others).toEqual(["REFUND_ABNORMAL"]);
  });
});

it("credits what the bill knows to be paid and we had not heard of, once", async () => {
  await plantUnpaid("CREATED", 900);
  expect(await reconcile()).toMatchObject({ found: 0 });
  await reconcile();
  const journals = await inTenant((db) =>
    db.many(sql`
      select j.principal_fen from ledger_journal j join top_up t on t.tenant_id = j.tenant_id
        and j.biz_type = 'TOP_UP' and j.biz_id = t.id::text
      where t.tenant_id = ${tenantId} and t.out_trade_no = 'CZ-late'`),
  );
  expect(journals).toEqual([{ principal_fen: 900 }]);
});

it("leaves alone what the merchant takes from others", async () => {
  const foreign = { ...goodTrade(), outTradeNo: "SHOP-1", transactionNo: "42shop", fen: 1 };
  wechat.bill = billOf([
    billLine({ ...goodTrade(), fen: 5_000 }),
    billLine({ ...foreign, attach: "" }),
    billLine({ ...foreign, outTradeNo: "CZ-other", attach: "CABINET-1" }),
  ]);
  expect(await reconcile()).toMatchObject({ found: 0, billRows: 3 });
});

describe("the bill", () => {
  it("that has not come is waited for, and the house is compared all the same", async () => {
    wechat.bill = null;
    await plant("update wallet set principal_fen = principal_fen + 1 where tenant_id = $1", [
      tenantId,
    ]);
    expect(await reconcile()).toMatchObject({ state: "DONE", billState: "WAITING", found: 1 });
  });

  it("that lists a refund which was given back here, too, tells of money that went out twice", async () => {
    await plantRefund();
    await plant("update top_up_refund set state = 'FAILED' where tenant_id = $1", [tenantId]);
    wechat.bill = billWithRefund(`TK${tenantId}`, 120, "PROCESSING");
    await reconcile();
    expect(await list()).toEqual([]);
    wechat.bill = billWithRefund(`TK${tenantId}`, 120);
    await reconcile();
    expect(await list()).toMatchObject([
      { kind: "REFUND_NOT_HERE", subject: `TK${tenantId}`, actualFen: 120 },
    ]);
  });

  it("that cannot be believed is not compared, and the run says why", async () => {
    wechat.isForged = true;
    expect(await reconcile()).toMatchObject({
      billState: "FAILED",
      problem: expect.stringContaining("签名不正确"),
    });
    wechat.isForged = false;
    wechat.bill = "not a bill";
    expect(await reconcile()).toMatchObject({
      billState: "FAILED",
      problem: expect.stringContaining("微信支付账单缺少"),
    });
  });

  it("of the last night is asked for again where it had not come", async () => {
    wechat.bill = null;
    await runQueue("reconciliation.night");
    await runQueue();
    const newest = async () =>
      (await house.call(reconciliationContract.runs, staff, { query: {} })).data.list;
    expect(await newest()).toMatchObject([{ billState: "WAITING", actorName: "系统" }]);
    wechat.bill = billOf([]);
    await runQueue("reconciliation.bills");
    await runQueue();
    expect((await newest()).map(({ billState }) => billState)).toEqual(["COMPARED", "WAITING"]);
    await runQueue("reconciliation.bills");
    await runQueue();
    expect(await newest()).toHaveLength(2);
  });

  it("of the last night is compared for a suspended tenant too: debts are paid there, refunds go out", async () => {
    const { tenantId } = staff;
    const suspend = (state: string) =>
      house.database.transaction("platform", (db) =>
        db.run(sql`update tenant set state = ${state} where id = ${tenantId}`),
      );
    await suspend("SUSPENDED");
    await runQueue("reconciliation.night");
    await runQueue();
    await suspend("ACTIVE");
    const runs = await house.call(reconciliationContract.runs, staff, { query: {} });
    expect(runs.data.list).toMatchObject([{ actorName: "系统" }]);
  });
});

describe("the work list", () => {
  it("is settled with a reason, and stays settled until the amounts are others", async () => {
    await planted.ORDER_PAID?.plant();
    await reconcile();
    const [found] = await list();
    const resolve = (reason: string) =>
      house.call(reconciliationContract.resolve, staff, {
        params: { id: found?.id },
        body: { reason },
      });
    expect(await resolve("好")).toMatchObject({ code: 1 });
    expect(await resolve("用户已线下补款")).toMatchObject({ code: 0 });
    expect(await resolve("用户已线下补款")).toMatchObject({ code: 1 });
    expect(await list({ state: "RESOLVED" })).toMatchObject([
      { resolution: "用户已线下补款", resolvedBy: staff.username },
    ]);
    await reconcile();
    expect(await list()).toEqual([]);
    await plant("update storage_order set paid_principal_fen = 950 where id = $1", [orderId]);
    await reconcile();
    expect(await list()).toMatchObject([{ kind: "ORDER_PAID", actualFen: 950 }]);
  });

  it("is filtered by area, day, and what it is about; phones are masked", async () => {
    await planted.ORDER_PAID?.plant();
    await planted.WALLET_BALANCE?.plant();
    await reconcile();
    expect((await list({ area: "WALLET" })).map(({ kind }) => kind)).toEqual(["WALLET_BALANCE"]);
    expect((await list({ subject: String(orderId) })).map(({ kind }) => kind)).toEqual([
      "ORDER_PAID",
    ]);
    expect(await list({ toDay: "2026-01-01" })).toEqual([]);
    for (const { phone } of await list()) expect(phone).toMatch(/^139\*{4}\d{4}$/);
  });
});

it("is done one at a time for a day, and only for days that are there", async () => {
  const ask = (day: string) => house.call(reconciliationContract.run, staff, { body: { day } });
  const replies = await Promise.all([ask(today()), ask(today())]);
  expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(await ask("2099-01-01")).toMatchObject({ code: 1 });
  expect(await ask("2020-01-01")).toMatchObject({ code: 1 });
  await runQueue();
  expect(await ask(today())).toMatchObject({ code: 0 });
});
