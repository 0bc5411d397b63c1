// Promise M5: one run finds every kind of planted discrepancy, and none in consistent books.
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
} from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { describe, expect, it } from "vitest";
import { useBooksInOrder } from "../../../../../../tests/support/books-in-order.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { billLine, billOf } from "../../../../../../tests/support/wechat-pay.ts";

const testServer = useTestServer();
const books = useBooksInOrder(testServer);
const {
  billWithRefund,
  goodTrade,
  list,
  plant,
  plantRefund,
  plantUnpaid,
  reconcile,
  runQueue,
  today,
} = books;

it("reconciliation: finds nothing in consistent books and reports what it compared", async () => {
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

/** How each kind is planted, and the difference that must be reported. */
const planted: Partial<
  Record<
    DifferenceKind,
    {
      plant: () => Promise<void>;
      subject?: () => string;
      expectedFen?: number;
      actualFen?: number;
    }
  >
> = {
  LEDGER_UNBALANCED: {
    plant: () =>
      plant(
        `update ledger_leg set amount_fen = amount_fen + 1 where tenant_id = $1
         and account = 'ORDER_INCOME' and amount_fen > 0`,
        [books.tenantId],
      ),
    actualFen: 1,
  },
  LEDGER_CHAIN: {
    plant: () =>
      plant(
        `update ledger_journal set principal_after_fen = principal_after_fen - 7
         where tenant_id = $1 and kind = 'PACKAGE_BUY'`,
        [books.tenantId],
      ),
  },
  WALLET_BALANCE: {
    plant: () =>
      plant("update wallet set principal_fen = principal_fen + 300 where tenant_id = $1", [
        books.tenantId,
      ]),
    subject: () => `本金 ${books.endUserId}`,
    actualFen: 4_000,
  },
  WALLET_HELD: {
    plant: () =>
      plant("update wallet set held_bonus_fen = 100 where tenant_id = $1", [books.tenantId]),
    subject: () => `冻结赠金 ${books.endUserId}`,
    actualFen: 100,
  },
  HOLD_STALE: {
    plant: async () => {
      await plant(
        `insert into wallet_hold (tenant_id, end_user_id, order_id, principal_fen, bonus_fen, created_at)
         values ($1, $2, $3, 200, 0, now() - interval '2 days')`,
        [books.tenantId, books.endUserId, books.orderId],
      );
      await plant("update wallet set held_principal_fen = 200 where tenant_id = $1", [
        books.tenantId,
      ]);
    },
    actualFen: 200,
  },
  ORDER_PAID: {
    plant: () =>
      plant("update storage_order set paid_principal_fen = 900 where id = $1", [books.orderId]),
    subject: () => String(books.orderId),
    actualFen: 900,
  },
  ORDER_REFUNDED: {
    plant: () =>
      plant("update storage_order set refunded_principal_fen = 0 where tenant_id = $1", [
        books.tenantId,
      ]),
    subject: () => String(books.orderId),
    actualFen: 0,
  },
  ORDER_STATUS: {
    plant: () =>
      plant("update storage_order set pay_status = 'PAID' where id = $1", [books.orderId]),
    subject: () => String(books.orderId),
    actualFen: 800,
  },
  ORDER_COVERED: {
    plant: () => plant("update package_use set fen = 200 where tenant_id = $1", [books.tenantId]),
    subject: () => String(books.coveredId),
    actualFen: 300,
  },
  CARD_USES: {
    plant: () =>
      plant("update user_package set uses_left = 5 where tenant_id = $1", [books.tenantId]),
    subject: () => `套餐卡 ${books.cardId}`,
  },
  CARD_PAID: {
    plant: () =>
      plant("update user_package set price_fen = 900 where tenant_id = $1", [books.tenantId]),
    subject: () => `套餐卡 ${books.cardId}`,
    actualFen: 900,
  },
  CARD_MISSING: {
    plant: () =>
      plant(
        "update ledger_journal set biz_id = '0' where tenant_id = $1 and biz_type = 'PACKAGE_BUY'",
        [books.tenantId],
      ),
  },
  ORDER_MISSING: {
    plant: () =>
      plant("delete from storage_order where tenant_id = $1 and id = $2", [
        books.tenantId,
        books.orderId,
      ]),
    subject: () => String(books.orderId),
  },
  FIGURES: {
    plant: () =>
      plant("update order_delta set income_fen = income_fen + 50 where tenant_id = $1", [
        books.tenantId,
      ]),
    actualFen: 850,
  },
  TOP_UP_NOT_POSTED: {
    plant: () =>
      plant(
        `insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, paid_at,
           actor_kind, actor_name)
         values ($1, $2, 'CASH', 'PAID', 700, now(), 'OPERATOR', '李伟')`,
        [books.tenantId, books.endUserId],
      ),
  },
  TOP_UP_AMOUNT: {
    plant: () => plant("update top_up set bonus_fen = 400 where tenant_id = $1", [books.tenantId]),
    subject: () => books.topUp.no,
    actualFen: 5_500,
  },
  TOP_UP_MISSING: {
    plant: () =>
      plant("update top_up set state = 'CREATED' where tenant_id = $1", [books.tenantId]),
  },
  BILL_NOT_THERE: {
    plant: async () => {
      books.wechat.bill = billOf([]);
    },
    subject: () => books.topUp.no,
  },
  BILL_AMOUNT: {
    plant: async () => {
      books.wechat.bill = billOf([billLine({ ...goodTrade(), fen: 4_999 })]);
    },
    subject: () => books.topUp.no,
    actualFen: 4_999,
  },
  PAID_UNKNOWN: {
    plant: async () => {
      const unknown = { ...goodTrade(), outTradeNo: "CZ-nobody", transactionNo: "42x", fen: 900 };
      books.wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 }), billLine(unknown)]);
    },
    subject: () => "CZ-nobody",
    actualFen: 900,
  },
  PAID_CLOSED: { plant: () => plantUnpaid("CLOSED", 900), expectedFen: 0, actualFen: 900 },
  PAID_AMOUNT: { plant: () => plantUnpaid("CREATED", 901), actualFen: 901 },
  PAID_TWICE: {
    plant: async () => {
      const again = { ...goodTrade(), transactionNo: "42again", fen: 5_000 };
      books.wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 }), billLine(again)]);
    },
    expectedFen: 0,
    actualFen: 5_000,
  },
  REFUND_NOT_HERE: {
    plant: async () => {
      books.wechat.bill = billWithRefund("TK-nobody", 120);
    },
    subject: () => "TK-nobody",
    actualFen: 120,
  },
  REFUND_NOT_THERE: { plant: () => plantRefund(), subject: () => `TK${books.tenantId}` },
  REFUND_AMOUNT: {
    plant: async () => {
      await plantRefund();
      books.wechat.bill = billWithRefund(`TK${books.tenantId}`, 121);
    },
    subject: () => `TK${books.tenantId}`,
    actualFen: 121,
  },
};

