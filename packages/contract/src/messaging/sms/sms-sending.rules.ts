// Pure rules of sending SMS: rate limits per phone, useful lifetime, retry and receipt schedules.
import type { MessageScenario } from "./sms.rules.ts";

interface Limit {
  max: number;
  seconds: number;
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const SIGN_IN_CODE_SECONDS = 5 * MINUTE;

function limits(minute: number, hour: number, day: number): readonly Limit[] {
  return [
    { max: minute, seconds: MINUTE },
    { max: hour, seconds: HOUR },
    { max: day, seconds: DAY },
  ];
}

const ofSignIn = limits(2, 6, 15);
const ofPickup = limits(10, 40, 120);
const ofFaults = limits(6, 30, 100);
const ofOthers = limits(5, 15, 40);

/** Rate limits of one phone and scene over all tenants: more is an accident or abuse. */
export function phoneLimits(scene: MessageScenario): readonly Limit[] {
  if (scene === "SIGN_IN_CODE") return ofSignIn;
  if (scene === "PICKUP_CODE") return ofPickup;
  return scene === "MALFUNCTION" ? ofFaults : ofOthers;
}

/** Code messages have priority: people wait for them at a door or a sign-in form. */
export const codeScenarios: readonly MessageScenario[] = ["SIGN_IN_CODE", "PICKUP_CODE"];

export function isCodeScenario(scene: MessageScenario): boolean {
  return codeScenarios.includes(scene);
}

/** Seconds after its creation for which a message is still worth sending. */
export function usefulSeconds(scene: MessageScenario): number {
  if (scene === "SIGN_IN_CODE") return SIGN_IN_CODE_SECONDS;
  return scene === "MALFUNCTION" ? 4 * HOUR : 12 * HOUR;
}

/** Last segments of a tenant, reserved for code messages. */
export const CODE_RESERVE = 20;

const RETRY_SECONDS = [10, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE] as const;

/** Seconds until the next attempt after `attempts` attempts; null: no more. */
export function retrySeconds(attempts: number): number | null {
  return RETRY_SECONDS[attempts - 1] ?? null;
}

const RECEIPT_SECONDS = [
  20,
  40,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  ...[2, 6, 12, 24, 27].map((hours) => hours * HOUR),
];

/** Seconds until the next receipt query after `checks` queries; null: given up after three days. */
export function receiptSeconds(checks: number): number | null {
  return RECEIPT_SECONDS[checks] ?? null;
}

const LOOK_SECONDS = [
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  13 * HOUR,
];

/**
 * Seconds until the next look-up, after `checks` of them, of a message that the carrier may have
 * accepted; null: given up after a day.
 */
export function lookSeconds(checks: number): number | null {
  return LOOK_SECONDS[checks] ?? null;
}
