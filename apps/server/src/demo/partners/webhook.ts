// Webhooks of the demo: three endpoints, their deliveries as long as they are kept, and a few failures.
import { ORDER_EVENTS } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import {
  newWebhookSecret,
  sealWebhookSecret,
  signWebhook,
  webhookBody,
} from "../../features/messaging/webhook/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { insertNumberedRows, insertRows } from "../rows.sql.ts";
import { RECEIVER_URL } from "./receiver.ts";
import {
  findOrderingApp,
  findPublishedSteps,
  findPublishingTenants,
  type PublishedStep,
} from "./webhook.sql.ts";

const RECENT_STEPS = 240;
const EACH_REFUSED = 29;
const EACH_TIMED_OUT = 83;
const ADDRESS = "203.0.113.24";
const OWN_URL = "https://service.example.com/cabinet/events";
/** Earlier endpoint of the delivery company, before the demo's receiver took over. */
const THEIR_URL = "https://callback.example.com/cabinet/events";
const DAY_MS = 86_400_000;

interface Attempt {
  startedAt: number;
  outcome: "DELIVERED" | "HTTP_ERROR" | "TIMEOUT" | "GONE";
  status: number | null;
  durationMs: number;
}

/**
 * Only one endpoint is enabled: the delivery company's, served by a receiver on this machine. The others are
 * paused, one because its receiver is gone (HTTP 410): the demo sends nothing to the network.
 */
export async function insertWebhooks(db: Db): Promise<void> {
  for (const tenant of await findPublishingTenants(db)) await insertFor(db, tenant);
}

async function insertFor(
  db: Db,
  { tenantId, name }: { tenantId: number; name: string },
): Promise<void> {
  const steps = await findPublishedSteps(db, tenantId, RECENT_STEPS);
  if (steps.length === 0) return;
  const recent = steps.find(({ isRecent }) => isRecent);
  const app = await findOrderingApp(db, tenantId);
  const madeAt = new Date(Date.parse(steps[0]?.at ?? "") - 20 * DAY_MS).toISOString();
  const endpoint = (fields: object) => ({
    ...{ tenant_id: tenantId, created_at: madeAt, created_by: name, app_id: null },
    ...{ edited_at: madeAt, edited_by: name, edit_version: 1, failures: 0 },
    ...{ state_at: madeAt, last_success_at: null, last_failure_at: null },
    ...{ probe_result: null, probed_at: null, told_trouble: "FAILING" },
    told_at: new Date().toISOString(),
    ...fields,
  });
  const events = numbered(steps);
  const published = events.filter(({ appSeq }) => appSeq !== null);
  const tries = events.map(({ at }, index) => attemptsOf(index, Date.parse(at)));
  const goneAt = Date.parse(events.at(-1)?.at ?? "") + 60;
  tries[tries.length - 1] = [{ startedAt: goneAt, outcome: "GONE", status: 410, durationMs: 85 }];
  const ownAttempts = events.map(({ at, appSeq }, index) =>
    appSeq === null ? [] : attemptsOf(index + 3, Date.parse(at)),
  );
  const [faults = 0, own = 0, theirs = 0] = await insertNumberedRows(db, "callback_endpoint", [
    endpoint({
      ...{ name: "工单系统", url: "https://tickets.example.com/hook", state: "DISABLED" },
      ...{ types: ["malfunction.created", "malfunction.resolved"] },
      state_reason: "等待第三方上线",
    }),
    endpoint({
      ...{ name: "客服系统", url: OWN_URL, types: ORDER_EVENTS, state: "DISABLED" },
      ...{ created_at: recent?.at, edited_at: recent?.at },
      state_reason: "第三方回应 410，不再接收",
      ...{ state_at: steps.at(-1)?.at, last_success_at: steps.at(-2)?.at },
      last_failure_at: lastFailure(tries),
      ...{ probe_result: "REFUSED", probed_at: madeAt },
    }),
    endpoint({
      ...{ name: app.name, url: RECEIVER_URL, types: ORDER_EVENTS },
      ...{ app_id: app.id, state: "ENABLED", last_success_at: published.at(-1)?.at ?? null },
      last_failure_at: lastFailure(ownAttempts),
      state_reason: "演示程序在本机代第三方接收、验签并回应",
      ...{ probe_result: "REFUSED", probed_at: madeAt },
    }),
  ]);
  const secrets = [faults, own, theirs].map((id) => ({ id, secret: newWebhookSecret() }));
  await insertRows(
    db,
    "callback_secret",
    secrets.map(({ id, secret }) => ({
      ...{ tenant_id: tenantId, endpoint_id: id, created_at: madeAt, hint: secret.slice(-4) },
      sealed: `\\x${sealWebhookSecret(db.vault, { tenantId, id }, secret).toString("hex")}`,
    })),
  );
  await insertRows(db, "callback_sequence", [
    { tenant_id: tenantId, app_id: 0, last_seq: events.length },
    { tenant_id: tenantId, app_id: app.id, last_seq: published.length },
  ]);
  const ids = await insertNumberedRows(
    db,
    "callback_event",
    events.map(({ orderId, appId, at, type, data, uid, seq, appSeq }) => ({
      ...{ tenant_id: tenantId, uid, at, type, key: `${orderId}:${at}`, app_id: appId },
      ...{ order_id: orderId, data, seq, app_seq: appSeq },
    })),
  );
  const [, ownSecret, theirSecret] = secrets.map(({ secret }) => secret);
  const receivers = {
    own: { endpointId: own, url: OWN_URL, secret: ownSecret ?? "" },
    theirs: { endpointId: theirs, url: THEIR_URL, secret: theirSecret ?? "" },
  };
  const deliveries = events.flatMap((event, nth): DemoDelivery[] => {
    const eventId = ids[nth] ?? 0;
    const toOwn = { ...receivers.own, event, eventId, tenantSeq: event.seq };
    const toTheirs = { ...receivers.theirs, event, eventId, tenantSeq: event.appSeq ?? 0 };
    return [
      ...(event.isRecent ? [{ ...toOwn, attempts: tries[nth] ?? [] }] : []),
      ...(event.appSeq === null ? [] : [{ ...toTheirs, attempts: ownAttempts[nth] ?? [] }]),
    ];
  });
  await insertDeliveries(db, tenantId, deliveries);
}

