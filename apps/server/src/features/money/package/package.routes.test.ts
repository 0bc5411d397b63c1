// Packages over HTTP and cards on a real PostgreSQL: storage, refusals, audit, and one payment per
// use.
import { packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAudit } from "../../../../../../tests/support/cabinets.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { systemActor } from "../../../platform/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import {
  buyPackage,
  coverByCard,
  findOffers,
  lockBonusPackageOrRefuse,
  previewCover,
  undoCover,
} from "./index.ts";

const testServer = useTestServer();
let platform: Person;
let tenantId: number;
let operator: Person;
let endUserId: number;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  const tenant = await testServer.makeTenant();
  ({ id: tenantId } = tenant);
  operator = tenant.people[1];
  endUserId = await write((db) => insertEndUser(db, tenantId, "张三"));
});

function write<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  return testServer.database.transaction({ tenantId }, work);
}
/** The most recent audit entry of the tenant. */
const audit = async () => (await findAudit(testServer, tenantId)).at(-1);

const tenUses = {
  name: "十次卡",
  kind: "USES",
  sides: ["SINGLE"],
  priceFen: 2_500,
  bonusFen: 0,
  uses: 10,
  validDays: 90,
  coverLimitFen: 400,
  remark: "",
  isOnSale: true,
};
const save = (more: object = {}, as = operator) =>
  testServer.call(packageContract.save, as, { body: { ...tenUses, ...more } });
const get = async (id: number, as = operator) =>
  (await testServer.call(packageContract.get, as, { params: { id } })).data;
const list = async (query: object = {}, as = operator) =>
  (await testServer.call(packageContract.list, as, { query })).data.list;
const cards = async (query: object = {}) =>
  (await testServer.call(packageContract.cards, operator, { query })).data.list;

async function made(more: object = {}): Promise<number> {
  const reply = await save(more);
  expect(reply.errMsg).toBe("");
  return reply.data.id;
}

const buy = (packageId: number, agreedFen = 100_000) =>
  write((db) => buyPackage(db, { tenantId, endUserId, packageId, agreedFen, actor: systemActor }));
const request = (orderId: number, fen = 300) => ({
  ...{ tenantId, endUserId, side: "SINGLE" as const, orderId, fen },
});
const cover = (orderId: number, fen?: number) =>
  write((db) => coverByCard(db, request(orderId, fen)));
const usesLeft = async () => (await cards())[0]?.usesLeft;

