// Tests posting on a real PostgreSQL: the effects of a journal, refusals, and repeats.
import type { FenSplit } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { anyPhone } from "../../../../../../tests/support/orders.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { systemActor as actor } from "../../../platform/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { JournalDraft } from "./index.ts";
import {
  findHoldOfOrder,
  payFromWallet,
  postHold,
  postJournal,
  releaseHold,
  takeHold,
  walletOf,
} from "./index.ts";

const testServer = useTestServer();
let tenantId: number;
let endUserId: number;
let orderId = 0;

const run = <Result>(work: (db: Db) => Promise<Result>) =>
  testServer.database.transaction({ tenantId }, work);

async function makePerson(): Promise<number> {
  const { id } = await run((db) =>
    db.one<{ id: number }>(sql`
      insert into end_user (tenant_id, phone) values (${tenantId}, ${anyPhone()}) returning id`),
  );
  return id;
}

beforeEach(async () => {
  ({ id: tenantId } = await testServer.makeTenant());
  endUserId = await makePerson();
  orderId++;
});

let biz = 0;
const draft = (more: Partial<JournalDraft> = {}): JournalDraft =>
  ({
    tenantId,
    endUserId,
    kind: "RECHARGE",
    channel: "CASH",
    principalFen: 1_000,
    bonusFen: 200,
    bizType: "TEST",
    bizId: String(biz++),
    actor,
    ...more,
  }) as JournalDraft;
const post = (more: Partial<JournalDraft> = {}) => run((db) => postJournal(db, draft(more)));
const pay = (fen: number, bizId = String(biz++)) =>
  run((db) =>
    payFromWallet(db, {
      tenantId,
      endUserId,
      kind: "PAYMENT",
      fen,
      bizType: "TEST",
      bizId,
      order: { id: orderId, side: "DOUBLE" },
      actor,
    }),
  );
const hold = (fen: number, of = orderId) =>
  run((db) => takeHold(db, { tenantId, endUserId, orderId: of, fen }));
const posted = (holdId: number) =>
  run((db) => postHold(db, { tenantId, holdId, side: "SINGLE", actor }));
const released = (holdId: number) => run((db) => releaseHold(db, { tenantId, holdId }));
const wallet = () => run((db) => walletOf(db, { tenantId, endUserId }));
const has = (principalFen: number, bonusFen: number, held: Partial<FenSplit> = {}) => ({
  principalFen,
  bonusFen,
  heldPrincipalFen: held.principalFen ?? 0,
  heldBonusFen: held.bonusFen ?? 0,
});
const legs = (journalId: number) =>
  run((db) =>
    db.many(sql`
      select account, amount_fen as fen from ledger_leg
      where tenant_id = ${tenantId} and journal_id = ${journalId} order by account`),
  );

