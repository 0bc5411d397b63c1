// What an export may come to, and how many there may be.
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";

/** Of one account, waiting or being read. */
export const MAX_OF_ACCOUNT = 2;
/** Of all accounts. */
export const MAX_WAITING = 20;
/** Read at the same time by one process: opening doors and signing in come first (promise O4). */
export const MAX_RUNNING = 2;

export type ExportFailure = "INTERRUPTED" | "TOO_LARGE" | "FAILED";

export const refusalOfFailure = {
  INTERRUPTED: "EXPORT_INTERRUPTED",
  TOO_LARGE: "EXPORT_TOO_LARGE",
  FAILED: "EXPORT_FAILED",
} as const satisfies Record<ExportFailure, ErrorCode>;