describe("a package", () => {
  it("drops fields of other kinds when saved, and is audited", async () => {
    const id = await made({ kind: "BONUS", bonusFen: 300, name: " 充 25 送 3 " });
    expect(await get(id)).toMatchObject({
      ...{ name: "充 25 送 3", kind: "BONUS", bonusFen: 300, uses: null, validDays: null },
      ...{ coverLimitFen: null, sold: 0, held: 0, editVersion: 1 },
    });
    expect(await audit()).toMatchObject({ target: "套餐 充 25 送 3", after: { bonusFen: 300 } });
  });

  it.each([
    [{ uses: null }, "请填写可用次数"],
    [{ priceFen: 0 }, "请填写售价，须大于 0"],
    [{ kind: "BONUS" }, "请填写赠送金额，须大于 0"],
  ])("%o is refused: %s", async (change, text) => {
    expect((await save(change)).errMsg).toBe(text);
  });

  it("keeps its kind, a unique name, and the concurrent edits of others", async () => {
    const id = await made();
    expect((await save()).errMsg).toBe("已有名为“十次卡”的套餐，请换一个名称");
    expect((await save({ id, editVersion: 1, uses: 12 })).errMsg).toBe("");
    expect((await save({ id, editVersion: 1 })).errMsg).toContain("已在您打开页面之后修改过");
    const period = { id, editVersion: 2, kind: "PERIOD" };
    expect((await save(period)).errMsg).toBe("套餐类型不能更改，请另建一个套餐");
    expect(await get(id)).toMatchObject({ uses: 12, editVersion: 2 });
  });

  it("is listed by side, kind and state", async () => {
    const id = await made();
    const both = await made({ name: "两面", sides: ["DOUBLE", "SINGLE"], isOnSale: false });
    const ids = async (query: object) => (await list(query)).map((sold) => sold.id);
    expect(await ids({ side: "SINGLE" })).toEqual([id, both]);
    expect(await ids({ side: "DOUBLE" })).toEqual([both]);
    expect(await ids({ isOnSale: true })).toEqual([id]);
    expect(await ids({ kind: "PERIOD" })).toEqual([]);
    expect(await ids({ keyword: "十次" })).toEqual([id]);
    expect((await list({ tenantId }, platform)).length).toBe(2);
    expect((await get(both)).sides).toEqual(["SINGLE", "DOUBLE"]);
  });

  it("goes on sale and off sale, once each", async () => {
    const id = await made();
    const put = async (isOnSale: boolean) => {
      const input = { params: { id }, body: { isOnSale } };
      return (await testServer.call(packageContract.putOnSale, operator, input)).errMsg;
    };
    expect(await put(false)).toBe("");
    expect(await put(false)).toContain("已下架");
    await expect(buy(id)).rejects.toMatchObject({ code: "PACKAGE_NOT_ON_SALE" });
    expect(await put(true)).toBe("");
    await buy(id);
  });

  it("leaves its cards valid when deleted, and can no longer be bought", async () => {
    const id = await made();
    await buy(id);
    const reply = await testServer.call(packageContract.delete, operator, { params: { id } });
    expect(reply.errMsg).toBe("");
    expect(await list()).toEqual([]);
    expect(await audit()).toMatchObject({ before: { held: 1 } });
    await expect(buy(id)).rejects.toMatchObject({ code: "PACKAGE_NOT_ON_SALE" });
    expect(await cover(1)).toMatchObject({ coveredFen: 300, usesLeft: 9 });
    expect(await made()).toBeGreaterThan(id);
  });
});

describe("purchase of a card", () => {
  it("deducts principal first, with one balanced journal", async () => {
    const { userPackageId, journalId } = await buy(await made());
    const [wallet] = await write((db) =>
      db.many(
        sql`select principal_fen as p, bonus_fen as b from wallet where end_user_id = ${endUserId}`,
      ),
    );
    expect(wallet).toEqual({ p: 7_500, b: 2_000 });
    const legs = await write((db) =>
      db.many(sql`
        select leg.account, leg.amount_fen as fen from ledger_leg leg
        join ledger_journal journal on journal.tenant_id = leg.tenant_id
          and journal.id = leg.journal_id
        where journal.id = ${journalId} and journal.biz_id = ${String(userPackageId)} order by leg.account`),
    );
    expect(legs).toEqual([
      { account: "PACKAGE_INCOME", fen: 2_500 },
      { account: "WALLET_PRINCIPAL", fen: -2_500 },
    ]);
    expect(await cards()).toMatchObject([
      {
        userName: "张三",
        uses: 10,
        usesLeft: 10,
        state: "ACTIVE",
        phone: expect.stringMatching(/\*{4}/),
      },
    ]);
  });

  it("creates no card when the balance is too low", async () => {
    const id = await made({ priceFen: 12_001 });
    await expect(buy(id)).rejects.toMatchObject({ code: "BALANCE_SHORT" });
    expect(await cards()).toEqual([]);
  });

  it("deducts nothing when the price rose after the person saw it", async () => {
    const id = await made();
    await expect(buy(id, 2_499)).rejects.toMatchObject({ code: "PACKAGE_PRICE_RAISED" });
    expect(await cards()).toEqual([]);
    await buy(id, 2_500);
    expect(await cards()).toHaveLength(1);
  });

  it("at the counter requires a reason, and a repeated request sells once", async () => {
    const packageId = await made();
    const sell = (key: string) =>
      testServer.call(packageContract.sell, operator, {
        body: { packageId, endUserId, agreedFen: 2_500, reason: "到店购买" },
        headers: { "idempotency-key": key },
      });
    const [first, again] = [await sell("one"), await sell("one")];
    expect(first.errMsg).toBe("");
    expect(again.data).toEqual(first.data);
    expect(await cards()).toHaveLength(1);
    expect(await audit()).toMatchObject({ reason: "到店购买", after: { priceFen: 2_500 } });
  });

  it("refuses a top-up package as a card and a card as a top-up", async () => {
    const bonus = await made({ kind: "BONUS", bonusFen: 300, name: "充值" });
    const card = await made();
    await expect(buy(bonus)).rejects.toMatchObject({ code: "PACKAGE_NOT_ON_SALE" });
    const require = (packageId: number) =>
      write((db) => lockBonusPackageOrRefuse(db, { tenantId, packageId }));
    expect(await require(bonus)).toMatchObject({ priceFen: 2_500, bonusFen: 300 });
    await expect(require(card)).rejects.toMatchObject({ code: "PACKAGE_NOT_ON_SALE" });
    const offers = await write((db) => findOffers(db, tenantId));
    expect(offers.map(({ id }) => id)).toEqual([bonus, card]);
  });
});

