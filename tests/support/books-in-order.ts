// Books that agree with WeChat's, and ways to spoil them; each test has its own tenant with
// consistent books.
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { payFromWallet, postJournal } from "../../apps/server/src/features/money/ledger/index.ts";
import { buyPackage, coverByCard } from "../../apps/server/src/features/money/package/index.ts";
import { paymentJobs } from "../../apps/server/src/features/money/payment/index.ts";
import { addFigures } from "../../apps/server/src/features/operations/statistics/index.ts";
import { systemActor } from "../../apps/server/src/platform/actor.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { makeCabinet, makeStore } from "./cabinets.ts";
import { anyPhone } from "./orders.ts";
import { insertSetting } from "./payments.ts";
import type { Person, TestServer } from "./test-server.ts";
import { billLine, billOf, WechatStandIn } from "./wechat-pay.ts";

interface Place {
  tenantId: number;
  storeId: number;
  cabinetId: number;
}

interface World extends Place {
  staff: Person;
  endUserId: number;
  topUp: { id: number; no: string; transactionNo: string };
  orderId: number;
  cardId: number;
  /** Order paid by the card. */
  coveredId: number;
}

export function useBooksInOrder(testServer: TestServer) {
  const books = { wechat: new WechatStandIn() } as World & { wechat: WechatStandIn };
  /** Connection as owner of the tables, who may bypass triggers and row-level security. */
  let owner: pg.Client;
  beforeAll(async () => {
    await books.wechat.open();
    owner = new pg.Client({ connectionString: testServer.url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await books.wechat.close();
  });
  beforeEach(async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const storeId = await makeStore(testServer, tenantId, []);
    const { id: cabinetId } = await makeCabinet(testServer, { tenantId, storeId });
    const place = { tenantId, storeId, cabinetId };
    Object.assign(books, place, { staff: people[1] });
    Object.assign(books, await inTenant((db) => fillBooks(db, place)));
    books.wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 })]);
  });

  const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
    testServer.database.transaction({ tenantId: books.tenantId }, work);

  /** Runs a statement with the triggers and the row-level security of its table switched off. */
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

  const goodTrade = () => ({
    outTradeNo: books.topUp.no,
    transactionNo: books.topUp.transactionNo,
    state: "SUCCESS" as const,
    attach: `CABINET-${books.tenantId}`,
  });

  /** Inserts a top-up that WeChat's bill shows as paid and that we never learned of. */
  async function plantUnpaid(state: "CREATED" | "CLOSED", fen: number): Promise<void> {
    await plant(
      `insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, out_trade_no,
         actor_kind, actor_name) values ($1, $2, 'WECHAT', $3, 900, 'CZ-late', 'END_USER', '张三')`,
      [books.tenantId, books.endUserId, state],
    );
    const late = {
      ...goodTrade(),
      outTradeNo: "CZ-late",
      transactionNo: `42late${books.tenantId}`,
      fen,
    };
    books.wechat.bill = billOf([billLine({ ...goodTrade(), fen: 5_000 }), billLine(late)]);
  }

  const plantRefund = () =>
    plant(
      `insert into top_up_refund (tenant_id, top_up_id, out_refund_no, principal_fen, bonus_fen,
         state, reason, actor_name, accepted_at)
       values ($1, $2, $3, 120, 0, 'DONE', '测试', '李伟', now())`,
      [books.tenantId, books.topUp.id, `TK${books.tenantId}`],
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

  const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);

  async function reconcile(day = today()) {
    const asked = await testServer.call(reconciliationContract.run, books.staff, { body: { day } });
    if (asked.code !== 0) throw new Error(asked.errMsg);
    await runQueue();
    const { data } = await testServer.call(reconciliationContract.runs, books.staff, { query: {} });
    const run = data.list.find(({ id }) => id === asked.data.id);
    if (!run) throw new Error("no run");
    return run;
  }

  async function runQueue(
    task = "reconciliation.run",
    origin = books.wechat.origin,
  ): Promise<void> {
    const jobs = paymentJobs({ origin });
    const tools = { database: testServer.database, log: pino({ level: "silent" }) };
    await jobs.tasks[task]?.({}, tools);
  }

  /** Open differences, unless the query says otherwise. */
  const list = async (query: object = { state: "OPEN" }) =>
    (
      await testServer.call(reconciliationContract.differences, books.staff, {
        query: { ...query, pageSize: 100 },
      })
    ).data.list;

  const actions = { inTenant, plant, goodTrade, plantUnpaid, plantRefund, billWithRefund };
  return Object.assign(books, actions, { today, reconcile, runQueue, list });
}

/**
 * Inserts a WeChat top-up of 50 + 5 yuan, a paid stay of 8, a refund of 1, and a stay paid by card.
 */
async function fillBooks(db: Db, { tenantId, storeId, cabinetId }: Place) {
  await insertSetting(db, tenantId, "测试");
  const { id: endUserId } = await db.one<{ id: number }>(sql`
    insert into end_user (tenant_id, phone, name) values (${tenantId}, ${anyPhone()}, '张三')
    returning id`);
  const [no, transactionNo] = [`CZ${tenantId}A`, `42${tenantId}`];
  const { id } = await db.one<{ id: number }>(sql`
    insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, bonus_fen,
      out_trade_no, transaction_no, paid_at, actor_kind, actor_name)
    values (${tenantId}, ${endUserId}, 'WECHAT', 'PAID', 5000, 500, ${no}, ${transactionNo}, now(),
      'END_USER', '张三') returning id`);
  const topUp = { id, no, transactionNo };
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
  const { id: orderId } = await db.one<{ id: number }>(sql`
    insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size, state,
      pay_status, recipient_id, pricing, price_fen, paid_principal_fen, refunded_principal_fen,
      ended_at)
    values (${tenantId}, 'SINGLE', ${cabinetId}, ${storeId}, 1, 'M', 'COMPLETED', 'PARTIAL_REFUND',
      ${endUserId}, '{}', 800, 800, 100, now()) returning id`);
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
  const paid = await payByCard(db, { tenantId, storeId, cabinetId }, endUserId);
  return { endUserId, topUp, orderId, ...paid };
}

/** Inserts a card bought for 6 yuan, with ten uses, one of them spent. */
async function payByCard(db: Db, { tenantId, storeId, cabinetId }: Place, endUserId: number) {
  const actor = systemActor;
  const { id: packageId } = await db.one<{ id: number }>(sql`
    insert into package (tenant_id, name, kind, sides, price_fen, uses, valid_days, is_on_sale,
      edited_by)
    values (${tenantId}, '十次卡', 'USES', '{SINGLE}', 600, 10, 30, true, '李伟') returning id`);
  const sale = { tenantId, endUserId, packageId, agreedFen: 600, actor };
  const { userPackageId: cardId } = await buyPackage(db, sale);
  const { id: coveredId } = await db.one<{ id: number }>(sql`
    insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size, state,
      pay_status, recipient_id, pricing, price_fen, covered_fen, user_package_id, ended_at)
    values (${tenantId}, 'SINGLE', ${cabinetId}, ${storeId}, 2, 'M', 'COMPLETED', 'NONE',
      ${endUserId}, '{}', 300, 300, ${cardId}, now()) returning id`);
  const stay = { tenantId, endUserId, side: "SINGLE" as const, orderId: coveredId, fen: 300 };
  const covered = await coverByCard(db, stay);
  if (covered?.userPackageId !== cardId) throw new Error("the card did not pay");
  return { cardId, coveredId };
}