describe("M5: every planted difference is found in one run", () => {
  const kinds = Object.entries(planted).map(([kind, how]) => ({ kind, how }));

  it.each(kinds)("$kind", async ({ kind, how }) => {
    await how.plant();
    const run = await reconcile();
    const [found, ...more] = (await list()).filter((one) => one.kind === kind);
    expect(found).toMatchObject({ kind, tenantId: books.tenantId, day: today() });
    expect(more).toEqual([]);
    expect(run.found).toBe((await list()).length);
    if (how.subject) expect(found?.subject).toBe(how.subject());
    if (how.expectedFen !== undefined) expect(found?.expectedFen).toBe(how.expectedFen);
    if (how.actualFen !== undefined) expect(found?.actualFen).toBe(how.actualFen);
    // A second run finds the same row instead of adding one.
    await reconcile();
    expect((await list()).filter((one) => one.kind === kind)).toMatchObject([{ id: found?.id }]);
  });

  it("covers every kind except the one that only WeChat reports", () => {
    const others = DIFFERENCE_KINDS.filter((kind) => !(kind in planted));
    expect(others).toEqual(["REFUND_ABNORMAL"]);
  });
});

describe("difference list", () => {
  it("resolved difference: known while the amount stays, open again when it changes", async () => {
    await planted.ORDER_PAID?.plant();
    await reconcile();
    const [found] = await list();
    const resolve = (reason: string) =>
      testServer.call(reconciliationContract.resolve, books.staff, {
        params: { id: found?.id },
        body: { reason },
      });
    expect(await resolve("好")).toMatchObject({ code: 1 });
    expect(await resolve("用户已线下补款")).toMatchObject({ code: 0 });
    expect(await resolve("用户已线下补款")).toMatchObject({ code: 1 });
    expect(await list({ state: "RESOLVED" })).toMatchObject([
      { resolution: "用户已线下补款", resolvedBy: books.staff.username },
    ]);
    for (let run = 0; run < 2; run++) {
      expect(await reconcile()).toMatchObject({ found: 0, known: 1 });
      expect(await list({ state: "OPEN" })).toEqual([]);
      expect(await list({ state: "RESOLVED" })).toEqual([]);
      expect(await list({ state: "KNOWN" })).toMatchObject([
        { id: found?.id, resolution: "用户已线下补款" },
      ]);
    }
    const planted950 = "update storage_order set paid_principal_fen = 950 where id = $1";
    await plant(planted950, [books.orderId]);
    expect(await reconcile()).toMatchObject({ found: 1, known: 0 });
    expect(await list({ state: "OPEN" })).toMatchObject([{ kind: "ORDER_PAID", actualFen: 950 }]);
    expect(await list({ state: "RESOLVED" })).toMatchObject([{ id: found?.id }]);
    // Back to the first amount: the open difference stays open.
    await planted.ORDER_PAID?.plant();
    expect(await reconcile()).toMatchObject({ found: 1, known: 0 });
    expect(await list({ state: "KNOWN" })).toEqual([]);
  });

  it("known difference: can be resolved again with another reason", async () => {
    await planted.ORDER_PAID?.plant();
    await reconcile();
    const [found] = await list();
    const resolve = (reason: string) =>
      testServer.call(reconciliationContract.resolve, books.staff, {
        params: { id: found?.id },
        body: { reason },
      });
    await resolve("用户已线下补款");
    await reconcile();
    expect(await resolve("财务已核销")).toMatchObject({ code: 0 });
    expect(await list({ state: "RESOLVED" })).toMatchObject([{ resolution: "财务已核销" }]);
  });

  it("filters by area, day, and subject; phones are masked", async () => {
    await planted.ORDER_PAID?.plant();
    await planted.WALLET_BALANCE?.plant();
    await reconcile();
    expect((await list({ area: "WALLET" })).map(({ kind }) => kind)).toEqual(["WALLET_BALANCE"]);
    expect((await list({ subject: String(books.orderId) })).map(({ kind }) => kind)).toEqual([
      "ORDER_PAID",
    ]);
    expect(await list({ toDay: "2026-01-01" })).toEqual([]);
    for (const { phone } of await list()) expect(phone).toMatch(/^139\*{4}\d{4}$/);
  });
});

it("reconciliation: one run at a time per day, and only for allowed days", async () => {
  const ask = (day: string) =>
    testServer.call(reconciliationContract.run, books.staff, { body: { day } });
  const replies = await Promise.all([ask(today()), ask(today())]);
  expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(await ask("2099-01-01")).toMatchObject({ code: 1 });
  expect(await ask("2020-01-01")).toMatchObject({ code: 1 });
  await runQueue();
  expect(await ask(today())).toMatchObject({ code: 0 });
});
