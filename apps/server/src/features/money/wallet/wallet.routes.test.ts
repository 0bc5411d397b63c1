// Wallets, top-ups and journals over HTTP on a real PostgreSQL: replies, effects, refusals, audit entries.
import { randomUUID } from "node:crypto";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { REPLAYED_HEADER } from "@cabinet/contract/kit/repeat.rules.ts";
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import type { JournalKind } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { findAudit } from "../../../../../../tests/support/cabinets.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import {
  credentialsOf,
  type Person,
  useTestServer,
} from "../../../../../../tests/support/test-server.ts";
import { mayIdle } from "../../../../../../tests/support/waiting.ts";
import { systemActor } from "../../../platform/actor.ts";
import { sql } from "../../../platform/db/sql.ts";
import { payFromWallet, takeHold } from "../ledger/index.ts";

const testServer = useTestServer();
let tenantId: number;
let people: Record<0 | 1 | 2, Person>;
let endUserId: number;

beforeEach(async () => {
  ({ id: tenantId, people } = await testServer.makeTenant());
  endUserId = await testServer.database.transaction({ tenantId }, (db) =>
    insertEndUser(db, tenantId, "张三"),
  );
});

const recharge = { kind: "RECHARGE", principalFen: 5_000, bonusFen: 500, reason: "前台收现金" };
const change = (body: object, headers?: Record<string, string>, as = people[1]) =>
  testServer.call(walletContract.change, as, {
    body: { endUserId, ...recharge, ...body },
    ...(headers && { headers }),
  });
const once = (key: string = randomUUID()) => ({ "idempotency-key": key });
const wallets = async (query: object = {}, as = people[1]) =>
  (await testServer.call(walletContract.list, as, { query })).data;
const topUps = async (query: object = {}) =>
  (await testServer.call(walletContract.topUps, people[1], { query })).data;
const journals = async (query: object = {}) =>
  (await testServer.call(ledgerContract.list, people[1], { query })).data;
const balance = async () => {
  const [wallet] = (await wallets({ endUserId })).list;
  return [wallet?.principalFen, wallet?.bonusFen, wallet?.heldFen];
};
const pay = (fen: number, side: "SINGLE" | "DOUBLE") =>
  testServer.database.transaction({ tenantId }, (db) =>
    payFromWallet(db, {
      tenantId,
      endUserId,
      kind: "PAYMENT",
      fen,
      bizType: "TEST",
      bizId: randomUUID(),
      order: { id: side === "SINGLE" ? 71 : 72, side },
      actor: systemActor,
    }),
  );

