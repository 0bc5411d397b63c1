// Display of keys with a rotation overlap, for cabinets and third parties: state of each, keys in
// force.
import type {
  KeyState,
  SecretState,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { formatDateTime } from "../../kit/format.ts";
import type { Tone } from "../../ui/display/tone.rules.ts";

export interface KeyFacts {
  kid: string;
  state: SecretState;
  createdAt: string;
  issuedBy: string | null;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
  /** The cabinet's current connection uses this key. */
  isConnected?: boolean;
}

export const keyTone: Record<KeyState, Tone> = {
  ACTIVE: "good",
  OVERLAP: "waiting",
  ENDING: "doubtful",
  NONE: "bad",
};

/** Formats as `使用中`, `将于 2026-11-22 10:00:00 失效`, `已于 … 吊销`. */
export function secretStateText({ state, expiresAt, revokedAt }: KeyFacts): string {
  if (state === "ACTIVE") return "使用中";
  if (state === "ENDING") return `将于 ${formatDateTime(expiresAt)} 失效`;
  if (state === "REVOKED") return `已于 ${formatDateTime(revokedAt)} 吊销`;
  return `已于 ${formatDateTime(expiresAt)} 过期`;
}

export const secretTone: Record<SecretState, Tone> = {
  ACTIVE: "good",
  ENDING: "doubtful",
  EXPIRED: "quiet",
  REVOKED: "bad",
};

export function activeKeys<Key extends KeyFacts>(keys: readonly Key[]): Key[] {
  return keys.filter(({ state }) => state === "ACTIVE" || state === "ENDING");
}

/** Earliest expiry among the keys in force; null if none expires. */
export function overlapEnd(keys: readonly KeyFacts[]): string | null {
  const ends = activeKeys(keys).flatMap(({ expiresAt }) => expiresAt ?? []);
  return ends.toSorted()[0] ?? null;
}