describe("a card", () => {
  it("pays up to its limit, once per order, and takes its use back", async () => {
    await buy(await made());
    const preview = await write((db) => previewCover(db, request(1, 900)));
    expect(preview).toMatchObject({ coveredFen: 400, usesLeft: 9 });
    expect(await usesLeft()).toBe(10);
    expect(await cover(1, 900)).toEqual(preview);
    expect(await cover(1, 250)).toMatchObject({ coveredFen: 250, usesLeft: 9 });
    expect(await usesLeft()).toBe(9);
    const undo = () => write((db) => undoCover(db, { tenantId, orderId: 1 }));
    expect(await undo()).toMatchObject({ fen: 250 });
    expect(await undo()).toBe(null);
    expect(await usesLeft()).toBe(10);
  });

  it("pays nothing on the other side, for a zero price, or after expiry", async () => {
    await buy(await made());
    const elsewhere = { ...request(1), side: "DOUBLE" as const };
    expect(await write((db) => coverByCard(db, elsewhere))).toBe(null);
    expect(await cover(1, 0)).toBe(null);
    await write((db) =>
      db.run(sql`update user_package set expires_at = now() where tenant_id = ${tenantId}`),
    );
    expect(await cover(1)).toBe(null);
    expect((await cards({ state: "EXPIRED" })).length).toBe(1);
    expect(await cards({ state: "ACTIVE" })).toEqual([]);
  });

  it("stays with the order that took a use in time when it expires later", async () => {
    await buy(await made());
    await cover(1, 200);
    await write((db) =>
      db.run(sql`update user_package set expires_at = now() where tenant_id = ${tenantId}`),
    );
    expect(await cover(1, 300)).toMatchObject({ coveredFen: 300 });
    expect(await cover(2, 300)).toBe(null);
  });

  it("with one use left pays for exactly one of many concurrent orders", async () => {
    await buy(await made({ uses: 1 }));
    const paid = await Promise.all(Array.from({ length: 12 }, (_, nth) => cover(nth + 1)));
    expect(paid.filter((one) => one !== null)).toHaveLength(1);
    expect(await usesLeft()).toBe(0);
    expect(await cards({ state: "USED_UP" })).toMatchObject([{ usedTimes: 1, coveredFen: 300 }]);
    const sums = async (query: object) =>
      (await testServer.call(packageContract.cardSums, operator, { query })).data;
    const priceFen = (await cards())[0]?.priceFen;
    expect(await sums({})).toEqual({ count: 1, priceFen, coveredFen: 300 });
    expect(await sums({ state: "ACTIVE" })).toEqual({ count: 0, priceFen: 0, coveredFen: 0 });
  });

  it("with three uses and another with two pay for five of many concurrent orders", async () => {
    await buy(await made({ uses: 3 }));
    await buy(await made({ uses: 2, name: "两次卡" }));
    const paid = await Promise.all(Array.from({ length: 15 }, (_, nth) => cover(nth + 1)));
    expect(paid.filter((one) => one !== null)).toHaveLength(5);
    expect((await cards()).map((card) => card.usesLeft)).toEqual([0, 0]);
  });
});
