// Webhook sender: numbers events, claims due deliveries, sends them and records the outcome.
import { randomUUID } from "node:crypto";
import { probeResultOf } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import type { Database } from "../../../platform/db/db.ts";
import type { Listener } from "../../../platform/db/notify.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { maskedBody, maskedText } from "../../../platform/http/masked-body.ts";
import { startTurns, type Turns } from "../../../platform/jobs/turns.ts";
import type { Log } from "../../../platform/log.ts";
import { webhookAttempts, webhookSeconds } from "../../../platform/metrics.ts";
import { healthAfter, stepAfter } from "./delivery-schedule.rules.ts";
import * as outbox from "./outbox.sql.ts";
import { noAnswer, type WebhookAnswer, type WebhookClient } from "./webhook.client.ts";
import { bodyOf, headersOf, newSecret, openSecret, signatureOf } from "./webhook-message.format.ts";

export interface SenderParts {
  database: Database;
  listener: Listener;
  log: Log;
  client: WebhookClient;
  /** Must exceed the longest attempt: an expired lease means that its sender died. */
  leaseSeconds?: number;
}

/** Concurrent attempts of one process; the limit per endpoint is counted over all processes. */
const MOST_UNDER_WAY = 256;
/** Concurrent attempts to failing endpoints, so that hanging ones cannot use up every slot. */
const MOST_FAILING = 64;
const LEASE_SECONDS = 30;
const LOOK_EVERY_MS = 1_000;
const MOST_SHOWN = 2_000;
/** On shutdown, running attempts may take this long to finish before they are aborted. */
const STOP_PATIENCE_MS = 4_000;

export function startWebhookSender(parts: SenderParts): { stop(): Promise<void> } {
  return new WebhookSender(parts);
}

class WebhookSender {
  readonly #parts: SenderParts;
  readonly #underWay = new Map<string, Promise<void>>();
  #failing = 0;
  readonly #stopping = new AbortController();
  readonly #turns: Turns;
  readonly #stopListening: () => void;
  #isStopped = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    const work = () => this.#work();
    this.#turns = startTurns(parts.log, LOOK_EVERY_MS, work, "callbacks are not looked after");
    this.#stopListening = parts.listener.on("callback", this.#turns.wake);
    this.#turns.wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#turns.stop();
    const patience = setTimeout(() => this.#stopping.abort(), STOP_PATIENCE_MS);
    await Promise.all(this.#underWay.values());
    clearTimeout(patience);
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
      if (numbered > 0) this.#turns.wake();
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
          this.#turns.wake();
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
      webhookAttempts.inc({ outcome: unsigned.outcome });
      return this.#settle(delivery, lease, unsigned, notSent);
    }
    const sentAt = new Date();
    const signature = signatureOf(uid, body, secrets, sentAt);
    const headers = headersOf(uid, sentAt, signature);
    const stopping = this.#stopping.signal;
    const answer = await client.post(delivery.url, headers, Buffer.from(body), stopping);
    const durationMs = Date.now() - sentAt.getTime();
    webhookAttempts.inc({ outcome: answer.outcome });
    webhookSeconds.observe(durationMs / 1000);
    const sent = { sentAt: sentAt.toISOString(), signature, durationMs };
    await this.#settle(delivery, lease, answer, sent);
  }

  /** Returns the secrets that can be opened; one sealed under another master key is skipped. */
  #secretsOf({ id, tenantId, endpointId, purpose, sealedSecrets }: outbox.TakenDelivery): string[] {
    // A probe is signed with a random secret, to test whether the receiver verifies signatures.
    if (purpose === "PROBE") return [newSecret()];
    const { database, log } = this.#parts;
    return sealedSecrets.flatMap((sealed) => {
      try {
        return [openSecret(database.vault, { tenantId, id: endpointId, sealed })];
      } catch (error) {
        log.error({ err: error, deliveryId: id, endpointId }, "callback secret cannot be opened");
        return [];
      }
    });
  }

  /**
   * Locks the endpoint before the delivery, the same order as when claiming, to avoid deadlocks.
   */
  async #settle(
    delivery: outbox.TakenDelivery,
    lease: string,
    answer: WebhookAnswer,
    sent: Pick<outbox.SettledAttempt, "sentAt" | "signature" | "durationMs">,
  ): Promise<void> {
    const { tenantId, id, no, purpose, endpointId } = delivery;
    const random = Math.random();
    await this.#parts.database.transaction({ tenantId }, async (db) => {
      const endpoint = await outbox.lockEndpointForDelivery(db, delivery);
      // Locked before its attempt, the same order as in `takeBackOrphans`.
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

const unsigned: WebhookAnswer = { ...noAnswer, outcome: "SIGN_FAILED" };
const notSent = { sentAt: null, signature: null, durationMs: null };

/** The beginning of the receiver's response, with phone numbers and secrets masked. */
function shownOf({ responseText }: WebhookAnswer): string | null {
  if (!responseText) return null;
  // PostgreSQL text cannot store NUL.
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
