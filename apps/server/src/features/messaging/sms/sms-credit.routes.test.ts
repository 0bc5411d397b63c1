// SMS credit of tenants: recharged and reversed by the platform only, spent once per message.
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anyPhone } from "../../../../../../tests/support/orders.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { queueSms } from "./index.ts";
import { holdSmsCredit, postSmsCredit, releaseSmsCredit } from "./sms-credit.service.ts";

const testServer = useTestServer();
const { info, infoOf, records, recordSums, recordsOf, recharge, reverse } = smsCreditContract;
let platform: Person;
let staff: Person;
let tenantId: number;

beforeAll(async () => {
  platform = (await testServer.makeTenant(1)).people[0];
});
beforeEach(async () => {
  staff = (await testServer.makeTenant()).people[1];
  tenantId = staff.tenantId;
});

const buy = (segments: number, amountFen = segments * 5, rest: object = {}) =>
  testServer.call(recharge, platform, {
    body: { tenantId, segments, amountFen, reason: "合同 2026-11" },
    ...rest,
  });
const takeBack = (id: number) =>
  testServer.call(reverse, platform, { params: { id }, body: { reason: "充错租户" } });
const account = async () => (await testServer.call(info, staff)).data;

/** A message in the outbox; returns its id. */
const write = () =>
  testServer.database.transaction({ tenantId }, (db) =>
    queueSms(db, {
      tenantId,
      phone: anyPhone(),
      scene: "OVERDUE",
      text: "请尽快取出",
    }),
  );
const within = <T>(work: Parameters<typeof testServer.database.transaction<T>>[1]) =>
  testServer.database.transaction({ tenantId }, work);

describe("recharge", () => {
  it("credits the tenant, keeps the record, and audits the operator", async () => {
    expect(await account()).toMatchObject({ left: 0, held: 0, rechargedSegments: 0 });
    expect((await buy(1_000, 4_500)).data).toMatchObject({ left: 1_000 });
    expect((await buy(500, 0)).data).toMatchObject({ left: 1_500 });
    expect(await account()).toMatchObject({
      left: 1_500,
      rechargedSegments: 1_500,
      rechargedFen: 4_500,
      usedSegments: 0,
    });
    const mine = await testServer.call(records, staff, { query: {} });
    expect(mine.data.list).toMatchObject([
      { segments: 500, amountFen: 0, balanceAfter: 1_500, reversesId: null },
      { segments: 1_000, amountFen: 4_500, balanceAfter: 1_000, reason: "合同 2026-11" },
    ]);
    const of = await testServer.call(recordsOf, platform, { params: { tenantId }, query: {} });
    expect(of.data.list).toHaveLength(2);
    expect((await testServer.call(infoOf, platform, { params: { tenantId } })).data.left).toBe(
      1_500,
    );
    const entry = await testServer.database.read("platform", (db) =>
      db.one<{ target: string; reason: string }>(sql`
        select target, reason from audit_log
        where tenant_id = ${tenantId} order by id desc limit 1`),
    );
    expect(entry.target).toContain("500 条");
    expect(entry.reason).toBe("合同 2026-11");
  });

  it("a repeated request applies once", async () => {
    const headers = { "idempotency-key": `recharge-${tenantId}` };
    const answers = await Promise.all(Array.from({ length: 12 }, () => buy(100, 500, { headers })));
    for (const answer of answers) expect(answer).toMatchObject({ code: 0, data: { left: 100 } });
    expect(await account()).toMatchObject({ left: 100 });
  });

  it("concurrent recharges add up", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => buy(10)));
    const lefts = answers.map(({ data }) => data.left).sort((a, b) => a - b);
    expect(lefts).toEqual(Array.from({ length: 12 }, (_, index) => (index + 1) * 10));
  });

  it("platform only", async () => {
    for (const userType of [0, 1, 2] as const) {
      const person = (await testServer.makeTenant()).people[userType];
      const body = { tenantId: person.tenantId, segments: 10, amountFen: 0, reason: "自己充" };
      expect(await testServer.call(recharge, person, { body })).toMatchObject({ status: 403 });
    }
  });

  it("a tenant's own transaction cannot write it", async () => {
    const write = within((db) =>
      db.run(sql`
        insert into sms_recharge (tenant_id, segments, amount_fen, reason, actor_name)
        values (${tenantId}, 1000, 0, '自己充', '某人')`),
    );
    await expect(write).rejects.toThrow("permission denied");
  });

  it.each([
    [{ segments: 0 }, "充值条数"],
    [{ segments: 1.5 }, "充值条数"],
    [{ segments: 1_000_001 }, "充值条数"],
    [{ amountFen: -1 }, "充值金额"],
    [{ reason: " " }, "原因"],
    [{ tenantId: 999_999 }, "租户"],
  ])("refuses %j with the reason", async (change, text) => {
    const body = { tenantId, segments: 10, amountFen: 0, reason: "合同", ...change };
    const reply = await testServer.call(recharge, platform, { body });
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
    expect(await account()).toMatchObject({ left: 0 });
  });
});

