// SQLSTATE codes of PostgreSQL that the server handles.

export const CHARACTER_NOT_IN_REPERTOIRE = "22021";
export const UNTRANSLATABLE_CHARACTER = "22P05";
export const FOREIGN_KEY_VIOLATION = "23503";
export const UNIQUE_VIOLATION = "23505";
export const SERIALIZATION_FAILURE = "40001";
export const DEADLOCK_DETECTED = "40P01";
/** lock_timeout: another transaction holds the row. */
export const LOCK_NOT_AVAILABLE = "55P03";
/** statement_timeout, or an administrator cancelled the statement. */
export const QUERY_CANCELED = "57014";

/** A write at a server that is, or has become, a replica or read only. */
export const READ_ONLY = "25006";
/** In a BEGIN READ WRITE: the server is a replica. */
export const NOT_SUPPORTED = "0A000";
export const DISK_FULL = "53100";

/** Data exceptions and constraint violations: a retry with the same values fails too. */
export const UNSTORABLE = /^2[23]/;
/**
 * Connection exceptions, shutdown, crash, starting up, ended because idle, in a transaction too, failed disk, no disk space,
 * memory or connection left.
 */
export const CONNECTION_LOST = /^(?:08|25P03$|57P0[1-35]$|53|58030$)/;

/** The code of an error of PostgreSQL, Node or Fastify; empty if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
