// Tests packages: what a card covers, which card is chosen, when it ends, which terms are valid.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Card,
  cardState,
  chooseCard,
  coverOf,
  type PackageTerms,
  packageProblem,
  tidyTerms,
} from "./package.rules.ts";

const now = Date.parse("2026-11-21T00:00:00Z");
const card: Card = {
  id: 1,
  kind: "USES",
  sides: ["SINGLE"],
  usesLeft: 3,
  coverLimitFen: null,
  expiresAt: now + 1,
};
const at = { side: "SINGLE", fen: 500, now } as const;

describe("card", () => {
  it.each<[Partial<Card>, string]>([
    [{}, "ACTIVE"],
    [{ usesLeft: null }, "ACTIVE"],
    [{ usesLeft: 0 }, "USED_UP"],
    [{ expiresAt: now }, "EXPIRED"],
    [{ usesLeft: 0, expiresAt: now }, "USED_UP"],
  ])("%o is %s", (change, state) => expect(cardState({ ...card, ...change }, now)).toBe(state));

  it("covers at most its limit", () => {
    expect(coverOf({ coverLimitFen: 300 }, 500)).toBe(300);
    expect(coverOf({ coverLimitFen: 300 }, 200)).toBe(200);
    expect(coverOf({ coverLimitFen: null }, 500)).toBe(500);
  });
});

describe("chooseCard", () => {
  const chosen = (cards: Card[], fen = 500) => chooseCard(cards, { ...at, fen })?.id ?? null;
  it.each<[string, Partial<Card>[], number | null]>([
    ["the one that pays most", [{ coverLimitFen: 300 }, { id: 2 }], 2],
    ["one that loses no use", [{}, { id: 2, usesLeft: null }], 2],
    ["the one that expires first", [{ expiresAt: now + 9 }, { id: 2 }], 2],
    ["none of the other side", [{ sides: ["DOUBLE"] }], null],
    ["none that is used up", [{ usesLeft: 0 }], null],
    ["none that is expired", [{ expiresAt: now }], null],
  ])("is %s", (_, changes, id) =>
    expect(chosen(changes.map((change) => ({ ...card, ...change })))).toBe(id),
  );

  it("chooses none when nothing is owed", () => expect(chosen([card], 0)).toBe(null));

  const anyCard = fc.record({
    id: fc.integer({ min: 1, max: 99 }),
    kind: fc.constantFrom("USES" as const, "PERIOD" as const),
    sides: fc.constantFrom(["SINGLE"] as const, ["DOUBLE"] as const, ["SINGLE", "DOUBLE"] as const),
    usesLeft: fc.option(fc.integer({ min: 0, max: 3 })),
    coverLimitFen: fc.option(fc.integer({ min: 1, max: 900 })),
    expiresAt: fc.integer({ min: now - 5, max: now + 5 }),
  });
  it("chooses a usable card, and no other card covers more", () => {
    fc.assert(
      fc.property(fc.array(anyCard, { maxLength: 6 }), (cards) => {
        const found = chooseCard(cards, at);
        const usable = cards.filter(
          (one) => one.sides.some((side) => side === "SINGLE") && cardState(one, now) === "ACTIVE",
        );
        if (!found) return usable.length === 0;
        const most = Math.max(...usable.map((one) => coverOf(one, at.fen)));
        return usable.includes(found) && coverOf(found, at.fen) === most;
      }),
    );
  });
});

describe("package terms", () => {
  const terms: PackageTerms = {
    kind: "USES",
    priceFen: 3_800,
    bonusFen: 0,
    uses: 10,
    validDays: 60,
    coverLimitFen: null,
    sides: ["SINGLE"],
  };
  it.each<[Partial<PackageTerms>, string | null]>([
    [{}, null],
    [{ kind: "PERIOD", uses: null }, null],
    [{ kind: "BONUS", bonusFen: 500, uses: null, validDays: null }, null],
    [{ sides: [] }, "请选择适用设备"],
    [{ priceFen: 0 }, "请填写售价，须大于 0"],
    [{ kind: "BONUS", priceFen: 0 }, "请填写充值金额，须大于 0"],
    [{ kind: "BONUS" }, "请填写赠送金额，须大于 0"],
    [{ validDays: null }, "请填写有效天数"],
    [{ uses: null }, "请填写可用次数"],
    [{ coverLimitFen: 0 }, "单次最多抵扣须大于 0，不限请留空"],
  ])("%o: %s", (change, problem) => expect(packageProblem({ ...terms, ...change })).toBe(problem));

  it("tidyTerms keeps only the fields of the kind", () => {
    const all = { ...terms, bonusFen: 5, coverLimitFen: 600 };
    expect(tidyTerms({ ...all, kind: "BONUS" })).toMatchObject({
      ...{ bonusFen: 5, uses: null, validDays: null, coverLimitFen: null },
    });
    expect(tidyTerms(all)).toMatchObject({ bonusFen: 0, uses: 10, coverLimitFen: 600 });
    expect(tidyTerms({ ...all, kind: "PERIOD" })).toMatchObject({ uses: null, validDays: 60 });
  });
});
