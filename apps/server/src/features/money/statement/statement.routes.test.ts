// The month's statement over HTTP on a real PostgreSQL: balances, lines, months, stores, sides and accounts.
import { randomUUID } from "node:crypto";
import { legsOf, type WalletChange } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import {
  type Statement,
  statementContract,
} from "@cabinet/contract/money/statement/statement.contract.ts";
import { totalFen } from "@cabinet/contract/money/statement/statement.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { makeCabinet, makeStore } from "../../../../../../tests/support/cabinets.ts";
import { anyPhone, insertOrder } from "../../../../../../tests/support/orders.ts";
import { makePerson, makeStorePerson } from "../../../../../../tests/support/people.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const MONTH = "2026-03";
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let endUserId: number;
let stores: [number, number];
/** Orders of the first store's single, the second store's double, and no store's single side. */
let orders: [number, number, number];

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  stores = [await makeStore(testServer, tenantId), await makeStore(testServer, tenantId)];
  const cabinets = [
    await makeCabinet(testServer, { tenantId, storeId: stores[0], cells: [{}] }),
    await makeCabinet(testServer, { tenantId, storeId: stores[1], side: "DOUBLE", cells: [{}] }),
    await makeCabinet(testServer, { tenantId, cells: [{}] }),
  ];
  orders = await testServer.database.transaction("platform", async (db) => {
    ({ id: endUserId } = await db.one<{ id: number }>(sql`
      insert into end_user (tenant_id, phone, name) values (${tenantId}, ${anyPhone()}, '张三')
      returning id`));
    const made: number[] = [];
    for (const [index, { id: cabinetId }] of cabinets.entries()) {
      const side = index === 1 ? "DOUBLE" : "SINGLE";
      const of = { tenantId, cabinetId, storeId: stores[index] ?? null, recipientId: endUserId };
      made.push(await insertOrder(db, { ...of, side, state: "COMPLETED" }));
    }
    return made as typeof orders;
  });
});

interface At {
  at: string;
  order?: [id: number, side: Side];
  bizType?: string;
}

/** A journal with its legs at this time. */
const post = (change: WalletChange, { at, order, bizType = "TEST" }: At) =>
  testServer.database.transaction("platform", (db) => {
    const legs = legsOf(change);
    return db.run(sql`
      with journal as (
        insert into ledger_journal (tenant_id, at, kind, biz_type, biz_id, order_id, side,
          end_user_id, principal_fen, bonus_fen, principal_after_fen, bonus_after_fen, actor_kind,
          actor_name)
        values (${tenantId}, ${at}, ${change.kind}, ${bizType}, ${randomUUID()},
          ${order?.[0] ?? null}, ${order?.[1] ?? null}, ${endUserId}, ${change.principalFen},
          ${change.bonusFen}, 0, 0, 'SYSTEM', '系统')
        returning tenant_id, id
      )
      insert into ledger_leg (tenant_id, journal_id, account, amount_fen)
      select tenant_id, id, account, amount_fen
      from journal, unnest(${legs.map(({ account }) => account)}::text[],
        ${legs.map(({ amountFen }) => amountFen)}::bigint[]) input (account, amount_fen)`);
  });

const read = async (query: object = {}, as = people[1]) => {
  const { data, errMsg } = await testServer.call(statementContract.month, as, {
    query: { month: MONTH, ...query },
  });
  expect(errMsg).toBe("");
  return data;
};
const refusal = async (query: object, as = people[1]) =>
  (await testServer.call(statementContract.month, as, { query: { month: MONTH, ...query } }))
    .errMsg;
/** Lines with movements: `[count, principal, bonus]`. */
const linesOf = ({ lines }: Pick<Statement, "lines">) =>
  Object.fromEntries(
    lines
      .filter(({ count }) => count > 0)
      .map(({ line, count, principalFen, bonusFen }) => [line, [count, principalFen, bonusFen]]),
  );

const noon = (day: string) => `${day}T04:00:00.000Z`;

