// Decides whether a cabinet may connect: one proof of the secret per nonce, rate limited; same for every broker.
import { isCabinetId, parseConnectPassword, verifyConnectPassword } from "@cabinet/link";
import type { Database } from "../../../../platform/db/db.ts";
import { networkOf, plainAddress } from "../../../../platform/http/network.rules.ts";
import type { Log } from "../../../../platform/log.ts";
import { deviceMessages } from "../../../../platform/metrics.ts";
import {
  beginConnections,
  type CabinetKey,
  lockConnectingCabinets,
  type ProvenConnect,
} from "../presence/presence.sql.ts";
import { CabinetQueues, type Outcome, QueueFullError } from "../reports/cabinet-queues.runner.ts";
import { CabinetLog } from "./cabinet-log.service.ts";
import { ConnectRate } from "./connect-rate.rules.ts";
import type { CabinetIdentity, Keyring } from "./keyring.cache.ts";

/** Maximum number of keys waiting to be looked up. */
const MAX_LOOKUPS = 100;

export interface ConnectAttempt {
  clientId: string;
  username: string;
  password: string;
  /** Client address, as far as the broker reports it. */
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

function refused(why: ConnectRefusal, kid?: string): Refused {
  return { ok: false, why, kid };
}

export class ConnectGate {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #log: Log;
  readonly gatewayId: string | null;
  readonly #rate = new ConnectRate();
  readonly #cabinetLog: CabinetLog;
  readonly #lookups = new CabinetQueues({ concurrency: 1, perCabinet: MAX_LOOKUPS });
  /** When a whole fleet reconnects at once, it waits in this queue instead of taking all database connections. */
  readonly #queues = new CabinetQueues<ConnectAttempt, ConnectVerdict>(
    { concurrency: 2, perCabinet: 2 },
    {
      lanes: 2,
      size: 100,
      perCabinet: 1,
      run: (attempts) => this.#judgeMany(attempts),
      runAlone: (attempt) => this.#judgeAlone(attempt),
    },
  );

  /** `gatewayId`: the gateway whose broker the cabinet connects to; null for an outside broker. */
  constructor(parts: {
    database: Database;
    keyring: Keyring;
    log: Log;
    gatewayId: string | null;
  }) {
    this.#database = parts.database;
    this.#keyring = parts.keyring;
    this.#log = parts.log;
    this.#cabinetLog = new CabinetLog(parts);
    this.gatewayId = parts.gatewayId;
  }

  /** Decides one connect; a granted one is recorded as the cabinet's current connection. */
  async decide(attempt: ConnectAttempt): Promise<ConnectVerdict> {
    const verdict = await this.#inTurn(attempt);
    deviceMessages.inc({ kind: "connect", outcome: verdict.ok ? "OK" : verdict.why });
    if (!verdict.ok) {
      const { clientId, address } = attempt;
      this.#log.warn({ sn: clientId.slice(0, 32), address, why: verdict.why }, "connect refused");
      this.#note(attempt, verdict);
    }
    return verdict;
  }

  /** Does not count the connect of a cabinet whose report we could not store: it reconnects until we can. */
  excuse(sn: string): void {
    this.#rate.giveBack(sn);
  }

