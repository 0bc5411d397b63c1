// Rules of 盘点: findings, contradictions, next compartment, submission.
import type {
  Compartment,
  compartmentContract,
} from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  contradictsFinding,
  occupancyAsFound,
  type StockFinding,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { itemStateText, occupancyText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Mark } from "../board.rules.ts";

export const findingText: Record<StockFinding, string> = {
  EMPTY: "无物",
  PRESENT: "有物",
  SKIPPED: "跳过",
};

/** Number keys, in the order of the buttons. */
export const findingKeys: Record<string, StockFinding> = {
  "1": "EMPTY",
  "2": "PRESENT",
  "3": "SKIPPED",
};

export interface Finding {
  /** Null while there is only a note. */
  found: StockFinding | null;
  /** Correct records and sensor to the finding; applies only if they differ. */
  correct: boolean;
  note: string;
}

export type Findings = ReadonlyMap<number, Finding>;

export const noFinding: Finding = { found: null, correct: false, note: "" };

export function withFinding(findings: Findings, no: number, change: Partial<Finding>): Findings {
  return new Map(findings).set(no, { ...(findings.get(no) ?? noFinding), ...change });
}

export function differs(cell: Compartment, finding: Finding | undefined): boolean {
  return !!finding?.found && contradictsFinding(cell, finding.found);
}

/** Next compartment without a finding after `from`, wrapping around at the end. */
export function nextUnrecorded(
  cells: readonly Compartment[],
  findings: Findings,
  from: number,
): number | null {
  const index = cells.findIndex((cell) => cell.no === from);
  const ahead = [...cells.slice(index + 1), ...cells.slice(0, index + 1)];
  return ahead.find((cell) => !findings.get(cell.no)?.found)?.no ?? null;
}

/** Neighbouring compartment by number; at the ends, the same one. */
export function beside(cells: readonly Compartment[], no: number, step: 1 | -1): number {
  const index = cells.findIndex((cell) => cell.no === no);
  return cells[index + step]?.no ?? no;
}

export interface Tally {
  total: number;
  recorded: number;
  skipped: number;
  contradictory: Compartment[];
  corrected: number;
}

export function tallyOf(cells: readonly Compartment[], findings: Findings): Tally {
  const recorded = cells.filter((cell) => findings.get(cell.no)?.found);
  const contradictory = recorded.filter((cell) => differs(cell, findings.get(cell.no)));
  return {
    total: cells.length,
    recorded: recorded.length,
    skipped: recorded.filter((cell) => findings.get(cell.no)?.found === "SKIPPED").length,
    contradictory,
    corrected: contradictory.filter((cell) => findings.get(cell.no)?.correct).length,
  };
}

/** Describes a correction: `系统记录 占用 → 空闲；物品状态 有物 → 无物`. */
export function correctionText(cell: Compartment, found: StockFinding): string {
  if (found === "SKIPPED") return "";
  const occupancy = occupancyAsFound(cell.occupancy, found);
  const changes: string[] = [];
  if (occupancy !== cell.occupancy) {
    changes.push(`系统记录 ${occupancyText[cell.occupancy]} → ${occupancyText[occupancy]}`);
  }
  if (cell.item !== found) {
    changes.push(`物品状态 ${itemStateText[cell.item]} → ${itemStateText[found]}`);
  }
  return changes.join("；");
}

type Body = Input<typeof compartmentContract.saveStockAudit>["body"];

/** Recorded findings in the format of the call; `correct` only where finding and system differ. */
export function handedIn(cells: readonly Compartment[], findings: Findings): Body["findings"] {
  return cells.flatMap((cell) => {
    const finding = findings.get(cell.no);
    if (!finding?.found) return [];
    const note = finding.note.trim();
    return [
      {
        no: cell.no,
        found: finding.found,
        correct: finding.correct && differs(cell, finding),
        ...(note && { note }),
      },
    ];
  });
}

/** Texts on the doors during the audit. */
export function marksOf(
  cells: readonly Compartment[],
  findings: Findings,
): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>();
  for (const cell of cells) {
    const finding = findings.get(cell.no);
    if (!finding?.found) continue;
    const text = findingText[finding.found];
    if (finding.found === "SKIPPED") marks.set(cell.no, { text, tone: "skipped" });
    else if (!differs(cell, finding)) marks.set(cell.no, { text: `${text} ✓`, tone: "done" });
    else {
      const what = finding.correct ? "更正" : "不符";
      marks.set(cell.no, { text: `${text} · ${what}`, tone: "differs" });
    }
  }
  return marks;
}