/** A month with something in each line, and journals around it. */
async function postMonth() {
  const [near, far, free] = orders;
  const recharge = { kind: "RECHARGE", principalFen: 10_000, bonusFen: 500 } as const;
  const refund = { kind: "RECHARGE_REFUND", principalFen: -1_000, bonusFen: 0 } as const;
  const pay = { kind: "PAYMENT", bonusFen: 0 } as const;
  await post({ ...recharge, channel: "CASH" }, { at: "2026-02-28T15:59:59.999Z" });
  await post({ ...recharge, channel: "CASH" }, { at: "2026-02-28T16:00:00.000Z" });
  await post({ ...recharge, channel: "WECHAT", principalFen: 7_777 }, { at: noon("2026-03-02") });
  await post({ ...refund, channel: "CASH" }, { at: noon("2026-03-03") });
  await post({ ...refund, channel: "WECHAT", principalFen: -777 }, { at: noon("2026-03-03") });
  await post(
    { ...recharge, channel: "WECHAT", principalFen: 777, bonusFen: 0 },
    { at: noon("2026-03-04"), bizType: "TOP_UP_REFUND_BACK" },
  );
  await post({ ...pay, principalFen: -301 }, { at: noon("2026-03-05"), order: [near, "SINGLE"] });
  await post(
    { ...pay, principalFen: -100, bonusFen: -50 },
    { at: noon("2026-03-05"), order: [far, "DOUBLE"] },
  );
  await post({ ...pay, principalFen: -99 }, { at: noon("2026-03-06"), order: [free, "SINGLE"] });
  await post(
    { kind: "PAYMENT_REFUND", principalFen: 0, bonusFen: 20 },
    { at: noon("2026-03-07"), order: [far, "DOUBLE"] },
  );
  await post(
    { kind: "PACKAGE_BUY", principalFen: -2_000, bonusFen: 0 },
    { at: noon("2026-03-08") },
  );
  await post({ kind: "ADMIN_ADJUST", principalFen: -5, bonusFen: 8 }, { at: noon("2026-03-09") });
  await post(
    { ...pay, principalFen: -1 },
    { at: "2026-03-31T15:59:59.999Z", order: [near, "SINGLE"] },
  );
  await post(
    { ...pay, principalFen: -2 },
    { at: "2026-03-31T16:00:00.000Z", order: [near, "SINGLE"] },
  );
}

describe("of the company", () => {
  it("opening, one line for each journal of the month in Shanghai, closing", async () => {
    await postMonth();
    const statement = await read();
    expect(statement).toMatchObject({ from: "2026-03-01", to: "2026-03-31", isUnfinished: false });
    expect(statement.opening).toEqual({ principalFen: 10_000, bonusFen: 500 });
    expect(linesOf(statement)).toEqual({
      CASH_TOP_UP: [1, 10_000, 500],
      WECHAT_TOP_UP: [1, 7_777, 500],
      CASH_REFUND: [1, -1_000, 0],
      WECHAT_REFUND: [1, -777, 0],
      REFUND_RETURNED: [1, 777, 0],
      ORDER_PAYMENT: [4, -501, -50],
      ORDER_REFUND: [1, 0, 20],
      PACKAGE_BUY: [1, -2_000, 0],
      ADJUSTMENT: [1, -5, 8],
    });
    expect(statement.closing).toEqual({ principalFen: 24_271, bonusFen: 1_478 });
    expect((await read({ month: "2026-04" })).opening).toEqual(statement.closing);
    const { days } = statement;
    expect(days).toHaveLength(31);
    expect(days[0]).toMatchObject({ openingFen: 10_500, closingFen: 21_000 });
    for (const [index, { openingFen }] of days.slice(1).entries()) {
      expect(openingFen).toBe(days[index]?.closingFen);
    }
    expect(days.at(-1)?.closingFen).toBe(24_271 + 1_478);
  });

  it("company = single side + double side + what has no side, line by line", async () => {
    await postMonth();
    const [all, single, double] = [
      await read(),
      await read({ side: "SINGLE" }),
      await read({ side: "DOUBLE" }),
    ];
    expect(linesOf(single)).toEqual({ ORDER_PAYMENT: [3, -401, 0] });
    expect(linesOf(double)).toEqual({ ORDER_PAYMENT: [1, -100, -50], ORDER_REFUND: [1, 0, 20] });
    for (const [index, line] of all.lines.entries()) {
      const ofSides = [single, double].map(({ lines }) => totalFen(lines[index]!));
      const isOfOrders = line.line.startsWith("ORDER");
      expect(ofSides[0]! + ofSides[1]!).toBe(isOfOrders ? totalFen(line) : 0);
    }
    expect([single.opening, single.closing, single.differences]).toEqual([null, null, null]);
    expect(single.days[4]).toMatchObject({ openingFen: null, closingFen: null });
  });

  it("the current month ends today and says so; a later one is refused", async () => {
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    const month = today.slice(0, 7);
    const statement = await read({ month });
    expect(statement).toMatchObject({ to: today, isUnfinished: true });
    expect(statement.days.at(-1)?.day).toBe(today);
    expect(await refusal({ month: "2999-01" })).toContain("2999-01 尚未开始");
    expect(await refusal({ month: "2026-13" })).toContain("月份");
  });

  it("names the differences settled in the month, for accounts that see them", async () => {
    await testServer.database.transaction("platform", async (db) => {
      const { id: topUpId } = await db.one<{ id: number }>(sql`
        insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, transaction_no,
          actor_kind, actor_name)
        values (${tenantId}, ${endUserId}, 'WECHAT', 'PAID', 1500, '420001', 'SYSTEM', '系统')
        returning id`);
      const columns = sql`tenant_id, day, kind, area, subject, top_up_id, actual_fen, detail,
        transaction_no, state, resolved_at`;
      await db.run(sql`
        insert into reconciliation_difference (${columns}) values
          (${tenantId}, '2026-03-01', 'PAID_CLOSED', 'WECHAT', '1', ${topUpId}, 1500, '', '420001',
            'RESOLVED', ${noon("2026-03-02")}),
          (${tenantId}, '2026-03-01', 'WALLET_HELD', 'WALLET', '2', null, null, '', null,
            'RESOLVED', ${noon("2026-03-31")}),
          (${tenantId}, '2026-03-01', 'PAID_CLOSED', 'WECHAT', '3', null, 900, '', '420002',
            'RESOLVED', ${noon("2026-04-01")}),
          (${tenantId}, '2026-03-01', 'FIGURES', 'ORDER', '4', null, null, '', null, 'OPEN', null)`);
    });
    const settled = { settled: 2, credited: 1, creditedFen: 1_500, open: 1 };
    expect((await read()).differences).toEqual(settled);
  });
});

