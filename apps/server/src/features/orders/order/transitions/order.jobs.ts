// Scheduled jobs of orders: expired deposits, overdue goods, unprocessed door reports, monthly partitions.

import { systemActor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { forEachKey, type JobSet } from "../../../../platform/jobs/jobs.ts";
import { findAwaited } from "../../../fleet/command/index.ts";
import { notifyOrderPeople } from "../notify/order-notice.service.ts";
import { lockOrder, type OrderKey } from "./live-order.sql.ts";
import { findLeftBehind, findNews } from "./opening.sql.ts";
import { NOTIFY, type OrderNews } from "./order.queue.ts";
import { ensureMonths, findOverdue, findUnfinished } from "./order-due.sql.ts";
import { giveUp } from "./order-opening.flow.ts";
import { follow, followLeftBehind, settleOpening } from "./order-reports.flow.ts";
import { isDoorAwaited, isPastDue, itemOf, move, save } from "./order-transitions.flow.ts";

/** Batch size per run; the rest waits for the next minute. */
const A_MINUTE = 500;
const MONTHS_AHEAD = 3;
/** A cabinet that reports again within this time settles a deposit in doubt; afterwards staff must look. */
const PROOF_WITHIN_MINUTES = 10;
const FAILURE = "order not looked after";

export const orderJobs: JobSet = {
  tasks: {
    "order.giveUp": async (_payload, tools) => {
      await forEachKey(tools, (db) => findUnfinished(db, A_MINUTE), expire, FAILURE);
    },
    "order.becomeOverdue": async (_payload, tools) => {
      await forEachKey(tools, (db) => findOverdue(db, A_MINUTE), fallDue, FAILURE);
    },
    // Catches up on reports that a gateway stored but did not apply to orders before it died.
    "order.followDoors": async (_payload, tools) => {
      await forEachKey(tools, (db) => findNews(db, "all", A_MINUTE), follow, FAILURE);
      await forEachKey(tools, (db) => findLeftBehind(db, A_MINUTE), followLeftBehind, FAILURE);
    },
    "order.settleOpenings": async (_payload, tools) => {
      await forEachKey(tools, (db) => findAwaited(db, A_MINUTE), settleOpening, FAILURE);
    },
    [NOTIFY]: (news, { database }) => notifyOrderPeople(database, news as OrderNews),
    "order.ensureMonths": async (_payload, { database }) => {
      await database.transaction("platform", (db) => ensureMonths(db, MONTHS_AHEAD));
    },
  },
  // The longest reservation that a third party may ask for.
  waitingTimes: [{ column: "live_order.deposit_until", atMost: "241 minutes" }],
  cron: [
    { task: "order.giveUp", pattern: "* * * * *" },
    { task: "order.becomeOverdue", pattern: "* * * * *" },
    { task: "order.followDoors", pattern: "* * * * *" },
    { task: "order.settleOpenings", pattern: "* * * * *" },
    { task: "order.ensureMonths", pattern: "20 18 * * *" },
  ],
};

async function expire(db: Db, key: OrderKey): Promise<void> {
  const order = await lockOrder(db, key);
  const until = order?.live?.depositUntil;
  if (!order || !until || Date.parse(until) > Date.parse(order.now)) return;
  // Door still in flight, or a snapshot that settles a doubt: the next run, a minute later, retries.
  const isPatient = Date.parse(order.now) < Date.parse(until) + PROOF_WITHIN_MINUTES * 60_000;
  const isUnproven = order.live?.doubtId != null && !order.live.isDoubtProven;
  const hasSensor = itemOf(order) !== "UNKNOWN";
  if (isDoorAwaited(order) || (isUnproven && hasSensor && isPatient)) return;
  await giveUp({ db, order, actor: systemActor }, "DEPOSIT_TIMED_OUT");
  await save(db, order);
}

async function fallDue(db: Db, key: OrderKey): Promise<void> {
  const order = await lockOrder(db, key);
  if (!order?.live || !isPastDue(order)) return;
  const scene = { db, order, actor: systemActor };
  if (!(await move(scene, { kind: "BECAME_OVERDUE" }))) return;
  await save(db, order);
}
