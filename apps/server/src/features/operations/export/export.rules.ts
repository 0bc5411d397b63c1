// Limits of exports and the refusals of failed ones.
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";

/** Per account, waiting or being read. */
export const MAX_OF_ACCOUNT = 2;
/** In all accounts together; a tenant that has none waits beyond it, too. */
export const MAX_WAITING = 20;
/** Read concurrently by one process: opening doors and signing in have priority (promise O4). */
export const MAX_RUNNING = 2;

export type ExportFailure = "INTERRUPTED" | "TOO_LARGE" | "FAILED";

export const refusalOfFailure = {
  INTERRUPTED: "EXPORT_INTERRUPTED",
  TOO_LARGE: "EXPORT_TOO_LARGE",
  FAILED: "EXPORT_FAILED",
} as const satisfies Record<ExportFailure, ErrorCode>;
