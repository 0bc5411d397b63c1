// Promise M1: concurrent random money operations against a model that knows only what was
// acknowledged.

import type { FenSplit } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { beforeAll, expect, it } from "vitest";
import {
  lockWallets,
  payFromWallet,
  postHold,
  postJournal,
  releaseHold,
  takeHold,
} from "../../apps/server/src/features/money/ledger/index.ts";
import { systemActor as actor } from "../../apps/server/src/platform/actor.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { Refusal } from "../../apps/server/src/platform/errors.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { anyPhone } from "../support/orders.ts";
import { useTestServer } from "../support/test-server.ts";

const OPERATIONS = Number(process.env.MONEY_OPERATIONS ?? 1_500);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Few wallets and several workers, so that most operations conflict. */
const PEOPLE = 4;
const HANDS = 6;
const ORDERS = 12;

const testServer = useTestServer();
let tenantId: number;
const people: number[] = [];

beforeAll(async () => {
  ({ id: tenantId } = await testServer.makeTenant());
  await testServer.database.transaction({ tenantId }, async (db) => {
    for (let at = 0; at < PEOPLE; at++) {
      const { id } = await db.one<{ id: number }>(sql`
        insert into end_user (tenant_id, phone) values (${tenantId}, ${anyPhone()}) returning id`);
      people.push(id);
    }
  });
});

interface Account extends FenSplit {
  heldPrincipalFen: number;
  heldBonusFen: number;
}

/** Expected wallets if each acknowledged operation was applied exactly once. */
class Model {
  readonly accounts = new Map<number, Account>();
  /** First answer by business id. */
  readonly journals = new Map<string, { id: number; endUserId: number } & FenSplit>();
  readonly holds = new Map<number, { endUserId: number; end: string | null } & FenSplit>();
  readonly refusals = new Map<string, number>();

  of(endUserId: number): Account {
    let account = this.accounts.get(endUserId);
    if (!account) {
      account = { principalFen: 0, bonusFen: 0, heldPrincipalFen: 0, heldBonusFen: 0 };
      this.accounts.set(endUserId, account);
    }
    return account;
  }

  sawJournal(biz: string, journal: { id: number; endUserId: number } & FenSplit): void {
    const first = this.journals.get(biz);
    if (first) {
      expect(journal.id, `a repeat of ${biz}`).toBe(first.id);
      return;
    }
    this.journals.set(biz, journal);
    const account = this.of(journal.endUserId);
    account.principalFen += journal.principalFen;
    account.bonusFen += journal.bonusFen;
  }

  sawHold(hold: { id: number; endUserId: number } & FenSplit): void {
    this.holds.set(hold.id, { ...hold, end: null });
    const account = this.of(hold.endUserId);
    account.heldPrincipalFen += hold.principalFen;
    account.heldBonusFen += hold.bonusFen;
  }

  sawHoldEnd(id: number, end: "POSTED" | "RELEASED"): void {
    const hold = this.holds.get(id);
    if (!hold) throw new Error(`no hold ${id} in the model`);
    if (hold.end !== null) {
      expect(end, `the end of hold ${id}`).toBe(hold.end);
      return;
    }
    hold.end = end;
    const account = this.of(hold.endUserId);
    account.heldPrincipalFen -= hold.principalFen;
    account.heldBonusFen -= hold.bonusFen;
  }
}

