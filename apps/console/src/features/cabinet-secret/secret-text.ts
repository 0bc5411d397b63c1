// How a cabinet's secrets read: each one's state, and which are in force.
import type {
  KeyedCabinet,
  SecretFacts,
} from "@cabinet/contract/cabinet-secret/cabinet-secret.contract.ts";
import type { KeyState } from "@cabinet/contract/cabinet-secret/cabinet-secret.rules.ts";
import { formatDateTime } from "../../kit/format.ts";
import type { Tone } from "../../ui/tone.rules.ts";

export const keyTone: Record<KeyState, Tone> = {
  ACTIVE: "good",
  OVERLAP: "waiting",
  ENDING: "doubtful",
  NONE: "bad",
};

/** `使用中`, `将于 2026-11-22 10:00:00 失效`, `已于 … 吊销` */
export function secretStateText({ state, expiresAt, revokedAt }: SecretFacts): string {
  if (state === "ACTIVE") return "使用中";
  if (state === "ENDING") return `将于 ${formatDateTime(expiresAt)} 失效`;
  if (state === "REVOKED") return `已于 ${formatDateTime(revokedAt)} 吊销`;
  return `已于 ${formatDateTime(expiresAt)} 过期`;
}

export const secretTone: Record<SecretFacts["state"], Tone> = {
  ACTIVE: "good",
  ENDING: "doubtful",
  EXPIRED: "quiet",
  REVOKED: "bad",
};

export function activeSecrets({ secrets }: Pick<KeyedCabinet, "secrets">): SecretFacts[] {
  return secrets.filter(({ state }) => state === "ACTIVE" || state === "ENDING");
}

/** When the first of the secrets in force ends; null where none does. */
export function overlapEnd(cabinet: Pick<KeyedCabinet, "secrets">): string | null {
  const ends = activeSecrets(cabinet).flatMap(({ expiresAt }) => expiresAt ?? []);
  return ends.toSorted()[0] ?? null;
}
