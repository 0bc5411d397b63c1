// Cache of the keys of connected cabinets: read and decrypted once, dropped when the database disagrees.
import { type CabinetKeys, deriveKeys } from "@cabinet/link";
import type { Database } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";
import { findSecrets, secretOwner } from "./secret.sql.ts";

const MAX_CABINETS = 50_000;
/** Minimum time between two lookups of a cabinet's unknown keys. */
const RELOAD_AFTER_MS = 1_000;

export interface CabinetIdentity extends CabinetKey {
  sn: string;
  /** By key id, at most two. */
  keys: ReadonlyMap<string, CabinetKeys>;
  /** When an unknown key was last looked up; never before the first one, which may be new. */
  reloadedAt: number;
}

export class Keyring {
  readonly #database: Database;
  readonly #identities = new Map<string, CabinetIdentity>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the cached identity without a database query. */
  peek(sn: string): CabinetIdentity | undefined {
    return this.#identities.get(sn);
  }

  /** Undefined for a serial number that no cabinet in service has. `database` is that of the caller, if it has a share. */
  async find(sn: string, database = this.#database): Promise<CabinetIdentity | undefined> {
    return this.#identities.get(sn) ?? (await this.#load([sn], { database })).get(sn);
  }

  /** Like `find`, for many; serial numbers that no cabinet in service has are left out. */
  async findMany(sns: readonly string[]): Promise<ReadonlyMap<string, CabinetIdentity>> {
    const unknown = sns.filter((sn) => !this.#identities.has(sn));
    const found = unknown.length > 0 ? await this.#load(unknown) : new Map();
    for (const sn of sns) {
      const known = this.#identities.get(sn);
      if (known) found.set(sn, known);
    }
    return found;
  }

  /** Like `find`, but reloads the entry, at most once per `RELOAD_AFTER_MS`. */
  async findAgain(sn: string, database = this.#database): Promise<CabinetIdentity | undefined> {
    const known = this.#identities.get(sn);
    const now = performance.now();
    const isFresh = known && now - known.reloadedAt < RELOAD_AFTER_MS;
    return isFresh ? known : (await this.#load([sn], { database, reloadedAt: now })).get(sn);
  }

  forget(sn: string): void {
    this.#identities.delete(sn);
  }

  async #load(
    sns: readonly string[],
    { database = this.#database, reloadedAt = Number.NEGATIVE_INFINITY } = {},
  ): Promise<Map<string, CabinetIdentity>> {
    const secrets = await database.read("platform", (db) => findSecrets(db, sns));
    const loaded = new Map<string, CabinetIdentity>();
    for (const sn of sns) this.#identities.delete(sn);
    for (const [sn, theirs] of Map.groupBy(secrets, (secret) => secret.sn)) {
      const [first] = theirs;
      if (!first) continue;
      const keys = new Map(
        theirs.map(({ kid, sealed }) => [
          kid,
          deriveKeys(this.#database.vault.open(sealed, secretOwner(sn, kid))),
        ]),
      );
      const { tenantId, cabinetId } = first;
      const identity = { tenantId, cabinetId, sn, keys, reloadedAt };
      loaded.set(sn, identity);
      this.#identities.set(sn, identity);
    }
    for (const oldest of this.#identities.keys()) {
      if (this.#identities.size <= MAX_CABINETS) break;
      this.#identities.delete(oldest);
    }
    return loaded;
  }
}