it(
  `wallets, holds and journals equal the model (SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const below = (limit: number) => Math.floor(random() * limit);
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
    const model = new Model();
    const made: { biz: string; run: () => Promise<void> }[] = [];
    let next = 0;

    const run = <Result>(work: (db: Db) => Promise<Result>) =>
      testServer.database.transaction({ tenantId }, work);
    const base = () => ({ tenantId, endUserId: pick(people), bizType: "M1", actor });

    function recharge(bizId: string): () => Promise<void> {
      const draft = {
        ...base(),
        bizId,
        kind: "RECHARGE" as const,
        channel: "CASH" as const,
        principalFen: 1 + below(400),
        bonusFen: below(3) * 50,
      };
      return async () => model.sawJournal(bizId, await run((db) => postJournal(db, draft)));
    }

    function adjust(bizId: string): () => Promise<void> {
      const draft = {
        ...base(),
        bizId,
        kind: "ADMIN_ADJUST" as const,
        principalFen: below(601) - 300,
        bonusFen: 1 + below(100),
      };
      return async () => model.sawJournal(bizId, await run((db) => postJournal(db, draft)));
    }

    function pay(bizId: string): () => Promise<void> {
      const kind = random() < 0.8 ? ("PAYMENT" as const) : ("PACKAGE_BUY" as const);
      const draft = { ...base(), bizId, kind, fen: 1 + below(500) };
      return async () => model.sawJournal(bizId, await run((db) => payFromWallet(db, draft)));
    }

    /**
     * Transfers between two wallets in either direction: opposite lock orders must not deadlock.
     */
    function transfer(bizId: string): () => Promise<void> {
      const [from, to] = [pick(people), pick(people)];
      const fen = 1 + below(200);
      const leg = (endUserId: number, change: number) => ({
        ...base(),
        endUserId,
        bizId: `${bizId} ${change < 0 ? "out" : "in"}`,
        kind: "ADMIN_ADJUST" as const,
        principalFen: change,
        bonusFen: 0,
      });
      return async () => {
        const [out, into] = await run(async (db) => {
          await lockWallets(db, tenantId, [from, to]);
          return [await postJournal(db, leg(from, -fen)), await postJournal(db, leg(to, fen))];
        });
        if (out) model.sawJournal(`${bizId} out`, out);
        if (into) model.sawJournal(`${bizId} in`, into);
      };
    }

    function undone(bizId: string): () => Promise<void> {
      const draft = {
        ...base(),
        bizId,
        kind: "PAYMENT_REFUND" as const,
        principalFen: 77,
        bonusFen: 1,
      };
      return async () => {
        const failed = run(async (db) => {
          await postJournal(db, draft);
          throw new Refusal("CONFLICT");
        });
        await failed;
      };
    }

    function hold(): () => Promise<void> {
      const wanted = {
        tenantId,
        endUserId: pick(people),
        orderId: 1 + below(ORDERS),
        fen: 1 + below(300),
      };
      return async () => model.sawHold(await run((db) => takeHold(db, wanted)));
    }

    function settle(isPosting: boolean): () => Promise<void> {
      const known = [...model.holds.keys()];
      if (known.length === 0) return async () => {};
      const holdId = pick(known.slice(-ORDERS));
      return async () => {
        if (isPosting) {
          const journal = await run((db) =>
            postHold(db, { tenantId, holdId, side: "SINGLE", actor }),
          );
          model.sawHoldEnd(holdId, journal ? "POSTED" : "RELEASED");
          if (journal) model.sawJournal(`hold ${holdId}`, journal);
        } else {
          const isReleased = await run((db) => releaseHold(db, { tenantId, holdId }));
          model.sawHoldEnd(holdId, isReleased ? "RELEASED" : "POSTED");
        }
      };
    }

    function choose(): () => Promise<void> {
      const dice = random();
      if (dice < 0.15 && made.length > 0) return pick(made.slice(-20)).run;
      const biz = String(next++);
      const makers = [recharge, recharge, adjust, pay, pay, transfer, undone];
      if (dice < 0.3) return hold();
      if (dice < 0.45) return settle(random() < 0.6);
      const operation = { biz, run: pick(makers)(biz) };
      made.push(operation);
      return operation.run;
    }

    let left = OPERATIONS;
    async function work(): Promise<void> {
      while (left-- > 0) {
        try {
          await choose()();
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          model.refusals.set(error.code, (model.refusals.get(error.code) ?? 0) + 1);
        }
      }
    }
    await Promise.all(Array.from({ length: HANDS }, work));

    await expectSame(model);
    const refused = [...model.refusals].map(([code, count]) => `${code} ${count}`).join(", ");
    process.stdout.write(
      `M1 SEED=${SEED}: ${OPERATIONS} operations, ${model.journals.size} journals, ` +
        `${model.holds.size} holds; refused: ${refused}\n`,
    );
    expect(model.journals.size).toBeGreaterThan(OPERATIONS / 5);
    expect([...model.refusals.keys()]).toEqual(
      expect.arrayContaining(["BALANCE_SHORT", "BALANCE_PART_SHORT", "HOLD_PENDING", "CONFLICT"]),
    );
  },
  60_000 + OPERATIONS * 60,
);

/** Expects the model's wallets and journals in the database, and a balanced ledger. */
async function expectSame(model: Model): Promise<void> {
  const find = <Row>(query: ReturnType<typeof sql>) =>
    testServer.database.read({ tenantId }, (db) => db.many<Row>(query));
  const wallets = await find<{ endUserId: number } & Account>(sql`
    select end_user_id, principal_fen, bonus_fen, held_principal_fen, held_bonus_fen from wallet`);
  for (const { endUserId, ...wallet } of wallets) {
    expect(wallet, `the wallet of ${endUserId}`).toEqual(model.of(endUserId));
    expect(wallet.heldPrincipalFen).toBeLessThanOrEqual(wallet.principalFen);
    expect(wallet.heldBonusFen).toBeLessThanOrEqual(wallet.bonusFen);
  }
  const journals = await find<
    { id: number; endUserId: number; principalAfterFen: number; bonusAfterFen: number } & FenSplit
  >(sql`
    select id, end_user_id, principal_fen, bonus_fen, principal_after_fen, bonus_after_fen
    from ledger_journal order by id`);
  expect(journals.map(({ id }) => id)).toEqual(
    [...model.journals.values()].map(({ id }) => id).sort((one, other) => one - other),
  );
  // Journals of a person add up to the recorded balances and never go below zero.
  const running = new Map<number, FenSplit>();
  for (const journal of journals) {
    const before = running.get(journal.endUserId) ?? { principalFen: 0, bonusFen: 0 };
    const after = {
      principalFen: before.principalFen + journal.principalFen,
      bonusFen: before.bonusFen + journal.bonusFen,
    };
    expect(after, `after journal ${journal.id}`).toEqual({
      principalFen: journal.principalAfterFen,
      bonusFen: journal.bonusAfterFen,
    });
    expect(Math.min(after.principalFen, after.bonusFen)).toBeGreaterThanOrEqual(0);
    running.set(journal.endUserId, after);
  }
  const [books] = await find<{ legs: number; unbalanced: number; total: number }>(sql`
    select count(*)::int as legs, coalesce(sum(amount_fen), 0)::bigint as total, (
      select count(*)::int from (
        select from ledger_leg group by journal_id having sum(amount_fen) <> 0) odd) as unbalanced
    from ledger_leg`);
  expect(books).toMatchObject({ total: 0, unbalanced: 0 });
  const [held] = await find<FenSplit>(sql`
    select coalesce(sum(principal_fen), 0)::bigint as principal_fen,
      coalesce(sum(bonus_fen), 0)::bigint as bonus_fen
    from wallet_hold where state = 'HELD'`);
  const sum = (part: "heldPrincipalFen" | "heldBonusFen") =>
    [...model.accounts.values()].reduce((all, account) => all + account[part], 0);
  expect(held).toEqual({ principalFen: sum("heldPrincipalFen"), bonusFen: sum("heldBonusFen") });
}
