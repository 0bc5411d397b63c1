// An audit that was not handed in outlives a reload, the way back, and a session that ran out.
import { currentSession } from "../../kit/session.ts";
import type { Finding, Findings } from "./stock-audit.rules.ts";

export interface Draft {
  findings: Findings;
  /** Why doors are opened. */
  reason: string;
}

/** Of this browser tab, this account and this cabinet. */
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
