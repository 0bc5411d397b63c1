// Draft of an unsubmitted stock audit in sessionStorage: survives a reload, leaving the page and an
// expired session.
import { currentSession } from "../../../../kit/session.ts";
import type { Finding, Findings } from "./stock-audit.rules.ts";

export interface Draft {
  findings: Findings;
  /** Reason for opening doors. */
  reason: string;
}

/** Key for this browser tab, account and cabinet. */
function keyOf(cabinetId: number): string {
  return `cupboard:stock-audit:${currentSession()?.username}:${cabinetId}`;
}

export function readDraft(cabinetId: number): Draft | null {
  const text = sessionStorage.getItem(keyOf(cabinetId));
  if (!text) return null;
  const kept = JSON.parse(text) as { findings: [number, Finding][]; reason: string };
  return { findings: new Map(kept.findings), reason: kept.reason };
}

export function keepDraft(cabinetId: number, { findings, reason }: Draft): void {
  sessionStorage.setItem(keyOf(cabinetId), JSON.stringify({ findings: [...findings], reason }));
}

export function dropDraft(cabinetId: number): void {
  sessionStorage.removeItem(keyOf(cabinetId));
}