describe("manual recharge", () => {
  it("creates a top-up, a journal and an audit entry, each with its reason", async () => {
    const { data } = await change({ receiptNo: " R-9 " });
    expect(data).toMatchObject({ principalFen: 15_000, bonusFen: 2_500 });
    expect(await balance()).toEqual([15_000, 2_500, 0]);
    const { list } = await topUps();
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      channel: "CASH",
      state: "PAID",
      principalFen: 5_000,
      bonusFen: 500,
      transactionNo: "R-9",
      actorName: people[1].username,
      reason: "前台收现金",
      phone: expect.stringMatching(/^139\*{4}\d{4}$/),
    });
    const journal = await testServer.call(ledgerContract.get, people[1], {
      params: { id: data.journalId },
    });
    expect(journal.data).toMatchObject({ kind: "RECHARGE", bizId: String(list[0]?.id) });
    expect(journal.data.legs).toEqual([
      { account: "CASH", amountFen: -5_000 },
      { account: "GIFT", amountFen: -500 },
      { account: "WALLET_BONUS", amountFen: 500 },
      { account: "WALLET_PRINCIPAL", amountFen: 5_000 },
    ]);
    const audit = await findAudit(testServer, tenantId);
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({
      target: expect.stringMatching(/^线下充值 张三（139\*{4}\d{4}）$/),
      reason: "前台收现金",
      before: { principalFen: 10_000, bonusFen: 2_000 },
      after: { principalFen: 15_000, bonusFen: 2_500, journalId: data.journalId },
    });
  });

  it.each([
    [{ principalFen: 0 }, "充值的本金须大于 0"],
    [{ bonusFen: -1 }, "赠金不能为负"],
    [{ principalFen: 1.5 }, "本金"],
    [{ principalFen: 2_000_001, confirmFen: 2_000_501 }, "本金"],
    [{ reason: "是" }, "原因"],
    [{ principalFen: 50_000 }, "请在“确认金额”中再填写一次合计 505 元"],
    [{ principalFen: 50_000, confirmFen: 50_000 }, "请在“确认金额”中再填写一次合计 505 元"],
    [{ kind: "ADMIN_ADJUST", principalFen: 0, bonusFen: 0 }, "请填写要调整的本金或赠金"],
    [{ kind: "ADMIN_ADJUST", receiptNo: "R" }, "套餐和收据号只用于充值"],
    [{ kind: "ADMIN_ADJUST", principalFen: -10_001, bonusFen: 0 }, "本金余额不足"],
    [{ endUserId: 999_999_999 }, "用户不存在"],
  ])("refuses %j with a remedy", async (wrong, words) => {
    expect(await change(wrong)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining(words),
    });
    expect(await balance()).toEqual([10_000, 2_000, 0]);
    expect((await topUps()).total).toBe(0);
  });

  it("by package: brings exactly the package's amounts, while it is on sale", async () => {
    const { id: packageId } = await testServer.database.transaction({ tenantId }, (db) =>
      db.one<{ id: number }>(sql`
        insert into package (tenant_id, name, kind, sides, price_fen, bonus_fen, is_on_sale, edited_by)
        values (${tenantId}, '充 50 送 5', 'BONUS', '{SINGLE}', 5000, 500, true, '李伟')
        returning id`),
    );
    expect((await change({ packageId })).code).toBe(0);
    expect((await topUps()).list[0]).toMatchObject({ packageName: "充 50 送 5", bonusFen: 500 });
    expect((await change({ packageId, bonusFen: 600 })).errMsg).toContain(
      "套餐“充 50 送 5”刚刚被修改过",
    );
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`update package set is_on_sale = false where id = ${packageId}`),
    );
    expect((await change({ packageId })).code).toBe(1);
    expect((await change({ packageId: 999_999_999 })).code).toBe(1);
    expect(await balance()).toEqual([15_000, 2_500, 0]);
  });

  it("a large amount requires typing the sum twice", async () => {
    expect((await change({ principalFen: 50_000, confirmFen: 50_500 })).code).toBe(0);
    expect(await balance()).toEqual([60_000, 2_500, 0]);
  });

  it("requires the permission and the own tenant", async () => {
    expect((await change({}, undefined, people[2])).status).toBe(403);
    const other = await testServer.makeTenant();
    expect((await change({}, undefined, other.people[1])).errMsg).toContain("用户不存在");
    const platform = (await testServer.makeTenant(1)).people[0];
    expect((await change({}, undefined, platform)).code).toBe(0);
    expect((await findAudit(testServer, tenantId)).at(-1)).toMatchObject({
      actorName: platform.username,
    });
  });
});

