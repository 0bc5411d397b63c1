// Scheduled jobs of orders: expired deposits, overdue goods, unprocessed door reports, monthly partitions.

import { systemActor } from "../../../../platform/actor.ts";
import type { Db } from "../../../../platform/db/db.ts";
import type { JobSet } from "../../../../platform/jobs/jobs.ts";
import { defineAct, type Work, type WorkQueue } from "../../../../platform/work/work.ts";
import { awaitedQueue } from "../../../fleet/command/index.ts";
import { notifyOrderPeople } from "../notify/order-notice.service.ts";
import { lockOrder, type OrderKey } from "./live-order.sql.ts";
import { leftBehindQueue, newsQueue } from "./opening.sql.ts";
import { NOTIFY, type OrderNews } from "./order.queue.ts";
import { depositQueue, ensureMonths, overdueQueue } from "./order-due.sql.ts";
import { giveUp } from "./order-opening.flow.ts";
import { follow, followLeftBehind, settleOpening } from "./order-reports.flow.ts";
import { isDoorAwaited, isPastDue, itemOf, move, save } from "./order-transitions.flow.ts";

const MONTHS_AHEAD = 3;
/** A cabinet that reports again within this time settles a deposit in doubt; afterwards staff must look. */
const PROOF_WITHIN_MINUTES = 10;

/** Each step locks its order, and does nothing if there is nothing to do. */
function orderWork(
  name: string,
  queue: WorkQueue,
  act: (db: Db, key: OrderKey) => Promise<void>,
): Work {
  return defineAct({
    ...{ name, queue, parallel: 2, atOnce: 60 },
    act: (db, { tenantId, key }) => act(db, { tenantId, orderId: Number(key) }),
  });
}

const giveUpWork = orderWork("order.giveUp", depositQueue, expire);
const overdueWork = orderWork("order.becomeOverdue", overdueQueue, fallDue);
const newsWork = orderWork("order.followDoors", newsQueue, follow);
const leftBehindWork = orderWork("order.followLeftBehind", leftBehindQueue, followLeftBehind);
const openingWork = defineAct({
  ...{ name: "order.settleOpenings", queue: awaitedQueue, parallel: 2, atOnce: 60 },
  act: (db, { tenantId, key }) => settleOpening(db, { tenantId, id: key }),
});

export const orderJobs: JobSet = {
  tasks: {
    "order.giveUp": (_payload, tools) => giveUpWork.drain(tools),
    "order.becomeOverdue": (_payload, tools) => overdueWork.drain(tools),
    "order.followDoors": async (_payload, tools) => {
      await newsWork.drain(tools);
      await leftBehindWork.drain(tools);
    },
    "order.settleOpenings": (_payload, tools) => openingWork.drain(tools),
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
