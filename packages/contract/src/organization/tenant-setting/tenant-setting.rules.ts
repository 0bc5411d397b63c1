// How long a tenant keeps personal data and logs.

/**
 * Days that a tenant keeps each kind unless it decides otherwise, and the fewest it may choose. For logs: article 21 of the
 * Cybersecurity Law, network logs are kept for at least six months.
 */
export const RETENTION = {
  keepPeopleDays: { usual: 730, least: 90 },
  keepMessagesDays: { usual: 365, least: 30 },
  keepPhotosDays: { usual: 365, least: 30 },
  keepLogsDays: { usual: 365, least: 180 },
  keepEventsDays: { usual: 365, least: 180 },
  keepCommandsDays: { usual: 730, least: 180 },
  keepAuditDays: { usual: 1_095, least: 180 },
} as const;

export type Retained = keyof typeof RETENTION;

export const MOST_KEPT_DAYS = 3_650;
