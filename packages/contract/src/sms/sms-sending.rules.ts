// Pure rules of sending text messages: how often a phone is written to, how long one is of use, when to ask again.
import type { SmsScene } from "./sms.rules.ts";

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

/** How many of a scene one phone gets, from all tenants together: above that it is an accident or abuse. */
export function phoneLimits(scene: SmsScene): readonly Limit[] {
  if (scene === "SIGN_IN_CODE") return ofSignIn;
  if (scene === "PICKUP_CODE") return ofPickup;
  return scene === "MALFUNCTION" ? ofFaults : ofOthers;
}

/** Codes open doors and accounts: people stand and wait for them. */
export function isCodeScene(scene: SmsScene): boolean {
  return scene === "SIGN_IN_CODE" || scene === "PICKUP_CODE";
}

/** How long after it was written a message is still worth sending. */
export function usefulSeconds(scene: SmsScene): number {
  if (scene === "SIGN_IN_CODE") return SIGN_IN_CODE_SECONDS;
  return scene === "MALFUNCTION" ? 4 * HOUR : 12 * HOUR;
}

/** The last segments of a tenant are for codes alone. */
export const CODE_RESERVE = 20;

/** How many segments must be there before a message of `segments` goes out. */
export function segmentsNeeded(scene: SmsScene, segments: number): number {
  return isCodeScene(scene) ? segments : segments + CODE_RESERVE;
}

const RETRY_SECONDS = [10, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE] as const;
/** After so many tries that the carrier surely did not take, it has failed. */
export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1;

/** `attempts` have been made; null: no more. */
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

/** When a carrier is asked for a receipt, having been asked `checks` times; null: three days are over. */
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

/** When to look again for a message that a carrier may have, having looked `checks` times; null: a day is over. */
export function lookSeconds(checks: number): number | null {
  return LOOK_SECONDS[checks] ?? null;
}