describe("of a store", () => {
  it("movements of its orders, and no balance", async () => {
    await postMonth();
    const here = await read({ storeId: stores[0] });
    expect(linesOf(here)).toEqual({ ORDER_PAYMENT: [2, -302, 0] });
    expect([here.opening, here.closing]).toEqual([null, null]);
    expect(here.storeName).toMatch(/^门店 /);
    expect(linesOf(await read({ storeId: stores[1], side: "SINGLE" }))).toEqual({});
  });

  it("an account of some stores sees the movements of these alone", async () => {
    await postMonth();
    const bound = await makeStorePerson(testServer, tenantId, stores[1]);
    const theirs = { ORDER_PAYMENT: [1, -100, -50], ORDER_REFUND: [1, 0, 20] };
    const all = await read({}, bound);
    expect(linesOf(all)).toEqual(theirs);
    expect([all.opening, all.closing, all.differences]).toEqual([null, null, null]);
    expect(linesOf(await read({ storeId: stores[1] }, bound))).toEqual(theirs);
    expect(await refusal({ storeId: stores[0] }, bound)).toContain("门店不存在");
  });
});

describe("of a tenant", () => {
  it("a tenant sees its own, platform staff the one asked for; others need the permission", async () => {
    await postMonth();
    const other = await testServer.makeTenant();
    expect(await refusal({ tenantId }, other.people[1])).toContain("租户不存在");
    expect((await read({}, other.people[1])).opening).toEqual({ principalFen: 0, bonusFen: 0 });
    expect(await refusal({ storeId: stores[0] }, other.people[1])).toContain("门店不存在");
    const { people: platform } = await testServer.makeTenant(1);
    expect((await read({ tenantId }, platform[0])).opening?.principalFen).toBe(10_000);
    expect(await refusal({ tenantId: other.id, storeId: stores[0] }, platform[0])).toContain(
      "门店",
    );
    const { status } = await testServer.call(statementContract.month, people[2], {
      query: { month: MONTH },
    });
    expect(status).toBe(403);
    const clerk = await makePerson(testServer, tenantId, { roleIds: [] });
    const refused = await testServer.call(statementContract.month, clerk, {
      query: { month: MONTH },
    });
    expect(refused.status).toBe(403);
  });
});
