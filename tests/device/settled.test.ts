// Results of openings: final when no report is awaited any more, published and counted once, corrected afterwards.
import { beforeAll, describe, expect, it } from "vitest";
import { isSettledSql } from "../../apps/server/src/features/fleet/command/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { OTHER_TENANTS, registry } from "../../apps/server/src/platform/metrics.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { OrderCabinet, runOrderTask, silence } from "./order-fleet.ts";

const fleet = useDeviceFleet();
beforeAll(() => fleet.startGateway());

interface Facts {
  state: string;
  isSettled: boolean;
  events: { type: string; state: string; formerState?: string }[];
}

/** State of the order's only opening, whether it is settled, and the events about it in their order. */
const factsOf = (at: OrderCabinet, orderId: number) =>
  at.within((db) =>
    db.one<Facts>(sql`
      select command.state, ${isSettledSql(sql`command`)} as is_settled,
        (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('type', type, 'state', data -> 'state',
            'formerState', data -> 'formerState')) order by id), '[]')
          from callback_event where order_id = ${orderId} and type like 'opening.%'
            and data ->> 'openingId' = command.id::text) as events
      from command where order_id = ${orderId}`),
  );

/** Counts of `opens_total` and `command_seconds_count` by state. */
async function counts(at: OrderCabinet): Promise<Record<string, number>> {
  const text = await registry.metrics();
  const found: Record<string, number> = {};
  const pattern =
    /^(opens_total|command_seconds_count)\{(?:tenant="(\w+)",|kind="OPEN",)state="(\w+)"\} (\d+)$/gm;
  for (const [, name, tenant, state, value] of text.matchAll(pattern)) {
    // After a hundred tenants of earlier files of this worker, the others share one series.
    const ours = [undefined, String(at.cabinet.tenantId), OTHER_TENANTS];
    if (!ours.includes(tenant) || state === "SENT" || state === "ACKED") continue;
    const key = `${name} ${state}`;
    found[key] = (found[key] ?? 0) + Number(value);
  }
  return found;
}

/** Counts that have changed since `before`. */
async function countedSince(at: OrderCabinet, before: Record<string, number>) {
  const after = await counts(at);
  const changed = Object.entries(after).map(([key, value]) => [key, value - (before[key] ?? 0)]);
  return Object.fromEntries(changed.filter(([, more]) => more !== 0));
}

const once = (state: string) => ({
  [`opens_total ${state}`]: 1,
  [`command_seconds_count ${state}`]: 1,
});

/** Moves the opening's result into the past and runs the job that looks for final ones. */
async function settleAfter(at: OrderCabinet, orderId: number, seconds: number): Promise<void> {
  await at.within((db) =>
    db.run(sql`
      update command set settled_at = settled_at - make_interval(secs => ${seconds})
      where order_id = ${orderId}`),
  );
  await runOrderTask(fleet, "order.settleOpenings");
}

async function unknown() {
  const at = await OrderCabinet.make(fleet);
  const before = await counts(at);
  const { orderId } = await at.start();
  const command = await at.take();
  await silence(at);
  await until("no answer", async () => (await factsOf(at, orderId)).state === "UNKNOWN");
  return { at, before, orderId, command };
}

describe("UNKNOWN", () => {
  it("a late report within ten minutes: settled and counted once, as what it says", async () => {
    const { at, before, orderId, command } = await unknown();
    await settleAfter(at, orderId, 500);
    expect(await factsOf(at, orderId)).toEqual({ state: "UNKNOWN", isSettled: false, events: [] });
    expect(await countedSince(at, before)).toEqual({});
    await at.ack(command, "CONFIRMED");
    await until("the result", async () => (await factsOf(at, orderId)).events.length > 0);
    expect(await factsOf(at, orderId)).toEqual({
      state: "CONFIRMED",
      isSettled: true,
      events: [{ type: "opening.settled", state: "CONFIRMED" }],
    });
    await settleAfter(at, orderId, 500);
    expect(await countedSince(at, before)).toEqual(once("CONFIRMED"));
  });

  it("no report for ten minutes: settled; an even later one corrects it and is not counted", async () => {
    const { at, before, orderId, command } = await unknown();
    await settleAfter(at, orderId, 601);
    await runOrderTask(fleet, "order.settleOpenings");
    const settled = { type: "opening.settled", state: "UNKNOWN" };
    expect(await factsOf(at, orderId)).toEqual({
      state: "UNKNOWN",
      isSettled: true,
      events: [settled],
    });
    expect(await countedSince(at, before)).toEqual(once("UNKNOWN"));
    await at.ack(command, "CONFIRMED");
    await until("the correction", async () => (await factsOf(at, orderId)).events.length > 1);
    expect(await factsOf(at, orderId)).toEqual({
      state: "CONFIRMED",
      isSettled: true,
      events: [settled, { type: "opening.corrected", state: "CONFIRMED", formerState: "UNKNOWN" }],
    });
    expect(await countedSince(at, before)).toEqual(once("UNKNOWN"));
  });
});

it("NOT_CONFIRMED: final after 90 seconds", async () => {
  const at = await OrderCabinet.make(fleet);
  const before = await counts(at);
  const { orderId } = await at.start();
  await at.ack(await at.take(), "NOT_CONFIRMED");
  await settleAfter(at, orderId, 80);
  expect(await factsOf(at, orderId)).toMatchObject({ isSettled: false, events: [] });
  await settleAfter(at, orderId, 11);
  expect(await factsOf(at, orderId)).toEqual({
    state: "NOT_CONFIRMED",
    isSettled: true,
    events: [{ type: "opening.settled", state: "NOT_CONFIRMED" }],
  });
  expect(await countedSince(at, before)).toEqual(once("NOT_CONFIRMED"));
});

it("REJECTED: final at once", async () => {
  const at = await OrderCabinet.make(fleet);
  const before = await counts(at);
  const { orderId } = await at.start();
  const command = await at.take();
  expect(await factsOf(at, orderId)).toMatchObject({ isSettled: false, events: [] });
  await at.ack(command, "REJECTED", undefined, "DOOR_OPEN");
  expect(await factsOf(at, orderId)).toEqual({
    state: "REJECTED",
    isSettled: true,
    events: [{ type: "opening.settled", state: "REJECTED" }],
  });
  expect(await countedSince(at, before)).toEqual(once("REJECTED"));
});

it("a result from before the last day, which no job has looked at: settled without an event", async () => {
  const { at, orderId } = await unknown();
  await at.within((db) =>
    db.run(sql`
      update command set created_at = created_at - interval '25 hours' where order_id = ${orderId}`),
  );
  await settleAfter(at, orderId, 90_000);
  expect(await factsOf(at, orderId)).toEqual({ state: "UNKNOWN", isSettled: true, events: [] });
});
