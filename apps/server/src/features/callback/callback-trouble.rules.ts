// Pure rules of when people hear that callbacks do not arrive.

/** It fails again and again; something was given up; the receiver wants no more of it. */
export type CallbackTrouble = "FAILING" | "DEAD" | "GONE";

/** Times in milliseconds. */
export interface TroubleFacts {
  /** Null: nothing is wrong as far as its state says. */
  state: "FAILING" | "GONE" | null;
  stateMs: number;
  /** When the newest callback was given up that still is; null: none. */
  deadMs: number | null;
  lastSuccessMs: number | null;
  toldMs: number | null;
  toldTrouble: CallbackTrouble | null;
  nowMs: number;
}

/**
 * What is new since people were last told; null: nothing. What is given up while nothing arrives any more is
 * one trouble, however many they are, and what comes and goes is told again after `calmMs` alone.
 */
export function newTrouble(facts: TroubleFacts, calmMs: number): CallbackTrouble | null {
  const { state, stateMs, deadMs, lastSuccessMs, toldTrouble, nowMs } = facts;
  const toldMs = facts.toldMs ?? Number.NEGATIVE_INFINITY;
  if (state === "GONE" && stateMs > toldMs) return "GONE";
  const isCalm = nowMs - toldMs < calmMs;
  const hasArrived = lastSuccessMs !== null && lastSuccessMs > toldMs;
  if (deadMs !== null && deadMs > toldMs) {
    if (toldTrouble !== "DEAD" || (hasArrived && !isCalm)) return "DEAD";
  }
  return state === "FAILING" && stateMs > toldMs && !isCalm ? "FAILING" : null;
}