describe("reversal", () => {
  it("reverses a whole recharge once", async () => {
    const { id } = (await buy(1_000, 4_500)).data;
    await buy(200);
    const answers = await Promise.all([takeBack(id), takeBack(id), takeBack(id)]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await account()).toMatchObject({ left: 200, rechargedSegments: 200 });
    const { list } = (await testServer.call(records, staff, { query: {} })).data;
    expect(list.map(({ segments }) => segments)).toEqual([-1_000, 200, 1_000]);
    expect(list[0]).toMatchObject({ reversesId: id, amountFen: -4_500, balanceAfter: 200 });
    expect(list[2]?.reversedById).toBe(list[0]?.id);
    expect(await takeBack(list[0]?.id ?? 0)).toMatchObject({ code: 1 });
    const sums = async (query: object, as = staff) =>
      (await testServer.call(recordSums, as, { query })).data;
    expect(await sums({})).toEqual({ count: 3, segments: 200, amountFen: 1_000 });
    expect(await sums({ kind: "RECHARGE" })).toMatchObject({ count: 2, amountFen: 5_500 });
    expect(await sums({ tenantId }, platform)).toMatchObject({ count: 3 });
    const other = (await testServer.makeTenant()).people[1];
    expect(await sums({ tenantId }, other)).toMatchObject({ count: 0, segments: 0 });
  });

  it("refuses to reverse spent or held credit", async () => {
    const { id } = (await buy(2)).data;
    const smsId = await write();
    expect(await within((db) => holdSmsCredit(db, { tenantId, smsId, segments: 1 }))).toBe(true);
    expect(await takeBack(id)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("只剩 1 条可用"),
    });
    await within((db) => releaseSmsCredit(db, { tenantId, smsId }));
    expect(await takeBack(id)).toMatchObject({ code: 0, data: { left: 0 } });
  });
});

describe("credit of a message", () => {
  it("held, then spent once or released, and shown as such", async () => {
    await buy(10);
    const [one, two] = [await write(), await write()];
    await within((db) => holdSmsCredit(db, { tenantId, smsId: one, segments: 2 }));
    await within((db) => holdSmsCredit(db, { tenantId, smsId: one, segments: 2 }));
    await within((db) => holdSmsCredit(db, { tenantId, smsId: two, segments: 3 }));
    expect(await account()).toMatchObject({ left: 5, held: 5, writtenLately: 2 });
    for (const _ of [1, 2]) {
      expect(await within((db) => postSmsCredit(db, { tenantId, smsId: one }))).toBe(true);
      expect(await within((db) => releaseSmsCredit(db, { tenantId, smsId: two }))).toBe(true);
    }
    expect(await within((db) => releaseSmsCredit(db, { tenantId, smsId: one }))).toBe(false);
    expect(await within((db) => postSmsCredit(db, { tenantId, smsId: two }))).toBe(false);
    expect(await account()).toMatchObject({ left: 8, held: 0, usedSegments: 2, usedLately: 2 });
    // Resent after a failure.
    expect(await within((db) => holdSmsCredit(db, { tenantId, smsId: two, segments: 3 }))).toBe(
      true,
    );
    expect(await within((db) => postSmsCredit(db, { tenantId, smsId: two }))).toBe(true);
    expect(await account()).toMatchObject({ left: 5, usedSegments: 5 });
  });

  it("concurrent holds never exceed the credit", async () => {
    await buy(5);
    const ids = await Promise.all(Array.from({ length: 12 }, write));
    const held = await Promise.all(
      ids.map((smsId) => within((db) => holdSmsCredit(db, { tenantId, smsId, segments: 1 }))),
    );
    expect(held.filter(Boolean)).toHaveLength(5);
    expect(await account()).toMatchObject({ left: 0, held: 5 });
  });

  it("entries are immutable", async () => {
    await buy(5);
    const change = within((db) =>
      db.run(sql`update sms_credit_entry set segments = 50 where tenant_id = ${tenantId}`),
    );
    await expect(change).rejects.toThrow("permission denied");
    const remove = within((db) =>
      db.run(sql`delete from sms_credit_entry where tenant_id = ${tenantId}`),
    );
    await expect(remove).rejects.toThrow("permission denied");
  });
});

