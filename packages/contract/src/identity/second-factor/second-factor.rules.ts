// Two-step verification: what it asks for and when.

import { cleanCode } from "../../kit/text.rules.ts";

/** A session without a second step that is due: `DUE`, a code or passkey; `MISSING`, the set-up that is demanded of the account. */
export const SECOND_STEPS = ["DUE", "MISSING"] as const;
export type SecondStep = (typeof SECOND_STEPS)[number];

/** Sensitive calls ask again when the last proof is older; a tenant may choose other minutes. */
export const PROOF_MINUTES = 15;

/** An exception of the platform ends at the latest after this many days. */
export const MOST_EXEMPT_DAYS = 90;

export const RECOVERY_CODES = 10;

export const MOST_PASSKEYS = 10;

/** True for the six digits of an authenticator; recovery codes are longer. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Without the spaces and hyphens that people type for legibility. */
export const tidyCode = (code: string): string => cleanCode(code).replace(/-/g, "").toUpperCase();
