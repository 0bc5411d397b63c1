// Who may connect: one proof of the secret for one nonce, not too often. The same for every broker.
import { isIP } from "node:net";
import { isCabinetId, parseConnectPassword, verifyConnectPassword } from "@cabinet/link";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { deviceMessages } from "../../platform/metrics.ts";
import { CabinetQueues, QueueFullError } from "./cabinet-queues.ts";
import { useChallenge } from "./challenge.sql.ts";
import { ConnectRate } from "./connect-rate.rules.ts";
import type { Keyring } from "./keyring.ts";
import { beginConnection, type CabinetKey } from "./presence.sql.ts";
import { RefusalThrottle } from "./refusal-throttle.rules.ts";
import { insertRefusal, isAddressAllowed } from "./secret-end.sql.ts";

export interface ConnectAttempt {
  clientId: string;
  username: string;
  password: string;
  /** Where it comes from, as far as the broker says. */
  address: string;
}

export type ConnectRefusal =
  | "BAD_NAME"
  | "BANNED"
  | "WRONG_PROOF"
  | "UNKNOWN_KEY"
  | "ADDRESS_NOT_ALLOWED"
  | "NONCE_USED";

export type ConnectVerdict =
  | { ok: true; cabinet: CabinetKey; nonce: string; kid: string }
  | { ok: false; why: ConnectRefusal; kid?: string | undefined };

type Refused = Extract<ConnectVerdict, { ok: false }>;

function refused(why: ConnectRefusal, kid?: string): ConnectVerdict {
  return { ok: false, why, kid };
}

/** As a broker tells it, IPv4 in IPv6's clothes too; null for what is no address. */
function addressOf(told: string): string | null {
  const address = told.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) ? address : null;
}

export class ConnectGate {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #log: Log;
  readonly #gatewayId: string | null;
  readonly #rate = new ConnectRate();
  readonly #throttle = new RefusalThrottle();
  /** When a whole fleet comes back at once, it waits here and not for the database's connections. */
  readonly #queues = new CabinetQueues({ concurrency: 4, perCabinet: 2 });

  /** `gatewayId`: whose broker the cabinet connects to; null for an outside one. */
  constructor(parts: {
    database: Database;
    keyring: Keyring;
    log: Log;
    gatewayId: string | null;
  }) {
    this.#database = parts.database;
    this.#keyring = parts.keyring;
    this.#log = parts.log;
    this.#gatewayId = parts.gatewayId;
  }

  /** Decides about one connect; a granted one is recorded as the cabinet's present connection. */
  async decide(attempt: ConnectAttempt): Promise<ConnectVerdict> {
    const verdict = await this.#inTurn(attempt);
    deviceMessages.inc({ kind: "connect", outcome: verdict.ok ? "OK" : verdict.why });
    if (!verdict.ok) {
      const { clientId, address } = attempt;
      this.#log.warn({ sn: clientId.slice(0, 32), address, why: verdict.why }, "connect refused");
      void this.#note(attempt, verdict);
    }
    return verdict;
  }

  /** In the log of the cabinet in whose name it was, so that its owner learns of it. */
  async #note({ clientId: sn, address }: ConnectAttempt, { why, kid }: Refused): Promise<void> {
    if (why === "BAD_NAME" || why === "BANNED") return;
    const count = this.#throttle.admit(`${sn} ${why}`, performance.now());
    if (count === null) return;
    try {
      const payload = { why, address: addressOf(address), kid, count };
      await this.#database.transaction("platform", (db) => insertRefusal(db, sn, payload));
    } catch (error) {
      this.#log.warn({ err: error, sn }, "refused connect not stored");
    }
  }

  async #inTurn(attempt: ConnectAttempt): Promise<ConnectVerdict> {
    const { clientId: sn, username } = attempt;
    if (!isCabinetId(sn) || username !== sn) return refused("BAD_NAME");
    try {
      return await this.#queues.run(sn, () => this.#judge(attempt));
    } catch (error) {
      if (error instanceof QueueFullError) return refused("BANNED");
      throw error;
    }
  }

  async #judge({ clientId: sn, address, password }: ConnectAttempt): Promise<ConnectVerdict> {
    // Failures count where they come from, so that a stranger cannot lock a cabinet out.
    const stranger = `${address} ${sn}`;
    const now = performance.now();
    if (this.#rate.isBanned(sn, now) || this.#rate.isBanned(stranger, now)) {
      return refused("BANNED");
    }
    const proof = parseConnectPassword(password);
    let identity = proof && (await this.#keyring.find(sn));
    if (proof && !identity?.keys.has(proof.kid)) identity = await this.#keyring.findAgain(sn);
    const keys = proof && identity?.keys.get(proof.kid);
    if (!proof || !identity || !keys || !verifyConnectPassword(sn, proof, keys)) {
      this.#rate.count(stranger, now);
      return refused(proof && !keys ? "UNKNOWN_KEY" : "WRONG_PROOF", proof?.kid);
    }
    const { tenantId, cabinetId } = identity;
    const cabinet = { tenantId, cabinetId };
    const { nonce, kid } = proof;
    const connection = { nonce, kid, gatewayId: this.#gatewayId };
    const why = await this.#database.transaction({ tenantId }, async (db) => {
      const [isAllowed, isUnused] = await Promise.all([
        isAddressAllowed(db, cabinet, addressOf(address)),
        useChallenge(db, nonce),
      ]);
      if (!isAllowed) return "ADDRESS_NOT_ALLOWED";
      return isUnused && (await beginConnection(db, cabinet, connection)) ? null : "NONCE_USED";
    });
    this.#rate.count(why ? stranger : sn, now);
    if (!why) return { ok: true, cabinet, nonce, kid };
    this.#keyring.forget(sn);
    return refused(why, kid);
  }
}