/** Promise M6: random work in concurrent groups, checked against a model. */
it("sms credit: random concurrent work matches a model", async () => {
  type Action = { do: "hold" | "post" | "release"; message: number; segments: number };
  const action: fc.Arbitrary<Action> = fc.record({
    do: fc.constantFrom("hold", "post", "release"),
    message: fc.integer({ min: 0, max: 5 }),
    segments: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.uniqueArray(action, { selector: ({ message }) => message, maxLength: 6 }), {
        maxLength: 8,
      }),
      async (bought, groups) => {
        staff = (await testServer.makeTenant()).people[1];
        tenantId = staff.tenantId;
        await buy(bought);
        const ids = await Promise.all(Array.from({ length: 6 }, write));
        /** Expected hold of each message. */
        const model = new Map<
          number,
          { state: "HELD" | "POSTED" | "RELEASED"; segments: number }
        >();
        const sum = (state: string) =>
          [...model.values()].reduce((all, m) => all + (m.state === state ? m.segments : 0), 0);
        for (const group of groups) {
          const outcomes = await Promise.all(
            group.map(({ do: what, message, segments }) => {
              const key = { tenantId, smsId: ids[message] ?? 0 };
              const isKnown = model.has(message);
              if (what === "hold") return within((db) => holdSmsCredit(db, { ...key, segments }));
              if (!isKnown) return Promise.resolve(false);
              const act = what === "post" ? postSmsCredit : releaseSmsCredit;
              return within((db) => act(db, key));
            }),
          );
          for (const [index, { do: what, message, segments }] of group.entries()) {
            const known = model.get(message);
            const isDone = outcomes[index];
            if (what === "hold") {
              if (known && known.state !== "RELEASED") expect(isDone).toBe(true);
              else if (isDone) model.set(message, { state: "HELD", segments });
            } else if (known) {
              const target = what === "post" ? "POSTED" : "RELEASED";
              expect(isDone).toBe(known.state === "HELD" || known.state === target);
              if (known.state === "HELD") known.state = target;
            }
          }
          const seen = await account();
          expect(seen.held).toBe(sum("HELD"));
          expect(seen.usedSegments).toBe(sum("POSTED"));
          expect(seen.left).toBe(bought - sum("HELD") - sum("POSTED"));
          expect(seen.left).toBeGreaterThanOrEqual(0);
        }
        const kept = await testServer.database.read({ tenantId }, (db) =>
          db.one<{ balance: number; total: number; last: number }>(sql`
            select account.balance, (
                select sum(segments)::bigint from sms_credit_entry
                where tenant_id = account.tenant_id
              ) as total, (
                select balance_after from sms_credit_entry
                where tenant_id = account.tenant_id order by id desc limit 1) as last
            from sms_account account where account.tenant_id = ${tenantId}`),
        );
        expect(kept.total).toBe(kept.balance);
        expect(kept.last).toBe(kept.balance);
      },
    ),
    { numRuns: 25 },
  );
});
