// What carries callbacks out of the house: numbers events, takes what is due, sends it, writes down what came of it.
import { randomUUID } from "node:crypto";
import { probeResultOf } from "@cabinet/contract/callback/callback.rules.ts";
import type { Database } from "../../platform/db.ts";
import { pushLive } from "../../platform/live.ts";
import type { Log } from "../../platform/log.ts";
import { maskedBody, maskedText } from "../../platform/masked-body.ts";
import { callbackAttempts, callbackSeconds } from "../../platform/metrics.ts";
import type { Listener } from "../../platform/notify.ts";
import type { Vault } from "../../platform/secrets.ts";
import { type CallbackAnswer, type CallbackClient, noAnswer } from "./callback-client.ts";
import { bodyOf, headersOf, newSecret, openSecret, signatureOf } from "./callback-message.ts";
import { healthAfter, stepAfter } from "./delivery-course.rules.ts";
import * as outbox from "./outbox.sql.ts";

export interface SenderParts {
  database: Database;
  listener: Listener;
  vault: Vault;
  log: Log;
  client: CallbackClient;
  /** Longer than an attempt takes at most: whoever has not settled it by then is gone. */
  leaseSeconds?: number;
}

/** Of one process, more than all addresses of several tenants; how many one gets is counted over all processes. */
const MOST_UNDER_WAY = 256;
/** Of them to addresses that fail: however many hang, the others find room. */
const MOST_FAILING = 64;
const LEASE_SECONDS = 30;
const LOOK_EVERY_MS = 1_000;
const MOST_SHOWN = 2_000;
/** What is under way when the process is told to stop may still end by itself. */
const STOP_PATIENCE_MS = 4_000;

export function startCallbackSender(parts: SenderParts): { stop(): Promise<void> } {
  const sender = new CallbackSender(parts);
  sender.start();
  return sender;
}

class CallbackSender {
  readonly #parts: SenderParts;
  readonly #underWay = new Map<string, Promise<void>>();
  #failing = 0;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | null = null;
  #isAskedAgain = false;
  #isStopped = false;
  #stopListening = () => {};

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#stopListening = this.#parts.listener.on("callback", () => this.#wake());
    this.#timer = setInterval(() => this.#wake(), LOOK_EVERY_MS);
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    clearInterval(this.#timer);
    await this.#turn;
    const patience = setTimeout(() => this.#stopping.abort(), STOP_PATIENCE_MS);
    await Promise.all(this.#underWay.values());
    clearTimeout(patience);
  }

  /** One turn at a time; who asks meanwhile gets another one. */
  #wake(): void {
    if (this.#isStopped) return;
    if (this.#turn) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isAskedAgain = false;
    this.#turn = this.#work()
      .catch((error) => this.#parts.log.error({ err: error }, "callbacks are not looked after"))
      .finally(() => {
        this.#turn = null;
        if (this.#isAskedAgain) this.#wake();
      });
  }

  async #work(): Promise<void> {
    const { database } = this.#parts;
    for (const tenantId of await database.read("platform", outbox.findUnnumberedTenants)) {
      await this.#number(tenantId);
    }
    await database.transaction("platform", outbox.takeBackOrphans);
    await this.#take();
  }

  async #number(tenantId: number): Promise<void> {
    await this.#parts.database.transaction("platform", async (db) => {
      if (!(await outbox.lockSequence(db, tenantId))) return;
      const { numbered, deliveries } = await outbox.numberEvents(db, tenantId);
      if (numbered > 0) this.#isAskedAgain = true;
      if (deliveries > 0) await pushLive(db, { topic: "callback", tenantId, cabinetId: null });
    });
  }

  async #take(): Promise<void> {
    const room = {
      all: MOST_UNDER_WAY - this.#underWay.size,
      failing: MOST_FAILING - this.#failing,
    };
    if (room.all <= 0 || this.#isStopped) return;
    const lease = randomUUID();
    const leaseSeconds = this.#parts.leaseSeconds ?? LEASE_SECONDS;
    const taken = await this.#parts.database.transaction("platform", (db) =>
      outbox.takeDue(db, { lease, leaseSeconds, room }),
    );
    for (const delivery of taken) {
      const key = `${delivery.tenantId}:${delivery.id}:${delivery.no}`;
      const failing = Number(delivery.isFailing);
      this.#failing += failing;
      const work = this.#deliver(delivery, lease)
        .catch((error) =>
          this.#parts.log.error({ err: error, deliveryId: delivery.id }, "callback not settled"),
        )
        .finally(() => {
          this.#underWay.delete(key);
          this.#failing -= failing;
          this.#wake();
        });
      this.#underWay.set(key, work);
    }
  }