describe("a journal", () => {
  it("creates the wallet, records the balance after it, and balances", async () => {
    expect(await wallet()).toEqual(has(0, 0));
    const first = await post();
    expect(first).toMatchObject({ principalAfterFen: 1_000, bonusAfterFen: 200, isRepeat: false });
    expect(await wallet()).toEqual(has(1_000, 200));
    expect(await legs(first.id)).toEqual([
      { account: "CASH", fen: -1_000 },
      { account: "GIFT", fen: -200 },
      { account: "WALLET_BONUS", fen: 200 },
      { account: "WALLET_PRINCIPAL", fen: 1_000 },
    ]);
  });

  it("creates no wallet where there is one: a plain lock is cheaper", async () => {
    const creations = () =>
      run(async (db) => {
        let count = 0;
        const counting: Db["run"] = (statement) => {
          if (statement.text.includes("insert into wallet")) count++;
          return db.run(statement);
        };
        await postJournal({ ...db, run: counting }, draft());
        return count;
      });
    expect(await creations()).toBe(1);
    expect(await creations()).toBe(0);
  });

  it("is returned to a repeat: later, in the same transaction or concurrently", async () => {
    const bizId = "once";
    const all = await run(async (db) => [
      await postJournal(db, draft({ bizId })),
      await postJournal(db, draft({ bizId })),
    ]);
    const beside = await Promise.all(Array.from({ length: 6 }, () => post({ bizId })));
    const [first, ...repeats] = [...all, ...beside];
    expect(first?.isRepeat).toBe(false);
    for (const repeat of repeats) expect(repeat).toEqual({ ...first, isRepeat: true });
    expect(await wallet()).toEqual(has(1_000, 200));
  });

  it("makes a concurrent repeat wait, which posts it if the first is rolled back", async () => {
    const bizId = "undone";
    const { promise: isPosted, resolve: resolvePosted } = Promise.withResolvers<void>();
    const { promise: isTime, resolve: fail } = Promise.withResolvers<void>();
    const first = run(async (db) => {
      await postJournal(db, draft({ bizId }));
      resolvePosted();
      await isTime;
      throw new Error("undone");
    });
    await isPosted;
    const second = post({ bizId });
    fail();
    await expect(first).rejects.toThrow("undone");
    expect((await second).isRepeat).toBe(false);
    expect(await wallet()).toEqual(has(1_000, 200));
  });

  it("is refused under the name of another business", async () => {
    await post({ bizId: "taken" });
    await expect(post({ bizId: "taken", principalFen: 999 })).rejects.toThrow("JOURNAL_TAKEN");
    const other = await makePerson();
    await expect(post({ bizId: "taken", endUserId: other })).rejects.toThrow();
    await expect(pay(1_200, "taken")).rejects.toThrow("JOURNAL_TAKEN");
    expect(await wallet()).toEqual(has(1_000, 200));
  });

  it("is refused for a person who does not exist or belongs to another tenant", async () => {
    await expect(post({ endUserId: 999_999_999 })).rejects.toThrow("NOT_FOUND");
    const stranger = endUserId;
    ({ id: tenantId } = await testServer.makeTenant());
    await expect(post({ endUserId: stranger })).rejects.toThrow("NOT_FOUND");
  });

  it.each([
    ["half a fen", { principalFen: 0.5 }],
    ["nothing", { principalFen: 0, bonusFen: 0 }],
    ["a recharge that takes", { principalFen: -1 }],
    ["a payment that gives", { kind: "PAYMENT" as const, principalFen: 1 }],
  ])("is refused as invalid with %s", async (_, more) => {
    await expect(post(more as Partial<JournalDraft>)).rejects.toThrow(/^no /);
  });
});

describe("a payment", () => {
  it("takes principal first, then bonus, and names the shortfall in yuan", async () => {
    await post();
    expect(await pay(1_100)).toMatchObject({ principalFen: -1_000, bonusFen: -100 });
    expect(await wallet()).toEqual(has(0, 100));
    await expect(pay(101)).rejects.toMatchObject({
      text: "余额不足：需要 1.01 元，可用 1 元，请先充值",
    });
    expect(await wallet()).toEqual(has(0, 100));
  });

  it("never overdraws one wallet when many run at once", async () => {
    await post({ principalFen: 1_000, bonusFen: 50 });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => pay(100)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(await wallet()).toEqual(has(0, 50));
  });

  it("leaves held money alone in a correction, and names the part that is short", async () => {
    await post();
    await hold(1_050);
    const adjust = (principalFen: number, bonusFen: number) =>
      post({ kind: "ADMIN_ADJUST", principalFen, bonusFen });
    await expect(adjust(-1, 0)).rejects.toMatchObject({
      text: "本金余额不足：需要 0.01 元，可用 0 元",
    });
    await expect(adjust(0, -151)).rejects.toMatchObject({
      text: "赠金余额不足：需要 1.51 元，可用 1.50 元",
    });
    const { id } = await adjust(100, -100);
    expect(await legs(id)).toHaveLength(2);
  });
});

