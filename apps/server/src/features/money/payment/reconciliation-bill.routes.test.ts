// WeChat's bill of a day against our books: awaited, trusted only with its signature, its payments
// credited once.
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { describe, expect, it } from "vitest";
import { useBooksInOrder } from "../../../../../../tests/support/books-in-order.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { billLine, billOf } from "../../../../../../tests/support/wechat-pay.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const books = useBooksInOrder(testServer);
const {
  billWithRefund,
  goodTrade,
  inTenant,
  list,
  plant,
  plantRefund,
  plantUnpaid,
  reconcile,
  runQueue,
} = books;

it("bill: credits a paid top-up that we had not heard of, once", async () => {
  await plantUnpaid("CREATED", 900);
  expect(await reconcile()).toMatchObject({ found: 0 });
  await reconcile();
  const journals = await inTenant((db) =>
    db.many(sql`
      select journal.principal_fen from ledger_journal journal
      join top_up on top_up.tenant_id = journal.tenant_id
        and journal.biz_type = 'TOP_UP' and journal.biz_id = top_up.id::text
      where top_up.tenant_id = ${books.tenantId} and top_up.out_trade_no = 'CZ-late'`),
  );
  expect(journals).toEqual([{ principalFen: 900 }]);
});

it("bill: ignores other payments of the same merchant", async () => {
  const foreign = { ...goodTrade(), outTradeNo: "SHOP-1", transactionNo: "42shop", fen: 1 };
  books.wechat.bill = billOf([
    billLine({ ...goodTrade(), fen: 5_000 }),
    billLine({ ...foreign, attach: "" }),
    billLine({ ...foreign, outTradeNo: "CZ-other", attach: "CABINET-1" }),
  ]);
  expect(await reconcile()).toMatchObject({ found: 0, billRows: 3 });
});

describe("bill", () => {
  it("not available yet: stays WAITING while the internal checks still run", async () => {
    books.wechat.bill = null;
    await plant("update wallet set principal_fen = principal_fen + 1 where tenant_id = $1", [
      books.tenantId,
    ]);
    expect(await reconcile()).toMatchObject({ state: "DONE", billState: "WAITING", found: 1 });
  });

  it("listing a refund that was also returned here: reports money paid out twice", async () => {
    await plantRefund();
    await plant("update top_up_refund set state = 'FAILED' where tenant_id = $1", [books.tenantId]);
    books.wechat.bill = billWithRefund(`TK${books.tenantId}`, 120, "PROCESSING");
    await reconcile();
    expect(await list()).toEqual([]);
    books.wechat.bill = billWithRefund(`TK${books.tenantId}`, 120);
    await reconcile();
    expect(await list()).toMatchObject([
      { kind: "REFUND_NOT_HERE", subject: `TK${books.tenantId}`, actualFen: 120 },
    ]);
  });

  it("that fails verification is not compared, and the run records why", async () => {
    books.wechat.isForged = true;
    expect(await reconcile()).toMatchObject({
      billState: "FAILED",
      problem: expect.stringContaining("签名不正确"),
    });
    books.wechat.isForged = false;
    books.wechat.bill = "not a bill";
    expect(await reconcile()).toMatchObject({
      billState: "FAILED",
      problem: expect.stringContaining("微信支付账单缺少"),
    });
  });

  it("from last night is requested again if it was not available", async () => {
    books.wechat.bill = null;
    await runQueue("reconciliation.night");
    await runQueue();
    const newest = async () =>
      (await testServer.call(reconciliationContract.runs, books.staff, { query: {} })).data.list;
    expect(await newest()).toMatchObject([{ billState: "WAITING", actorName: "系统" }]);
    books.wechat.bill = billOf([]);
    await runQueue("reconciliation.bills");
    await runQueue();
    expect((await newest()).map(({ billState }) => billState)).toEqual(["COMPARED", "WAITING"]);
    await runQueue("reconciliation.bills");
    await runQueue();
    expect(await newest()).toHaveLength(2);
  });

  it("from last night is compared for a suspended tenant too: debts are paid there, refunds go out", async () => {
    const suspend = (state: string) =>
      testServer.database.transaction("platform", (db) =>
        db.run(sql`update tenant set state = ${state} where id = ${books.tenantId}`),
      );
    await suspend("SUSPENDED");
    await runQueue("reconciliation.night");
    await runQueue();
    await suspend("ACTIVE");
    const runs = await testServer.call(reconciliationContract.runs, books.staff, { query: {} });
    expect(runs.data.list).toMatchObject([{ actorName: "系统" }]);
  });
});
