// Claims of a map service ticket: the account and the expiry.

/** Equal to the longest session, so that a form that stays open keeps its map. */
export const TICKET_SECONDS = 8 * 3600;

/** Signed claims; `expiresAt` in seconds since 1970. */
export interface TicketClaims {
  tenantId: number;
  operatorId: number;
  expiresAt: number;
}

export function writeClaims({ tenantId, operatorId, expiresAt }: TicketClaims): string {
  return `${tenantId}.${operatorId}.${expiresAt}`;
}

/** Null if malformed or expired. `now` in milliseconds. */
export function readClaims(text: string, now: number): TicketClaims | null {
  const match = /^(\d{1,10})\.(\d{1,16})\.(\d{1,12})$/.exec(text);
  if (!match) return null;
  const [tenantId, operatorId, expiresAt] = match.slice(1).map(Number) as [number, number, number];
  return expiresAt * 1000 > now ? { tenantId, operatorId, expiresAt } : null;
}
