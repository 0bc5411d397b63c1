// Orders under random faults: connections, power and gateways fail while people deposit and pick
// up; seconds here.
import type { ChildProcess } from "node:child_process";
import { hasGoods, isLive } from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { beforeAll, expect, it } from "vitest";
import {
  cancelOrder,
  openOrder,
  orderJobs,
  startOrder,
} from "../../apps/server/src/features/orders/order/index.ts";
import type { Actor } from "../../apps/server/src/platform/actor.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { Refusal } from "../../apps/server/src/platform/errors.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { type FaultPlan, NO_FAULTS } from "../../apps/simulator/src/faults.ts";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { amount } from "../support/deep.ts";
import { insertEndUser } from "../support/orders.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";

const STORM_SECONDS = amount("TORTURE_SECONDS", { sample: 10, deep: 30 });
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const CABINETS = 4;
const DOORS = 3;
const PEOPLE = 4;
const EACH_HAS_FEN = 12_000;
/** Cap of a stay: everybody can pay for all of theirs. */
const MOST_FEN = 300;

const devices = useDeviceFleet();
let tenantId: number;
beforeAll(async () => {
  ({ id: tenantId } = await devices.testServer.makeTenant());
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const within = <Result>(work: (db: Db) => Promise<Result>) =>
  devices.testServer.database.transaction({ tenantId }, work);

interface LiveOrder {
  id: number;
  state: OrderState;
  riderId: number;
  recipientId: number;
}

const findOrders = () =>
  within((db) =>
    db.many<LiveOrder>(sql`
      select id, state, rider_id, recipient_id from storage_order order by id`),
  );

const actorOf = (id: number): Actor => ({ kind: "END_USER", id, name: `用户 ${id}` });

let lastRefusal = "";

/** True if granted, false if refused; any other error is thrown. */
async function tryTo(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    lastRefusal = `${error.code} ${error.message}`;
    return false;
  }
}

/** Orders that do not end, and what is known of them. */
const findStuck = () =>
  within((db) =>
    db.many(sql`
      select ord.id, ord.state, ord.exception_reason, to_jsonb(live_order) as live, to_jsonb(comp) as comp,
        (select jsonb_agg(to_jsonb(command) - 'frames' order by command.created_at) from command
          where command.order_id = ord.id) as commands
      from storage_order ord
      join live_order on live_order.order_id = ord.id
      join compartment comp on comp.cabinet_id = ord.cabinet_id and comp.no = ord.compartment_no`),
  );

const open = (
  order: LiveOrder,
  purpose: "DEPOSIT" | "PICKUP" | "TAKE_BACK",
  more: { afterDoubt?: boolean } = {},
) => {
  const actor = actorOf(purpose === "PICKUP" ? order.recipientId : order.riderId);
  const request = { tenantId, orderId: order.id, purpose, requestId: "storm", ...more };
  return tryTo(within((db) => openOrder(db, actor, request)));
};

/** Moves the minute in which a lock may still open into the past, so that the next snapshot settles the opening. */
const passMinute = () =>
  within(async (db) => {
    await db.run(sql`
      update command set acked_at = acked_at - interval '1 minute',
        expires_at = expires_at - interval '1 minute' where state in ('NOT_CONFIRMED', 'UNKNOWN')`);
    await db.run(sql`update cabinet set resync_due_at = least(resync_due_at, now())`);
  });

/** Lets hours of the stay pass, so that each request has a price of its own. */
const age = (order: LiveOrder, hours: number) =>
  within((db) =>
    db.run(sql`
      update storage_order set stored_at = stored_at - make_interval(hours => ${hours})
      where id = ${order.id} and stored_at is not null`),
  );

const run = (task: string) =>
  orderJobs.tasks[task]?.({}, { database: devices.testServer.database, log: createLog("silent") });
const follow = () => run("order.followDoors");

/** Ends the time of the deposits that nobody can cancel, because goods may lie inside. */
async function timeOut(): Promise<void> {
  await within((db) =>
    db.run(sql`update live_order set deposit_until = now() where deposit_until is not null`),
  );
  await run("order.giveUp");
}

it(
  `no lost goods, no double opening and no lost fen (SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const pick = <Thing>(things: readonly Thing[]) =>
      things[Math.floor(random() * things.length)] as Thing;
    let isStorm = true;
    let gateway: ChildProcess = await devices.forkGateway();
    const faults: FaultPlan = {
      ...NO_FAULTS,
      get drop() {
        return isStorm ? 0.05 : 0;
      },
      get delay() {
        return isStorm ? 300 : 0;
      },
      get duplicate() {
        return isStorm ? 0.3 : 0;
      },
    };
    const fleet: { cabinet: FleetCabinet; machine: Machine }[] = [];
    for (let at = 0; at < CABINETS; at++) {
      const side = at % 2 === 0 ? "SINGLE" : "DOUBLE";
      const cabinet = await devices.addCabinet({ tenantId, side, doors: DOORS });
      const machine = await devices.switchOn(cabinet, {
        ...{ faults, seed: SEED + at, autoCloseMs: 400 },
        isJammed: () => isStorm && random() < 0.1,
        losesPowerAt() {
          if (isStorm && random() < 0.02) gateway.kill("SIGKILL");
          return isStorm && random() < 0.05;
        },
      });
      fleet.push({ cabinet, machine });
    }
    const people = await within(async (db) => {
      await db.run(sql`
        insert into pricing_rule (tenant_id, free_minutes, per_use_fen, step_minutes, step_fen,
          cap_fen, overdue_after_minutes, edited_by)
        values (${tenantId}, 0, 0, 60, 100, ${MOST_FEN}, 1440, 'test')`);
      const ids: number[] = [];
      for (let n = 0; n < PEOPLE; n++) ids.push(await insertEndUser(db, tenantId, ""));
      return ids;
    });
    const hasSessions = () => fleet.every(({ machine }) => machine.hasSession());
    await until("sessions", hasSessions);

    async function act(): Promise<void> {
      const live = (await findOrders()).filter(({ state }) => isLive(state));
      if (live.length === 0 || random() < 0.4) {
        const riderId = pick(people);
        const cabinetId = pick(fleet).cabinet.id;
        const request = {
          tenantId,
          cabinetId,
          size: "S" as const,
          riderId,
          recipientId: pick(people),
        };
        await tryTo(
          within(async (db) => {
            const { orderId } = await startOrder(db, actorOf(riderId), request);
            const opening = { tenantId, orderId, purpose: "DEPOSIT", requestId: "storm" } as const;
            await openOrder(db, actorOf(riderId), opening);
          }),
        );
        return;
      }
      const order = pick(live);
      if (random() < 0.2) await age(order, 1 + Math.floor(random() * 5));
      if (hasGoods(order.state)) await open(order, random() < 0.8 ? "PICKUP" : "TAKE_BACK");
      else if (random() < 0.7) await open(order, "DEPOSIT");
      else
        await tryTo(
          within((db) => cancelOrder(db, actorOf(order.riderId), { tenantId, orderId: order.id })),
        );
    }

    const end = Date.now() + STORM_SECONDS * 1_000;
    while (Date.now() < end) {
      await Promise.all([act(), act(), act()]);
      if (gateway.signalCode) gateway = await devices.forkGateway();
      await sleep(60);
    }
    isStorm = false;
    if (gateway.signalCode) gateway = await devices.forkGateway();
    await until("sessions after the storm", hasSessions, 60_000);

    // Finish every live order: whatever state the faults left it in, its people can end it.
    await until(
      "the last order's end",
      async () => {
        await passMinute();
        await timeOut();
        await follow();
        const live = (await findOrders()).filter(({ state }) => isLive(state));
        for (const order of live) {
          if (hasGoods(order.state)) {
            // A person has looked at the door.
            const looked = { afterDoubt: true };
            if (!(await open(order, "PICKUP", looked))) await open(order, "TAKE_BACK", looked);
          } else {
            const key = { tenantId, orderId: order.id };
            await tryTo(within((db) => cancelOrder(db, actorOf(order.riderId), key)));
          }
        }
        if (live.length > 0) await sleep(500);
        return live.length === 0;
      },
      120_000,
    ).catch(async (error: Error) => {
      const stuck = (await findStuck()).map((row) => JSON.stringify(row));
      throw new Error([error.message, lastRefusal, ...stuck].join("\n"));
    });
    await until(
      "the end of every command",
      async () => {
        const { n } = await within((db) =>
          db.one<{ n: number }>(sql`
          select count(*)::int as n from command where state in ('QUEUED', 'SENT', 'ACKED')`),
        );
        return n === 0;
      },
      30_000,
    );
    await follow();

    for (const { machine } of fleet) {
      const { pulses } = machine.hardware;
      expect(new Set(pulses.map(({ cmdId }) => cmdId)).size).toBe(pulses.length);
    }
    const facts = await within((db) =>
      db.one<Record<string, number>>(sql`
        select (select count(*) from storage_order)::int as orders,
          (select count(*) from storage_order where state in ('COMPLETED', 'TAKEN_BACK'))::int
            as taken_out,
          (select count(*) from command where state = 'UNKNOWN')::int as unknown,
          (select count(*) from live_order)::int as live,
          (select count(*) from compartment where occupancy <> 'FREE')::int as taken,
          (select count(*) from wallet_hold where state = 'HELD')::int as held,
          (select coalesce(sum(held_principal_fen + held_bonus_fen), 0) from wallet)::bigint
            as held_fen,
          (select sum(principal_fen + bonus_fen) from wallet)::bigint as left_fen,
          (select coalesce(sum(paid_principal_fen + paid_bonus_fen), 0) from storage_order)::bigint
            as paid_fen,
          (select coalesce(sum(leg.amount_fen), 0) from ledger_leg leg
            where leg.account = 'ORDER_INCOME')::bigint as income_fen,
          (select coalesce(sum(income_fen), 0) from order_delta)::bigint as figures_fen,
          (select coalesce(sum(started), 0) from order_delta)::int as started_figure,
          (select count(*) from storage_order
            where paid_principal_fen + paid_bonus_fen > price_fen)::int as overpaid,
          (select count(*) from order_event paid
            where paid.kind = 'PAID' and (paid.detail -> 'fen')::bigint > coalesce((
              select max((asked.detail -> 'chargedFen')::bigint) from order_event asked
              where asked.order_id = paid.order_id and asked.kind = 'OPEN_REQUESTED'
                and asked.id < paid.id), 0))::int as unagreed`),
    );
    const printed = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
    process.stdout.write(`orders SEED=${SEED}: ${printed.join(", ")}\n`);
    expect(facts).toMatchObject({
      live: 0,
      taken: 0,
      held: 0,
      heldFen: 0,
      overpaid: 0,
      unagreed: 0,
    });
    expect(facts.paidFen).toBe(facts.incomeFen);
    expect(facts.figuresFen).toBe(facts.incomeFen);
    expect(facts.startedFigure).toBe(facts.orders);
    expect(facts.leftFen).toBe(PEOPLE * EACH_HAS_FEN - Number(facts.incomeFen));
    expect(facts.takenOut).toBeGreaterThan(0);
  },
  STORM_SECONDS * 1_000 + 240_000,
);