  /** Logs the refusal at the cabinet in whose name the connect came, where its owner sees it. */
  #note({ clientId: sn, address }: ConnectAttempt, { why, kid }: Refused): void {
    if (why === "BAD_NAME" || why === "BANNED") return;
    const payload = { why, address: plainAddress(address), kid };
    this.#cabinetLog.add(sn, { kind: "SIGN_IN_REFUSED", cause: why, payload });
  }

  async #inTurn(attempt: ConnectAttempt): Promise<ConnectVerdict> {
    const { clientId: sn, username } = attempt;
    if (!isCabinetId(sn) || username !== sn) return refused("BAD_NAME");
    // A banned client must not take a place in the cabinet's queue.
    if (this.#isBanned(attempt)) {
      this.#learn(attempt);
      return refused("BANNED");
    }
    try {
      return await this.#queues.add(sn, attempt);
    } catch (error) {
      if (error instanceof QueueFullError) return refused("BANNED");
      throw error;
    }
  }

  /** ALONE: the key is not known yet, or another transaction has locked the cabinet's row. */
  async #judgeMany(attempts: readonly ConnectAttempt[]): Promise<Outcome<ConnectVerdict>[]> {
    const identities = await this.#keyring.findMany(attempts.map(({ clientId }) => clientId));
    const checked = attempts.map((attempt) => {
      const identity = identities.get(attempt.clientId);
      const verdict = this.#check(attempt, identity);
      return "why" in verdict && verdict.why === "UNKNOWN_KEY" ? "ALONE" : verdict;
    });
    const proven = checked.flatMap((each) => (each !== "ALONE" && "nonce" in each ? each : []));
    const verdicts = await this.#connect(proven, false);
    return attempts.map((attempt, at) => {
      const each = checked[at] ?? "ALONE";
      const verdict = each !== "ALONE" && "nonce" in each ? verdicts.get(each) : each;
      if (!verdict || verdict === "ALONE") return "ALONE";
      return { value: this.#count(attempt, verdict) };
    });
  }

  async #judgeAlone(attempt: ConnectAttempt): Promise<ConnectVerdict> {
    const { clientId: sn } = attempt;
    const known = this.#check(attempt, await this.#keyring.find(sn));
    const isUnknown = "why" in known && known.why === "UNKNOWN_KEY";
    const each = isUnknown ? this.#check(attempt, await this.#keyring.findAgain(sn)) : known;
    if (!("nonce" in each)) return this.#count(attempt, each);
    const verdicts = await this.#connect([each], true);
    return this.#count(attempt, verdicts.get(each) ?? refused("NONCE_USED", each.kid));
  }

  /** Checks everything that needs no database access. */
  #check(attempt: ConnectAttempt, identity: CabinetIdentity | undefined): ProvenConnect | Refused {
    const { clientId: sn, address, password } = attempt;
    if (this.#isBanned(attempt)) return refused("BANNED");
    const proof = parseConnectPassword(password);
    const keys = proof && identity?.keys.get(proof.kid);
    if (!proof) return refused("WRONG_PROOF");
    if (!identity || !keys) return refused("UNKNOWN_KEY", proof.kid);
    if (!verifyConnectPassword(sn, proof, keys)) return refused("WRONG_PROOF", proof.kid);
    const { tenantId, cabinetId } = identity;
    return {
      tenantId,
      cabinetId,
      nonce: proof.nonce,
      kid: proof.kid,
      address: plainAddress(address),
    };
  }

  /** Cabinets whose row another transaction has locked are left out, unless `isPatient`. */
  async #connect(
    proven: readonly ProvenConnect[],
    isPatient: boolean,
  ): Promise<Map<ProvenConnect, ConnectVerdict>> {
    if (proven.length === 0) return new Map();
    return await this.#database.transaction("platform", async (db) => {
      const rows = await lockConnectingCabinets(db, proven, isPatient);
      const held = new Map(rows.map(({ cabinetId, isAllowed }) => [cabinetId, isAllowed]));
      const allowed = proven.filter(({ cabinetId }) => held.get(cabinetId));
      const begun = new Set(await beginConnections(db, allowed, this.gatewayId));
      const verdicts = new Map<ProvenConnect, ConnectVerdict>();
      for (const each of proven) {
        const { tenantId, cabinetId, nonce, kid } = each;
        const isAllowed = held.get(cabinetId);
        if (isAllowed === undefined) continue;
        if (!isAllowed) verdicts.set(each, refused("ADDRESS_NOT_ALLOWED", kid));
        else if (!begun.has(cabinetId)) verdicts.set(each, refused("NONCE_USED", kid));
        else verdicts.set(each, { ok: true, cabinet: { tenantId, cabinetId }, nonce, kid });
      }
      return verdicts;
    });
  }

  #isBanned(attempt: ConnectAttempt): boolean {
    const now = performance.now();
    const isBanned = (key: string) => this.#rate.isBanned(key, now);
    const origin = this.#isProven(attempt) ? provenOf(attempt) : strangerOf(attempt);
    return isBanned(attempt.clientId) || isBanned(origin);
  }

  /**
   * True if the client knows the secret, whether or not its nonce is still valid. Behind a proxy all clients share one
   * address: a client that knows only the serial number must not lock the cabinet out.
   */
  #isProven({ clientId: sn, password }: ConnectAttempt): boolean {
    const proof = parseConnectPassword(password);
    const keys = proof && this.#keyring.peek(sn)?.keys.get(proof.kid);
    return Boolean(proof && keys && verifyConnectPassword(sn, proof, keys));
  }

  /** Looks up a key id that the keyring does not know: it may be new, and the cabinet's retry then succeeds. */
  #learn({ clientId: sn, password }: ConnectAttempt): void {
    const proof = parseConnectPassword(password);
    if (!proof || this.#keyring.peek(sn)?.keys.has(proof.kid)) return;
    this.#lookups
      .run("", () => this.#keyring.findAgain(sn))
      .catch((error) => this.#log.debug({ err: error, sn }, "key not looked up"));
  }

  #count(attempt: ConnectAttempt, verdict: ConnectVerdict): ConnectVerdict {
    const { clientId: sn } = attempt;
    const now = performance.now();
    if (verdict.ok) this.#rate.count(sn, now);
    else if (verdict.why !== "BANNED") {
      const isProven = verdict.why === "NONCE_USED" || verdict.why === "ADDRESS_NOT_ALLOWED";
      this.#rate.count(isProven ? provenOf(attempt) : strangerOf(attempt), now);
      if (isProven) this.#keyring.forget(sn);
    }
    return verdict;
  }
}

/** Rate-limit key by network and serial number, so that a stranger cannot lock a cabinet out. */
function strangerOf({ address, clientId }: ConnectAttempt): string {
  return `${networkOf(address)} ${clientId}`;
}

/** Rate-limit key for clients that know the secret; separate because a proof may be recorded and replayed. */
function provenOf(attempt: ConnectAttempt): string {
  return `${strangerOf(attempt)} proven`;
}
