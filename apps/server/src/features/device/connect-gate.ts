// Who may connect: one proof of the secret for one nonce, not too often. The same for every broker.
import { isCabinetId, parseConnectPassword, verifyConnectPassword } from "@cabinet/link";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { deviceMessages } from "../../platform/metrics.ts";
import { CabinetQueues, QueueFullError } from "./cabinet-queues.ts";
import { useChallenge } from "./challenge.sql.ts";
import { ConnectRate } from "./connect-rate.rules.ts";
import type { Keyring } from "./keyring.ts";
import { beginConnection, type CabinetKey } from "./presence.sql.ts";

export interface ConnectAttempt {
  clientId: string;
  username: string;
  password: string;
  /** Where it comes from, as far as the broker says. */
  address: string;
}

export type ConnectRefusal = "BAD_NAME" | "BANNED" | "WRONG_PROOF" | "NONCE_USED";

export type ConnectVerdict =
  | { ok: true; cabinet: CabinetKey; nonce: string }
  | { ok: false; why: ConnectRefusal };

function refused(why: ConnectRefusal): ConnectVerdict {
  return { ok: false, why };
}

export class ConnectGate {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #log: Log;
  readonly #gatewayId: string | null;
  readonly #rate = new ConnectRate();
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
    }
    return verdict;
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
      return refused("WRONG_PROOF");
    }
    const { tenantId, cabinetId } = identity;
    const { nonce, kid } = proof;
    const connection = { nonce, kid, gatewayId: this.#gatewayId };
    const isGranted = await this.#database.transaction({ tenantId }, async (db) => {
      const isUnused = await useChallenge(db, nonce);
      return isUnused && (await beginConnection(db, { tenantId, cabinetId }, connection));
    });
    this.#rate.count(isGranted ? sn : stranger, now);
    if (isGranted) return { ok: true, cabinet: { tenantId, cabinetId }, nonce };
    this.#keyring.forget(sn);
    return refused("NONCE_USED");
  }
}
