// Tests renewals of a tenant and the obstacles to its deletion.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithholdable, remainsText, renewTenant, type TenantRemains } from "./tenancy.rules.ts";

const today = "2026-11-21";

describe("renewing", () => {
  it.each([
    ["2026-12-31", { months: 12 }, "2027-12-31"],
    ["2026-11-21", { months: 1 }, "2026-12-21"],
    ["2026-11-20", { months: 1 }, "2026-12-20"],
    ["2020-01-01", { months: 12 }, "2027-11-20"],
    [null, { months: 3 }, "2027-02-20"],
    ["2026-12-31", { endsOn: "2026-11-21" }, "2026-11-21"],
    [null, { endsOn: "2027-01-31" }, "2027-01-31"],
  ])("%s by %j is %s", (expiresOn, request, expected) => {
    expect(renewTenant(expiresOn, request, today)).toEqual({ expiresOn: expected });
  });

  it("refuses with a remedy", () => {
    expect(renewTenant("2026-12-31", { endsOn: "2026-11-20" }, today)).toEqual({
      problem: "到期日不能早于今天；要立即关闭请用“停用”",
    });
    expect(renewTenant("2026-12-31", { endsOn: "2026-12-31" }, today)).toEqual({
      problem: "到期日没有变化，请另选一天",
    });
    expect(renewTenant("2020-01-31", { endsOn: "2026-11-20" }, today)).toHaveProperty("problem");
  });

  it("by months never shortens a term and ends after today", () => {
    const days = fc.integer({ min: -2_000, max: 2_000 });
    fc.assert(
      fc.property(fc.option(days), fc.integer({ min: 1, max: 120 }), (offset, months) => {
        const expiresOn =
          offset === null
            ? null
            : new Date(Date.parse(today) + offset * 86_400_000).toISOString().slice(0, 10);
        const renewal = renewTenant(expiresOn, { months }, today);
        if (!("expiresOn" in renewal)) throw new Error(renewal.problem);
        expect(renewal.expiresOn > today).toBe(true);
        if (expiresOn !== null) expect(renewal.expiresOn > expiresOn).toBe(true);
      }),
    );
  });
});

describe("remainsText", () => {
  const nothing: TenantRemains = {
    ...{ cabinets: 0, liveOrders: 0, walletUsers: 0, walletFen: 0, heldFen: 0, cards: 0 },
    ...{ unpaidOrders: 0, unpaidFen: 0, topUps: 0, refunds: 0, differences: 0 },
  };

  it("names each figure with its remedy", () => {
    expect(remainsText(nothing)).toEqual([]);
    const wallets = { walletUsers: 2, walletFen: 123_450, heldFen: 300 };
    expect(remainsText({ ...nothing, cabinets: 3, ...wallets })).toEqual([
      "3 台设备（先收回或停用）",
      "2 位用户的钱包余额共 ¥1,234.50，其中冻结 ¥3.00（先退款）",
    ]);
  });

  it("has a sentence for every figure", () => {
    const listed = Object.keys(nothing).filter(
      (name) => !["walletUsers", "heldFen", "unpaidFen"].includes(name),
    );
    for (const name of listed) expect(remainsText({ ...nothing, [name]: 1 }), name).toHaveLength(1);
  });
});

it("isWithholdable: excludes home, personal and platform pages", () => {
  expect(
    ["/dashboard", "/settings/index", "/register/index", "/set/power"].filter(isWithholdable),
  ).toEqual([]);
  expect(["/largeScreen", "/set/role", "/cupboard/index:open"].every(isWithholdable)).toBe(true);
});