describe("promise M2: the same request", () => {
  it("200 concurrent requests: one effect, one audit entry and one answer", async () => {
    const headers = once();
    const replies = await Promise.all(Array.from({ length: 200 }, () => change({}, headers)));
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toHaveLength(1);
    expect(replies[0]).toMatchObject({ code: 0, data: { principalFen: 15_000 } });
    expect(await balance()).toEqual([15_000, 2_500, 0]);
    expect((await topUps()).total).toBe(1);
    expect(await findAudit(testServer, tenantId)).toHaveLength(1);
  });

  it("the answer of a repeat is marked as one, that of the first and of a refusal is not", async () => {
    const headers = { ...credentialsOf(people[1]), ...once() };
    const post = async (body: object) => {
      const url = urlPath(walletContract.change);
      const answer = await testServer.app.inject({ method: "POST", url, headers, payload: body });
      return answer.headers[REPLAYED_HEADER];
    };
    const body = { endUserId, ...recharge };
    expect([await post(body), await post(body)]).toEqual([undefined, "true"]);
    expect(await post({ ...body, principalFen: 5_001 })).toBeUndefined();
  });

  it("other content under the same key is refused", async () => {
    const headers = once();
    await change({}, headers);
    expect((await change({ principalFen: 5_001 }, headers)).errMsg).toContain("前后不一致");
    expect(await balance()).toEqual([15_000, 2_500, 0]);
  });

  it("two people, or two keys, are two requests", async () => {
    const headers = once();
    await change({}, headers);
    await change({}, headers, people[0]);
    await change({});
    await change({});
    expect(await balance()).toEqual([30_000, 4_000, 0]);
  });

  it("a retry after a refusal runs again and is refused by itself", async () => {
    const headers = once();
    const take = { kind: "ADMIN_ADJUST", principalFen: -12_000, bonusFen: 0 };
    expect((await change(take, headers)).errMsg).toContain("本金余额不足");
    await change({});
    expect((await change(take, headers)).data).toMatchObject({ principalFen: 3_000 });
    expect((await change(take, headers)).data).toMatchObject({ principalFen: 3_000 });
    expect(await balance()).toEqual([3_000, 2_500, 0]);
  });

  it("a request is refused while the first one holds its key for long", async () => {
    const headers = once();
    const { promise: isTime, resolve: end } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: resolveHeld } = Promise.withResolvers<void>();
    const first = testServer.database.transaction({ tenantId }, async (db) => {
      await mayIdle(db);
      await db.run(sql`
        insert into idempotency_key (tenant_id, actor, key, fingerprint)
        values (${tenantId}, ${`OPERATOR:${people[1].operatorId}`},
          ${headers["idempotency-key"]}, '\\x00')`);
      resolveHeld();
      await isTime;
      throw new Error("undone");
    });
    await isHeld;
    expect(await change({}, headers)).toMatchObject({
      status: 409,
      errMsg: expect.stringContaining("同一次提交正在处理"),
    });
    end();
    await expect(first).rejects.toThrow("undone");
    expect((await change({}, headers)).code).toBe(0);
  });

  it("the key must consist of visible characters", async () => {
    expect((await change({}, once("一".repeat(3)))).code).toBe(1);
    expect((await change({}, once("x".repeat(129)))).errMsg).toContain("Idempotency-Key");
  });
});

describe("change without an Idempotency-Key", () => {
  const post = (body: object = {}, as = people[1]) =>
    testServer.call(walletContract.change, as, {
      body: { endUserId, ...recharge, ...body },
      hasNoKey: true,
    });

  it("sequential identical posts: one effect and the first answer", async () => {
    const first = await post();
    expect(first).toMatchObject({ code: 0, data: { principalFen: 15_000 } });
    expect(await post()).toEqual(first);
    // The order of a body's fields does not matter.
    const { reason, ...amounts } = recharge;
    const reordered = { reason, ...amounts, endUserId };
    const again = await testServer.call(walletContract.change, people[1], {
      body: reordered,
      hasNoKey: true,
    });
    expect(again).toEqual(first);
    expect(await balance()).toEqual([15_000, 2_500, 0]);
    expect(await findAudit(testServer, tenantId)).toHaveLength(1);
  });

  it("concurrent identical posts: one effect and one answer", async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post()));
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toHaveLength(1);
    expect(await balance()).toEqual([15_000, 2_500, 0]);
  });

  it("different content or another operator: an effect each", async () => {
    await post();
    await post({ reason: "前台收现金，第二笔" });
    await post({}, people[0]);
    expect(await balance()).toEqual([25_000, 3_500, 0]);
  });

  it("the same content a minute later: a second effect", async () => {
    await post();
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`update idempotency_key set created_at = now() - interval '61 seconds'
        where tenant_id = ${tenantId}`),
    );
    await Promise.all([post(), post()]);
    expect(await balance()).toEqual([20_000, 3_000, 0]);
  });

  it("a refused post: the same content runs again", async () => {
    const take = { kind: "ADMIN_ADJUST", principalFen: -12_000, bonusFen: 0 };
    expect((await post(take)).errMsg).toContain("本金余额不足");
    await change({});
    expect(await post(take)).toMatchObject({ code: 0, data: { principalFen: 3_000 } });
  });
});