interface NumberedStep extends PublishedStep {
  uid: string;
  seq: number;
  appSeq: number | null;
}

/** Numbers events per tenant and per application. */
function numbered(steps: readonly PublishedStep[]): NumberedStep[] {
  let ofApp = 0;
  return steps.map((step, index) => ({
    ...step,
    ...{ uid: crypto.randomUUID(), seq: index + 1 },
    appSeq: step.appId === null ? null : ++ofApp,
  }));
}

/** Delivery of one event to one endpoint. */
interface DemoDelivery {
  endpointId: number;
  url: string;
  secret: string;
  event: NumberedStep;
  eventId: number;
  tenantSeq: number;
  attempts: readonly Attempt[];
}

async function insertDeliveries(
  db: Db,
  tenantId: number,
  deliveries: readonly DemoDelivery[],
): Promise<void> {
  const ids = await insertNumberedRows(
    db,
    "callback_delivery",
    deliveries.map(({ endpointId, event, eventId, attempts }) => {
      const last = attempts.at(-1) as Attempt;
      const isDelivered = last.outcome === "DELIVERED";
      const endedAt = new Date(last.startedAt + last.durationMs).toISOString();
      return {
        ...{ tenant_id: tenantId, endpoint_id: endpointId, event_id: eventId },
        ...{ state: isDelivered ? "DELIVERED" : "DEAD", created_at: event.at },
        ...{ purpose: "EVENT", round: 1, attempts: attempts.length },
        failures: attempts.length - Number(isDelivered),
        ...{ next_at: null, ended_at: endedAt, delivered_at: isDelivered ? endedAt : null },
        ...{ last_status: last.status, last_outcome: last.outcome },
      };
    }),
  );
  await insertRows(
    db,
    "callback_attempt",
    deliveries.flatMap(({ event, tenantSeq, url, secret, attempts }, index) => {
      const body = webhookBody({ ...event, tenantSeq });
      return attempts.map((attempt, at) => {
        const sentAt = new Date(attempt.startedAt);
        return {
          ...{ tenant_id: tenantId, delivery_id: ids[index], no: at + 1, round: 1, url },
          ...{ started_at: sentAt.toISOString(), sent_at: sentAt.toISOString(), address: ADDRESS },
          signature: signWebhook(event.uid, body, [secret], sentAt),
          ...{ outcome: attempt.outcome, status: attempt.status, duration_ms: attempt.durationMs },
          response_type: attempt.status === null ? null : "application/json",
          response_text: attempt.status === 200 ? '{"code":0}' : null,
        };
      });
    }),
  );
}

/** Time of the last failed attempt; null if none. */
function lastFailure(tries: readonly Attempt[][]): string | null {
  const failed = tries.flat().filter(({ outcome }) => outcome !== "DELIVERED");
  const last = Math.max(0, ...failed.map(({ startedAt }) => startedAt));
  return last === 0 ? null : new Date(last).toISOString();
}

/** Most are delivered at once, some at the second or third attempt; the last endpoint answers that it is gone. */
function attemptsOf(index: number, atMs: number): Attempt[] {
  const durationMs = 60 + ((index * 37) % 180);
  const take = (startedAt: number): Attempt => ({
    ...{ startedAt, outcome: "DELIVERED", status: 200, durationMs },
  });
  if (index % EACH_TIMED_OUT === 5) {
    const first = { startedAt: atMs, outcome: "TIMEOUT" as const, status: null };
    return [{ ...first, durationMs: 10_000 }, take(atMs + 15_000)];
  }
  if (index % EACH_REFUSED === 7) {
    const refused = { outcome: "HTTP_ERROR" as const, status: 502, durationMs };
    const at = [atMs, atMs + 5_400];
    return [...at.map((startedAt) => ({ startedAt, ...refused })), take(atMs + 305_000)];
  }
  return [take(atMs + 40 + (index % 50))];
}
