// Tests service periods: date arithmetic, and which cabinets take new orders.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Renewal,
  type RenewalTerms,
  renewPeriod,
  type ServicePeriod,
} from "../../kit/service-period.rules.ts";
import { addDays } from "../../kit/shanghai.rules.ts";
import { LIFECYCLES } from "./cabinet.rules.ts";
import {
  orderRefusal,
  orderRefusalText,
  SERVICE_STATES,
  serviceReminders,
} from "./cabinet-service.rules.ts";

const today = "2026-11-21";
const never = { startsOn: null, endsOn: null };
const running = { startsOn: "2026-01-01", endsOn: "2026-12-31" };
const over = { startsOn: "2025-01-01", endsOn: "2025-12-31" };
const ahead = { startsOn: "2027-01-01", endsOn: "2027-12-31" };

describe("renewPeriod", () => {
  it.each([
    ["opens today", never, { months: 12 }, "OPENED", "2026-11-21", "2027-11-20"],
    [
      "opens on a day",
      never,
      { months: 1, startsOn: "2027-01-01" },
      "OPENED",
      "2027-01-01",
      "2027-01-31",
    ],
    ["extends from its end", running, { months: 12 }, "RENEWED", "2026-01-01", "2027-12-31"],
    ["extends to a day", running, { endsOn: "2027-06-30" }, "RENEWED", "2026-01-01", "2027-06-30"],
    ["starts anew today", over, { months: 3 }, "RENEWED", "2026-11-21", "2027-02-20"],
    ["extends what is ahead", ahead, { months: 6 }, "RENEWED", "2027-01-01", "2028-06-30"],
    [
      "moves what is ahead",
      ahead,
      { months: 6, startsOn: "2026-12-01" },
      "ADJUSTED",
      "2026-12-01",
      "2027-05-31",
    ],
    ["shortens", running, { endsOn: today }, "ADJUSTED", "2026-01-01", today],
  ] as const)("%s", (_, period, request, action, startsOn, endsOn) => {
    expect(renewPeriod(period, request, today)).toEqual({ action, startsOn, endsOn });
  });

  it("keeps the last day of a month and does not drift", () => {
    const jan = { startsOn: "2027-01-01", endsOn: "2027-01-31" };
    expect(renewPeriod(jan, { months: 1 }, "2027-01-10")).toMatchObject({ endsOn: "2027-02-28" });
    const feb = { startsOn: "2027-01-01", endsOn: "2027-02-28" };
    expect(renewPeriod(feb, { months: 1 }, "2027-01-10")).toMatchObject({ endsOn: "2027-03-31" });
    const leap = { startsOn: "2027-01-01", endsOn: "2028-01-30" };
    expect(renewPeriod(leap, { months: 1 }, "2027-01-10")).toMatchObject({ endsOn: "2028-02-28" });
  });

  it("month by month ends on the same day as all months at once, whatever day it began on", () => {
    const day = fc.integer({ min: 0, max: 3_000 }).map((days) => addDays("2027-01-01", days));
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 30 }), (startsOn, months) => {
        const renew = (period: ServicePeriod, terms: RenewalTerms) =>
          renewPeriod(period, terms, startsOn) as Renewal;
        let period: ServicePeriod = never;
        for (let month = 0; month < months; month += 1) period = renew(period, { months: 1 });
        expect(period.endsOn).toBe(renew(never, { months }).endsOn);
      }),
    );
  });

  it.each([
    ["RUNNING", running, { months: 1, startsOn: "2026-12-01" }],
    ["ENDS_IN_PAST", running, { endsOn: "2026-11-20" }],
    ["ENDS_BEFORE_START", never, { endsOn: "2026-12-01", startsOn: "2027-01-01" }],
    ["UNCHANGED", running, { endsOn: "2026-12-31" }],
  ] as const)("refuses: %s", (problem, period, request) => {
    expect(renewPeriod(period, request, today)).toBe(problem);
  });

  it("adding months never shortens a period or ends before its start", () => {
    const day = fc
      .integer({ min: 0, max: 4000 })
      .map((days) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10));
    const period = fc.option(
      fc.tuple(day, day).map((days) => {
        const [startsOn = "", endsOn = ""] = days.toSorted();
        return { startsOn, endsOn };
      }),
      { nil: never },
    );
    fc.assert(
      fc.property(period, fc.integer({ min: 1, max: 120 }), day, (before, months, now) => {
        const request: RenewalTerms = { months };
        const after = renewPeriod(before, request, now);
        if (typeof after === "string") throw new Error(after);
        expect(after.startsOn <= after.endsOn && after.endsOn >= now).toBe(true);
        expect(after.endsOn > (before.endsOn ?? "")).toBe(true);
      }),
    );
  });
});

describe("orderRefusal", () => {
  it("accepts orders only while ACTIVE with a service that is not over", () => {
    const taking = LIFECYCLES.flatMap((lifecycle) =>
      SERVICE_STATES.filter(
        (state) => orderRefusal({ lifecycle, service: { state } }) === null,
      ).map((state) => `${lifecycle} ${state}`),
    );
    expect(taking).toEqual(["ACTIVE UNSET", "ACTIVE ACTIVE", "ACTIVE EXPIRING"]);
  });

  it("names the reason and its remedy, the operator's own reason first", () => {
    const refusalOf = (lifecycle: "ACTIVE" | "PAUSED", state: "STOPPED" | "EXPIRED" | "PENDING") =>
      orderRefusal({ lifecycle, service: { state } });
    expect(refusalOf("PAUSED", "STOPPED")).toBe("PAUSED");
    const refusal = refusalOf("ACTIVE", "STOPPED");
    expect(refusal && orderRefusalText[refusal]).toEqual({
      why: "服务已停止",
      mend: "联系平台恢复服务",
    });
    expect(refusalOf("ACTIVE", "EXPIRED")).toBe("SERVICE_EXPIRED");
    expect(refusalOf("ACTIVE", "PENDING")).toBe("SERVICE_PENDING");
  });
});

describe("serviceReminders", () => {
  it("lists only counts above zero", () => {
    expect(serviceReminders({ expiring: 0, expired: 0, stopped: 0 })).toEqual([]);
    expect(serviceReminders({ expiring: 2, expired: 0, stopped: 1 })).toEqual([
      { state: "EXPIRING", text: "2 台在 30 天内到期" },
      { state: "STOPPED", text: "1 台已停止服务，不接新单" },
    ]);
  });
});