describe("the lists", () => {
  it("wallets: filter by person and balance, sort", async () => {
    const { phone } = await testServer.database.transaction({ tenantId }, async (db) => {
      const poor = await db.one<{ id: number; phone: string }>(sql`
        insert into end_user (tenant_id, phone, name, state)
        values (${tenantId}, '13800001234', '李四', 'LOCKED') returning id, phone`);
      return poor;
    });
    const names = async (query: object) =>
      (await wallets(query)).list.map(({ userName }) => userName);
    expect(await names({})).toEqual(["李四", "张三"]);
    expect(await names({ sort: "principal" })).toEqual(["张三", "李四"]);
    expect(await names({ sort: "bonus", order: "asc" })).toEqual(["李四", "张三"]);
    expect(await names({ hasBalance: true })).toEqual(["张三"]);
    expect(await names({ hasBalance: false })).toEqual(["李四"]);
    expect(await names({ phone })).toEqual(["李四"]);
    expect(await names({ phone: ` ${phone.slice(-4)} ` })).toEqual(["李四"]);
    expect(await names({ name: "张" })).toEqual(["张三"]);
    expect((await wallets({ phone })).list[0]).toMatchObject({
      phone: "138****1234",
      isLocked: true,
      principalFen: 0,
      lastChangeAt: null,
    });
    const short = await testServer.call(walletContract.list, people[1], {
      query: { phone: "138" },
    });
    expect(short.errMsg).toContain("手机号");
  });

  it("one wallet: shows holds and their outcome", async () => {
    await change({});
    await pay(300, "SINGLE");
    const held = await testServer.database.transaction({ tenantId }, (db) =>
      takeHold(db, { tenantId, endUserId, orderId: 73, fen: 200 }),
    );
    const { data } = await testServer.call(walletContract.get, people[1], { query: { endUserId } });
    expect(data).toMatchObject({
      principalFen: 14_700,
      heldFen: 200,
      rechargedFen: 15_000,
      giftedFen: 2_500,
      spentFen: 300,
      holds: [{ orderId: 73, principalFen: held.principalFen, bonusFen: 0 }],
    });
    expect(await balance()).toEqual([14_700, 2_500, 200]);
  });

  it("top-ups: filter by each field", async () => {
    await change({});
    const total = async (query: object) => (await topUps(query)).total;
    const now = Date.now();
    const at = (ms: number) => new Date(now + ms).toISOString();
    expect(await total({ channel: "CASH", state: "PAID", endUserId })).toBe(1);
    expect(await total({ channel: "WECHAT" })).toBe(0);
    expect(await total({ state: "REFUNDED" })).toBe(0);
    expect(await total({ from: at(-60_000), to: at(60_000) })).toBe(1);
    expect(await total({ from: at(60_000) })).toBe(0);
    const backwards = await testServer.call(walletContract.topUps, people[1], {
      query: { from: at(60_000), to: at(0) },
    });
    expect(backwards.errMsg).toContain("开始时间不能晚于结束时间");
  });

  it("journals: both sides and what belongs to none add up to the company", async () => {
    await change({});
    await change({ kind: "ADMIN_ADJUST", principalFen: -700, bonusFen: 0 });
    await pay(300, "SINGLE");
    await pay(1_250, "SINGLE");
    await pay(14_000, "DOUBLE");
    const read = async (query: object) => {
      const page = await journals({ ...query, pageSize: 100 });
      const { data } = await testServer.call(ledgerContract.sums, people[1], { query });
      expect(data.sums.reduce((all, { count }) => all + count, 0)).toBe(page.total);
      const sumOf = (field: "principalFen" | "bonusFen", kind: JournalKind) =>
        page.list.reduce((all, row) => all + (row.kind === kind ? row[field] : 0), 0);
      for (const { kind, principalFen, bonusFen } of data.sums) {
        expect([principalFen, bonusFen]).toEqual([
          sumOf("principalFen", kind),
          sumOf("bonusFen", kind),
        ]);
      }
      return page.list;
    };
    const [all, single, double] = await Promise.all([
      read({}),
      read({ side: "SINGLE" }),
      read({ side: "DOUBLE" }),
    ]);
    expect([single.length, double.length]).toEqual([2, 1]);
    const sideless = all.filter(({ side }) => side === null);
    expect(sideless.map(({ kind }) => kind)).toEqual(["ADMIN_ADJUST", "RECHARGE", "RECHARGE"]);
    const inOrder = [...single, ...double, ...sideless].toSorted((one, other) => other.id - one.id);
    expect(inOrder).toEqual(all);
  });

  it("journals: filter by side, kind, person, order and time, with totals", async () => {
    await change({});
    await pay(300, "SINGLE");
    await pay(14_800, "DOUBLE");
    const kinds = async (query: object) => (await journals(query)).list.map(({ kind }) => kind);
    expect(await kinds({})).toEqual(["PAYMENT", "PAYMENT", "RECHARGE", "RECHARGE"]);
    expect(await kinds({ side: "SINGLE" })).toEqual(["PAYMENT"]);
    expect(await kinds({ orderNo: 72 })).toEqual(["PAYMENT"]);
    expect(await kinds({ kind: "RECHARGE", endUserId })).toHaveLength(2);
    const [last] = (await journals({ side: "DOUBLE" })).list;
    expect(last).toMatchObject({
      orderId: 72,
      principalFen: -14_700,
      bonusFen: -100,
      principalAfterFen: 0,
      bonusAfterFen: 2_400,
    });
    const phone = await testServer.database.read({ tenantId }, (db) =>
      db.one<{ phone: string }>(sql`select phone from end_user where id = ${endUserId}`),
    );
    expect(await kinds({ phone: phone.phone.slice(-6) })).toHaveLength(4);
    expect(await kinds({ phone: "00000000000" })).toEqual([]);
    const sums = await testServer.call(ledgerContract.sums, people[1], {
      query: { side: "DOUBLE" },
    });
    expect(sums.data).toEqual({
      sums: [{ kind: "PAYMENT", count: 1, principalFen: -14_700, bonusFen: -100 }],
    });
    const topUps = await testServer.call(walletContract.topUpSums, people[1], {
      query: { endUserId },
    });
    expect(topUps.data).toEqual({ count: 1, principalFen: 5_000, bonusFen: 500 });
    const [wallets, list] = await Promise.all([
      testServer.call(walletContract.sums, people[1], { query: { hasBalance: true } }),
      testServer.call(walletContract.list, people[1], {
        query: { hasBalance: true, pageSize: 100 },
      }),
    ]);
    const sumOf = (field: "principalFen" | "bonusFen" | "heldFen") =>
      list.data.list.reduce((sum, wallet) => sum + wallet[field], 0);
    expect(wallets.data).toEqual({
      count: list.data.total,
      principalFen: sumOf("principalFen"),
      bonusFen: sumOf("bonusFen"),
      heldFen: sumOf("heldFen"),
    });
    const missing = await testServer.call(ledgerContract.get, people[1], {
      params: { id: 999_999 },
    });
    expect(missing.errMsg).toContain("交易记录不存在");
  });
});
