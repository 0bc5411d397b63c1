// Top-ups through a WeChat Pay stand-in: each test has its own tenant, staff account and app user.
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { pino } from "pino";
import { afterEach, beforeEach } from "vitest";
import {
  paymentJobs,
  startOnlineTopUp,
} from "../../apps/server/src/features/money/payment/index.ts";
import type { TopUpDraft } from "../../apps/server/src/features/money/payment/top-up.sql.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { insertEndUser } from "./orders.ts";
import { insertSetting } from "./payments.ts";
import type { Person, TestServer } from "./test-server.ts";
import { type SignedNotice, WechatStandIn } from "./wechat-pay.ts";

export interface StartedTopUp {
  id: number;
  no: string;
}

interface World {
  wechat: WechatStandIn;
  tenantId: number;
  staff: Person;
  endUserId: number;
}

/** Wallet of the app user before and after the top-up. */
export const begin = { principal: 10_000, bonus: 2_000 };
export const credited = { state: "PAID", principal: 15_000, bonus: 2_500, journals: 1 };

const log = pino({ level: "silent" });

export function useOnlineTopUps(testServer: TestServer) {
  const world = {} as World;
  beforeEach(async () => {
    const { id: tenantId, people } = await testServer.makeTenant();
    const wechat = await new WechatStandIn().open();
    const endUserId = await testServer.database.transaction("platform", async (db) => {
      await insertSetting(db, tenantId, "测试");
      return insertEndUser(db, tenantId, "张三");
    });
    Object.assign(world, { wechat, tenantId, staff: people[1], endUserId });
  });
  afterEach(() => world.wechat.close());

  const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
    testServer.database.transaction({ tenantId: world.tenantId }, work);

  function runTask(name: string, payload: object): Promise<void> {
    const task = paymentJobs({ origin: world.wechat.origin }).tasks[name];
    if (!task) throw new Error(`no task ${name}`);
    return task(payload, { database: testServer.database, log });
  }

  /** Starts a top-up of 50 yuan with 5 on top; `isOrdered`: also places the order at WeChat. */
  async function start({
    isOrdered = true,
    payer = { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } as TopUpDraft["payer"],
  } = {}): Promise<StartedTopUp> {
    const { tenantId, endUserId } = world;
    const { topUpId, outTradeNo } = await inTenant((db) =>
      startOnlineTopUp(db, {
        tenantId,
        endUserId,
        payer,
        principalFen: 5_000,
        bonusFen: 500,
        packageId: null,
        actor: { kind: "END_USER", id: endUserId, name: "张三" },
      }),
    );
    if (isOrdered) await runTask("payment.prepay", { tenantId, id: topUpId });
    return { id: topUpId, no: outTradeNo };
  }

  const postNotice = ({ body, headers }: SignedNotice, tenantId = world.tenantId) =>
    testServer.app.inject({
      method: "POST",
      url: `/wechat-pay/v1/notice/${tenantId}`,
      payload: body,
      headers,
    });

  async function standOf(id: number) {
    const { tenantId, endUserId } = world;
    return inTenant(async (db) => ({
      ...(await db.one<{ state: string; transactionNo: string | null; problem: string | null }>(sql`
        select state, transaction_no, problem from top_up
        where tenant_id = ${tenantId} and id = ${id}`)),
      ...(await db.one<{ principal: number; bonus: number }>(sql`
        select principal_fen as principal, bonus_fen as bonus from wallet
        where tenant_id = ${tenantId} and end_user_id = ${endUserId}`)),
      ...(await db.one<{ journals: number }>(sql`
        select count(*)::int as journals from ledger_journal
        where tenant_id = ${tenantId} and biz_type = 'TOP_UP' and biz_id = ${String(id)}`)),
    }));
  }

  async function openDifferences() {
    const { data } = await testServer.call(reconciliationContract.differences, world.staff, {
      query: { state: "OPEN", pageSize: 100 },
    });
    return data.list.map(({ kind, subject, actualFen }) => ({ kind, subject, actualFen }));
  }

  return Object.assign(world, { inTenant, runTask, start, postNotice, standOf, openDifferences });
}
