// Tests renewals of a tenant and the obstacles to its deletion.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../../kit/shanghai.rules.ts";
import {
  isWithholdable,
  remainsText,
  renewTenant,
  type TenantRemains,
  type TenantTerm,
} from "./tenancy.rules.ts";

const today = "2026-11-21";

const endingOn = (expiresOn: string | null): TenantTerm => ({ expiresOn, expiryDate: null });

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
    expect(renewTenant(endingOn(expiresOn), request, today)).toMatchObject({ expiresOn: expected });
  });

  /** Last days after one renewal after the other. */
  function endsAfter(
    term: TenantTerm,
    requests: readonly (number | string)[],
    now = today,
  ): string[] {
    let last = term;
    return requests.map((request) => {
      const terms = typeof request === "number" ? { months: request } : { endsOn: request };
      const renewal = renewTenant(last, terms, now);
      if ("problem" in renewal) throw new Error(renewal.problem);
      last = renewal;
      return renewal.expiresOn;
    });
  }

  it.each<[string, (number | string)[], string[]]>([
    ["2027-01-31", [1, 1, 1], ["2027-02-28", "2027-03-31", "2027-04-30"]],
    ["2027-01-29", [1, 1], ["2027-02-28", "2027-03-29"]],
    ["2028-01-30", [1, 1], ["2028-02-29", "2028-03-30"]],
    ["2028-02-29", [12, 12, 12, 12], ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
    ["2027-08-31", [6, 12, 1], ["2028-02-29", "2029-02-28", "2029-03-31"]],
    // Set by hand: the new day counts from then on, also the last one of a short month.
    ["2027-01-31", [1, "2027-05-15", 1], ["2027-02-28", "2027-05-15", "2027-06-15"]],
    ["2027-01-31", ["2027-02-28", 1], ["2027-02-28", "2027-03-28"]],
  ])("%s by %j ends on %j", (expiresOn, requests, expected) => {
    expect(endsAfter(endingOn(expiresOn), requests)).toEqual(expected);
  });

  it("of an expired term begins anew today, with the day of the month of its new end", () => {
    const over = { expiresOn: "2026-10-31", expiryDate: 31 };
    expect(endsAfter(over, [1, 1])).toEqual(["2026-12-20", "2027-01-20"]);
    expect(endsAfter(over, [1, 1, 1], "2027-01-31")).toEqual([
      ...["2027-02-28", "2027-03-30", "2027-04-30"],
    ]);
    expect(endsAfter(over, [1, 1], "2027-03-01")).toEqual(["2027-03-31", "2027-04-30"]);
  });

  it("ignores a day of the month that the end contradicts", () => {
    expect(endsAfter({ expiresOn: "2027-05-10", expiryDate: 31 }, [1])).toEqual(["2027-06-10"]);
  });

  it("month by month ends on the same day as all months at once", () => {
    const offset = fc.option(fc.integer({ min: -400, max: 2_000 }));
    fc.assert(
      fc.property(offset, fc.integer({ min: 1, max: 30 }), fc.nat(800), (days, months, later) => {
        const now = addDays(today, later);
        const term = endingOn(days === null ? null : addDays(now, days));
        const each = Array.from({ length: months }, () => 1);
        expect(endsAfter(term, each, now).at(-1)).toBe(endsAfter(term, [months], now)[0]);
      }),
    );
  });

  it("refuses with a remedy", () => {
    expect(renewTenant(endingOn("2026-12-31"), { endsOn: "2026-11-20" }, today)).toEqual({
      problem: "到期日不能早于今天；要立即关闭请用“停用”",
    });
    expect(renewTenant(endingOn("2026-12-31"), { endsOn: "2026-12-31" }, today)).toEqual({
      problem: "到期日没有变化，请另选一天",
    });
    const over = endingOn("2020-01-31");
    expect(renewTenant(over, { endsOn: "2026-11-20" }, today)).toHaveProperty("problem");
  });

  it("by months never shortens a term and ends after today", () => {
    const days = fc.integer({ min: -2_000, max: 2_000 });
    fc.assert(
      fc.property(fc.option(days), fc.integer({ min: 1, max: 120 }), (offset, months) => {
        const expiresOn = offset === null ? null : addDays(today, offset);
        const renewal = renewTenant(endingOn(expiresOn), { months }, today);
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
