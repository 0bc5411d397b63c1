// Stock audit: visits every compartment and submits exactly the findings.
import {
  type Compartment,
  compartmentContract,
} from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  isContradictory,
  occupancyAsFound,
  STOCK_FINDINGS,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import { ITEM_STATES, OCCUPANCIES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import fc from "fast-check";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import {
  beside,
  correctionText,
  type Findings,
  handedIn,
  marksOf,
  nextUnrecorded,
  noFinding,
  tallyOf,
  withFinding,
} from "./stock-audit.rules.ts";

const cell: Compartment = {
  no: 1,
  size: "S",
  column: 1,
  row: 1,
  rowSpan: 1,
  boardAddress: "01-01",
  adminState: "ENABLED",
  adminReason: null,
  occupancy: "FREE",
  occupiedSince: null,
  doorFront: "CLOSED",
  doorBack: null,
  item: "UNKNOWN",
  unavailableReason: null,
  order: null,
};

const anyCells = fc
  .array(
    fc.record({
      occupancy: fc.constantFrom(...OCCUPANCIES),
      item: fc.constantFrom(...ITEM_STATES),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((facts) => facts.map((fact, index) => ({ ...cell, ...fact, no: index * 2 + 1 })));

const anyFinding = fc.record({
  found: fc.constantFrom(...STOCK_FINDINGS, null),
  correct: fc.boolean(),
  note: fc.constantFrom("", "  ", "箱内有水渍"),
});

const anyAudit = anyCells.chain((cells) =>
  fc.array(anyFinding, { minLength: cells.length, maxLength: cells.length }).map((all) => ({
    cells,
    findings: new Map(cells.map(({ no }, index) => [no, all[index] ?? noFinding])),
  })),
);

describe("order of the compartments", () => {
  it("visits every compartment once, then ends", () => {
    fc.assert(
      fc.property(anyCells, fc.nat(), (cells, start) => {
        let findings: Findings = new Map();
        let no = cells[start % cells.length]?.no ?? null;
        const visited: number[] = [];
        while (no !== null) {
          visited.push(no);
          findings = withFinding(findings, no, { found: "EMPTY" });
          no = nextUnrecorded(cells, findings, no);
        }
        expect(visited.toSorted((a, b) => a - b)).toEqual(cells.map((of) => of.no));
      }),
    );
  });

  it("stops at the first and last number", () => {
    const cells = [1, 2, 3].map((no) => ({ ...cell, no }));
    expect([beside(cells, 1, -1), beside(cells, 1, 1), beside(cells, 3, 1)]).toEqual([1, 2, 3]);
  });
});

describe("submission", () => {
  it("contains the recorded findings in the format of the call, with corrections only for contradictions", () => {
    const schema = compartmentContract.saveStockAudit.body.properties.findings;
    fc.assert(
      fc.property(anyAudit, ({ cells, findings }) => {
        const list = handedIn(cells, findings);
        const tally = tallyOf(cells, findings);
        expect(list.length).toBe(tally.recorded);
        expect(list.filter((finding) => finding.correct).length).toBe(tally.corrected);
        expect(list.filter((finding) => finding.found === "SKIPPED").length).toBe(tally.skipped);
        expect(list.every((finding) => finding.note !== "")).toBe(true);
        if (list.length > 0) expect(Value.Check(schema, list)).toBe(true);
      }),
    );
  });

  it("describes what each correction changes", () => {
    fc.assert(
      fc.property(anyAudit, ({ cells, findings }) => {
        for (const of of tallyOf(cells, findings).contradictory) {
          const found = findings.get(of.no)?.found;
          if (found !== "EMPTY" && found !== "PRESENT") continue;
          expect(correctionText(of, found)).not.toBe("");
          const after = { ...of, occupancy: occupancyAsFound(of.occupancy, found), item: found };
          expect(isContradictory(after)).toBe(false);
        }
      }),
    );
    const stored: Compartment = { ...cell, occupancy: "OCCUPIED", item: "PRESENT" };
    expect(correctionText(stored, "EMPTY")).toBe("系统记录 占用 → 空闲；物品状态 有物 → 无物");
  });
});

it("marks the recorded findings on the doors", () => {
  const cells: Compartment[] = [
    { ...cell, no: 1 },
    { ...cell, no: 2, occupancy: "OCCUPIED" },
    { ...cell, no: 3 },
    { ...cell, no: 4 },
  ];
  let findings: Findings = new Map();
  findings = withFinding(findings, 1, { found: "EMPTY" });
  findings = withFinding(findings, 2, { found: "EMPTY", correct: true });
  findings = withFinding(findings, 3, { found: "SKIPPED" });
  findings = withFinding(findings, 4, { note: "锁有异响" });
  expect([...marksOf(cells, findings)].map(([no, { text }]) => [no, text])).toEqual([
    [1, "无物 ✓"],
    [2, "无物 · 更正"],
    [3, "跳过"],
  ]);
});