describe("a hold", () => {
  it("keeps money from being spent until it is captured, once", async () => {
    await post();
    const held = await hold(1_100);
    expect(held).toMatchObject({ principalFen: 1_000, bonusFen: 100, state: "HELD" });
    expect(await wallet()).toEqual(has(1_000, 200, { principalFen: 1_000, bonusFen: 100 }));
    await expect(pay(101)).rejects.toThrow("BALANCE_SHORT");
    await expect(hold(1)).rejects.toThrow("HOLD_PENDING");
    const [one, other] = await Promise.all([posted(held.id), posted(held.id)]);
    expect(one?.id).toBe(other?.id);
    expect(one).toMatchObject({ principalFen: -1_000, bonusFen: -100 });
    expect(await wallet()).toEqual(has(0, 100));
    expect(await released(held.id)).toBe(false);
    expect(await run((db) => findHoldOfOrder(db, { tenantId, orderId }))).toBeNull();
    const journal = await run((db) =>
      db.one(sql`select order_id, side, kind from ledger_journal
        where tenant_id = ${tenantId} and id = ${one?.id}`),
    );
    expect(journal).toEqual({ orderId, side: "SINGLE", kind: "PAYMENT" });
  });

  it("makes the money spendable again when it is released, once", async () => {
    await post();
    const held = await hold(300);
    expect(await Promise.all([released(held.id), released(held.id)])).toEqual([true, true]);
    expect(await posted(held.id)).toBeNull();
    expect(await wallet()).toEqual(has(1_000, 200));
    await hold(1_200);
  });

  it("ends one way when it is captured and released at once", async () => {
    for (let round = 0; round < 10; round++) {
      await post({ principalFen: 100, bonusFen: 0 });
      const before = await wallet();
      const held = await hold(100, orderId * 1_000 + round);
      const [journal, isReleased] = await Promise.all([posted(held.id), released(held.id)]);
      expect(journal === null).toBe(isReleased);
      expect(await wallet()).toEqual({
        ...before,
        principalFen: before.principalFen - (isReleased ? 0 : 100),
      });
    }
  });

  it("is taken once per order among concurrent requests", async () => {
    await post();
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => hold(100)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await wallet()).toEqual(has(1_000, 200, { principalFen: 100 }));
  });

  it("is not taken for one order from two wallets at once", async () => {
    await post();
    const first = endUserId;
    const second = await makePerson();
    await post({ endUserId: second });
    const take = (of: number) =>
      run((db) => takeHold(db, { tenantId, endUserId: of, orderId, fen: 100 }));
    const outcomes = await Promise.allSettled([take(first), take(second)]);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({ code: "HOLD_PENDING" });
  });
});

describe("a posted journal", () => {
  it.each(["platform", "tenant"] as const)(
    "is not altered or deleted by the %s role",
    async (role) => {
      await post();
      const scope = role === "platform" ? role : { tenantId };
      for (const text of [
        "update ledger_journal set reason = 'x'",
        "delete from ledger_journal",
        "update ledger_leg set amount_fen = 1",
        "delete from ledger_leg",
        "delete from wallet",
        "delete from wallet_hold",
        "delete from top_up",
      ]) {
        await expect(
          testServer.database.transaction(scope, (db) => db.run(sql([text]))),
        ).rejects.toThrow("permission denied");
      }
    },
  );

  it("is rejected by the database when its legs do not balance", async () => {
    const unbalanced = run((db) =>
      db.run(sql`
        with journal as (
          insert into ledger_journal (tenant_id, kind, biz_type, biz_id, end_user_id, principal_fen,
            principal_after_fen, bonus_after_fen, actor_kind, actor_name)
          values (${tenantId}, 'RECHARGE', 'X', '1', ${endUserId}, 100, 100, 0, 'SYSTEM', '系统')
          returning tenant_id, id)
        insert into ledger_leg select tenant_id, id, account, fen
        from journal, (values ('CASH', -99), ('WALLET_PRINCIPAL', 100)) leg (account, fen)`),
    );
    await expect(unbalanced).rejects.toThrow("does not balance");
  });
});
