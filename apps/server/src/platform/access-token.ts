// Access tokens of consoles and app users: random bytes that end with a MAC, so that an invented token costs no query.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Origin } from "./context.ts";
import { type Share, shareOfStranger } from "./db/admission.rules.ts";
import type { Database } from "./db/db.ts";
import { sql } from "./db/sql.ts";
import type { Vault } from "./secrets.ts";

export type TokenKind = "session" | "appSession";

const RANDOM_BYTES = 24;
const MAC_BYTES = 8;
const SHAPE = /^[\w-]{43}$/;
/** How long an answer of the database about a token that is worth nothing is kept: an account may be enabled again. */
const KEPT_MS = 10_000;
/** Ended tokens that a process remembers. */
const MOST_ENDED = 10_000;

function macOf(vault: Vault, kind: TokenKind, random: Buffer): Buffer {
  return createHmac("sha256", vault.derive(`token of ${kind}`))
    .update(random)
    .digest()
    .subarray(0, MAC_BYTES);
}

/** Hashes a token; only the hash is stored (promise A4). */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** A new token of 43 characters, and the hash to store. */
export function makeToken(vault: Vault, kind: TokenKind): { token: string; tokenHash: Buffer } {
  const random = randomBytes(RANDOM_BYTES);
  const token = Buffer.concat([random, macOf(vault, kind, random)]).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

/** Tokens of one kind: most that are worth nothing are refused before a query. */
export class Tokens {
  readonly #database: Database;
  readonly #kind: TokenKind;
  /** Tokens that were found ended, and until when that is believed. */
  readonly #ended = new Map<string, number>();
  #older: { mayExist: Promise<boolean>; until: number } | null = null;

  constructor(database: Database, kind: TokenKind) {
    this.#database = database;
    this.#kind = kind;
  }

  /**
   * Looks a token up by `find`. Null without a query for a text that this installation never issued, and for a token that
   * was found ended a moment ago.
   */
  async look<Row>(
    token: string,
    { address }: Pick<Origin, "address">,
    find: (database: Database, tokenHash: Buffer) => Promise<Row | null>,
  ): Promise<{ row: Row; tokenHash: Buffer } | null> {
    if (!SHAPE.test(token)) return null;
    const tokenHash = hashToken(token);
    const key = tokenHash.toString("base64");
    if (performance.now() < (this.#ended.get(key) ?? 0)) return null;
    this.#ended.delete(key);
    const isIssued = this.#isIssued(token);
    if (!isIssued && !(await this.#mayBeOlder())) return null;
    const share = isIssued ? shareOfToken(key) : shareOfStranger(address);
    const row = await find(this.#database.for({ share }), tokenHash);
    if (row) return { row, tokenHash };
    this.#ended.set(key, performance.now() + KEPT_MS);
    const [oldest = key] = this.#ended.keys();
    if (this.#ended.size > MOST_ENDED) this.#ended.delete(oldest);
    return null;
  }

  #isIssued(token: string): boolean {
    const bytes = Buffer.from(token, "base64url");
    const mac = macOf(this.#database.vault, this.#kind, bytes.subarray(0, RANDOM_BYTES));
    return timingSafeEqual(bytes.subarray(RANDOM_BYTES), mac);
  }

  /** True while tokens live that the release before issued. One query answers for all callers of ten seconds. */
  #mayBeOlder(): Promise<boolean> {
    if (!this.#older || performance.now() > this.#older.until) {
      const mayExist = this.#database
        .unscoped<{ ofSession: boolean; ofAppSession: boolean }>(
          sql`select of_session, of_app_session from live_tokens_without_mac()`,
        )
        .then(([row]) => (this.#kind === "session" ? row?.ofSession : row?.ofAppSession) ?? false);
      this.#older = { mayExist, until: performance.now() + KEPT_MS };
      mayExist.catch(() => {
        this.#older = null;
      });
    }
    return this.#older.mayExist;
  }
}

/** Before the account is known. The token is genuine, so each costs a sign-in. */
const shareOfToken = (key: string): Share => ({
  load: "critical",
  tenant: key,
  account: key,
  isBounded: true,
});
