// The demo's callbacks: two addresses, what they were sent of the last days, and the few that went wrong.
import { ORDER_EVENTS } from "@cabinet/contract/callback/callback-event.rules.ts";
import {
  callbackBody,
  newCallbackSecret,
  sealCallbackSecret,
  signCallback,
} from "../features/callback/index.ts";
import type { Db } from "../platform/db.ts";
import type { Vault } from "../platform/secrets.ts";
import { findTellingTenants, findToldSteps } from "./callback.sql.ts";
import { insertNumberedRows, insertRows } from "./rows.sql.ts";

const STEPS = 240;
const EACH_REFUSED = 29;
const EACH_TIMED_OUT = 83;
const ADDRESS = "203.0.113.24";
const DAY_MS = 86_400_000;

interface Attempt {
  startedAt: number;
  outcome: "DELIVERED" | "HTTP_ERROR" | "TIMEOUT" | "GONE";
  status: number | null;
  durationMs: number;
}

/** Both are paused, the one since its receiver is gone: the demo sends nothing out. */
export async function insertCallbacks(db: Db, vault: Vault): Promise<void> {
  for (const tenant of await findTellingTenants(db)) await insertFor(db, vault, tenant);
}

async function insertFor(
  db: Db,
  vault: Vault,
  { tenantId, name }: { tenantId: number; name: string },
): Promise<void> {
  const steps = await findToldSteps(db, tenantId, STEPS);
  if (steps.length === 0) return;
  const madeAt = new Date(Date.parse(steps[0]?.at ?? "") - 20 * DAY_MS).toISOString();
  const url = "https://callback.example.com/cabinet/events";
  const endpoint = (fields: object) => ({
    ...{ tenant_id: tenantId, created_at: madeAt, created_by: name },
    ...{ edited_at: madeAt, edited_by: name, edit_version: 1, failures: 0 },
    ...fields,
  });
  const [orders = 0, faults = 0] = await insertNumberedRows(db, "callback_endpoint", [
    endpoint({
      ...{ name: "配送平台", url, types: ORDER_EVENTS, state: "DISABLED" },
      state_reason: "对方回应 410，不再接收",
      ...{ state_at: steps.at(-1)?.at, last_success_at: steps.at(-1)?.at },
      ...{ probe_result: "REFUSED", probed_at: madeAt },
    }),
    endpoint({
      ...{ name: "工单系统", url: "https://tickets.example.com/hook", state: "DISABLED" },
      ...{ types: ["malfunction.created", "malfunction.resolved"] },
      ...{ state_reason: "等待对方上线", state_at: madeAt, last_success_at: null },
      ...{ probe_result: null, probed_at: null },
    }),
  ]);
  const secrets = [orders, faults].map((id) => ({ id, secret: newCallbackSecret() }));
  await insertRows(
    db,
    "callback_secret",
    secrets.map(({ id, secret }) => ({
      ...{ tenant_id: tenantId, endpoint_id: id, created_at: madeAt, hint: secret.slice(-4) },
      sealed: `\\x${sealCallbackSecret(vault, { tenantId, id }, secret).toString("hex")}`,
    })),
  );
  await insertRows(db, "callback_sequence", [
    { tenant_id: tenantId, app_id: 0, last_seq: steps.length },
  ]);
  const events = steps.map((step, index) => ({
    ...step,
    uid: crypto.randomUUID(),
    seq: index + 1,
  }));
  const eventIds = await insertNumberedRows(
    db,
    "callback_event",
    events.map(({ orderId, at, type, data, uid, seq }) => ({
      ...{ tenant_id: tenantId, uid, at, type, key: `${orderId}:${at}` },
      ...{ order_id: orderId, data, seq },
    })),
  );
  const courses = events.map(({ at }, index) => courseOf(index, Date.parse(at)));
  const goneAt = Date.parse(events.at(-1)?.at ?? "") + 60;
  courses[courses.length - 1] = [
    { startedAt: goneAt, outcome: "GONE", status: 410, durationMs: 85 },
  ];
  const deliveryIds = await insertNumberedRows(
    db,
    "callback_delivery",
    courses.map((attempts, index) => {
      const last = attempts.at(-1) as Attempt;
      const isDelivered = last.outcome === "DELIVERED";
      const endedAt = new Date(last.startedAt + last.durationMs).toISOString();
      return {
        ...{ tenant_id: tenantId, endpoint_id: orders, event_id: eventIds[index] },
        ...{ state: isDelivered ? "DELIVERED" : "DEAD", created_at: events[index]?.at },
        ...{ purpose: "EVENT", round: 1, attempts: attempts.length },
        failures: attempts.length - Number(isDelivered),
        ...{ next_at: null, ended_at: endedAt, delivered_at: isDelivered ? endedAt : null },
        ...{ last_status: last.status, last_outcome: last.outcome },
      };
    }),
  );
  const secret = secrets[0]?.secret ?? "";
  await insertRows(
    db,
    "callback_attempt",
    events.flatMap((event, index) => {
      const body = callbackBody({ ...event, tenantSeq: event.seq });
      return (courses[index] ?? []).map((attempt, at) => {
        const sentAt = new Date(attempt.startedAt);
        return {
          ...{ tenant_id: tenantId, delivery_id: deliveryIds[index], no: at + 1, round: 1, url },
          ...{ started_at: sentAt.toISOString(), sent_at: sentAt.toISOString(), address: ADDRESS },
          signature: signCallback(event.uid, body, [secret], sentAt),
          ...{ outcome: attempt.outcome, status: attempt.status, duration_ms: attempt.durationMs },
          response_type: attempt.status === null ? null : "application/json",
          response_text: attempt.status === 200 ? '{"code":0}' : null,
        };
      });
    }),
  );
}

/** Nearly all are taken at once, some at the second or third time; to the last one the receiver says that it is gone. */
function courseOf(index: number, atMs: number): Attempt[] {
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
