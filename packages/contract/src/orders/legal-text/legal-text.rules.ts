// Legal texts of a tenant for its users: kinds and their names.

export const LEGAL_TEXT_KINDS = ["TERMS", "PRIVACY"] as const;
export type LegalTextKind = (typeof LEGAL_TEXT_KINDS)[number];

export const legalTextTitle: Record<LegalTextKind, string> = {
  TERMS: "用户协议",
  PRIVACY: "隐私政策",
};

/** Longest text, in characters. */
export const LEGAL_TEXT_MAX = 30_000;