  async #deliver(delivery: outbox.TakenDelivery, lease: string): Promise<void> {
    const { client } = this.#parts;
    const { uid } = delivery;
    const body = bodyOf(delivery);
    const secrets = this.#secretsOf(delivery);
    if (secrets.length === 0) {
      callbackAttempts.inc({ outcome: unsigned.outcome });
      return this.#settle(delivery, lease, unsigned, notSent);
    }
    const sentAt = new Date();
    const signature = signatureOf(uid, body, secrets, sentAt);
    const headers = headersOf(uid, sentAt, signature);
    const stopping = this.#stopping.signal;
    const answer = await client.post(delivery.url, headers, Buffer.from(body), stopping);
    const durationMs = Date.now() - sentAt.getTime();
    callbackAttempts.inc({ outcome: answer.outcome });
    callbackSeconds.observe(durationMs / 1000);
    const sent = { sentAt: sentAt.toISOString(), signature, durationMs };
    await this.#settle(delivery, lease, answer, sent);
  }

  /** Those that can be opened: another master key than theirs opens none. */
  #secretsOf({ id, tenantId, endpointId, purpose, sealedSecrets }: outbox.TakenDelivery): string[] {
    // A probe is signed as well, by nobody's secret.
    if (purpose === "PROBE") return [newSecret()];
    const { vault, log } = this.#parts;
    return sealedSecrets.flatMap((sealed) => {
      try {
        return [openSecret(vault, { tenantId, id: endpointId, sealed })];
      } catch (error) {
        log.error({ err: error, deliveryId: id, endpointId }, "callback secret cannot be opened");
        return [];
      }
    });
  }

  /** The endpoint is held before its delivery: the same order in which deliveries are taken. */
  async #settle(
    delivery: outbox.TakenDelivery,
    lease: string,
    answer: CallbackAnswer,
    sent: Pick<outbox.SettledAttempt, "sentAt" | "signature" | "durationMs">,
  ): Promise<void> {
    const { tenantId, id, no, purpose, endpointId } = delivery;
    const random = Math.random();
    await this.#parts.database.transaction({ tenantId }, async (db) => {
      const endpoint = await outbox.holdEndpoint(db, delivery);
      // Before its attempt, as by whoever takes over what was left.
      const leased = await outbox.lockLeased(db, delivery, lease);
      await outbox.saveAttempt(db, {
        ...{ tenantId, deliveryId: id, no, ...sent, ...answer },
        responseText: shownOf(answer),
        detail: answer.detail && maskedText(answer.detail),
      });
      if (leased) {
        const step = stepAfter(answer, { purpose, failures: leased.failures }, random);
        const { outcome, status } = answer;
        const isMoot = endpoint.isDeleted && step.state === "WAITING";
        const end = isMoot ? { ...step, state: "CANCELLED" as const, inSeconds: null } : step;
        await outbox.saveDelivery(db, delivery, { ...end, outcome, status });
      }
      const health = purpose === "EVENT" ? healthAfter(answer, endpoint) : null;
      if (health) await outbox.saveHealth(db, delivery, health);
      const result = purpose === "PROBE" ? probeResultOf(answer.outcome, answer.status) : null;
      if (result) await outbox.saveProbe(db, { tenantId, endpointId }, result);
      await pushLive(db, { topic: "callback", tenantId, cabinetId: null });
    });
  }
}

const unsigned: CallbackAnswer = { ...noAnswer, outcome: "SIGN_FAILED" };
const notSent = { sentAt: null, signature: null, durationMs: null };

/** The beginning of what the receiver answered, without anybody's phone or secret. */
function shownOf({ responseText }: CallbackAnswer): string | null {
  if (!responseText) return null;
  // A text column holds everything but this.
  const text = responseText.replaceAll("\u0000", "");
  const shown = isJson(text) ? maskedBody(text) : maskedText(text);
  return shown?.slice(0, MOST_SHOWN) ?? null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
