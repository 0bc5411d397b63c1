// Applies cabinet reports to orders: opening results, closing doors, sensor readings.
import type { Db } from "../../../../platform/db/db.ts";
import { markSeen } from "../../../fleet/command/index.ts";
import type { OrderReports } from "../../../link/device/index.ts";
import { lockWallets } from "../../../money/ledger/index.ts";
import { lockCardsOf } from "../../../money/package/index.ts";
import { addFigures } from "../../../operations/statistics/index.ts";
import { type LockedOrder, lockOrder, type OrderKey } from "./live-order.sql.ts";
import {
  findHolders,
  findNews,
  findOpening,
  findUnseen,
  hasHappened,
  lockCabinetsOfOrders,
  type Opening,
} from "./opening.sql.ts";
import {
  doorClosed,
  openingDidNot,
  openingHappened,
  openingInDoubt,
} from "./order-opening.flow.ts";
import { deviceActor, itemOf, type OrderContext, save } from "./order-transitions.flow.ts";

/** Upper bound far above what one batch of reports can affect. */
const MOST_ORDERS = 1_000;

export const orderReports: OrderReports = {
  async reported(db, tenantId, cabinetIds) {
    const orders = await findNews(db, { tenantId, cabinetIds }, MOST_ORDERS);
    if (orders.length === 0) return;
    // Callers other than a cabinet's report (jobs) do not hold the cabinet locks yet.
    await lockCabinetsOfOrders(db, tenantId, orders);
    const holders = await findHolders(db, tenantId, orders);
    if (holders.length > 1) {
      const orderIds = orders.map(({ orderId }) => orderId);
      await lockCardsOf(db, tenantId, orderIds);
      await lockWallets(db, tenantId, holders);
    }
    for (const order of orders) await follow(db, order);
  },
};

/** Processes everything known about the order's doors. Idempotent. */
export async function follow(db: Db, key: OrderKey): Promise<void> {
  const order = await lockOrder(db, key);
  if (!order) return;
  const context: OrderContext = { db, order, actor: deviceActor };
  for (const opening of await findUnseen(db, order)) {
    await takeResult(context, opening);
    await markSeen(db, order.tenantId, opening.commandId);
  }
  await settleDoubt(context);
  if (isClosedAgain(order)) await doorClosed(context);
  await save(db, order);
}

async function takeResult(context: OrderContext, opening: Opening): Promise<void> {
  const { db, order } = context;
  const { commandId, state, seen, side } = opening;
  const acted = { ...context, commandId };
  // Sensors or a person already proved this opening before the command's own result arrived.
  if (await hasHappened(db, order, commandId)) return;
  const isOpened = state === "CONFIRMED";
  const openings = seen === null ? 1 : 0;
  if (openings > 0 || isOpened) await addFigures(db, order, { openings, opened: Number(isOpened) });
  if (isOpened) return openingHappened(acted, { position: positionOf(opening) });
  const door = side === "BACK" ? order.cell?.doorBack : order.cell?.doorFront;
  // NOT_CONFIRMED proves a shut door only if a working sensor reports it CLOSED; without one nothing is proven.
  const isSeenShut = state === "NOT_CONFIRMED" && door === "CLOSED";
  const isProven = state === "REJECTED" || state === "EXPIRED" || state === "FAILED";
  if (isProven || isSeenShut) return openingDidNot(acted, { state });
  return openingInDoubt(acted);
}

/** Position of the first report that proves the opening, else of the last one before the request. */
function positionOf({ openedBootNo, openedN, askedBootNo, askedN }: Opening) {
  if (openedBootNo !== null && openedN !== null) return { bootNo: openedBootNo, n: openedN };
  return { bootNo: askedBootNo ?? 0, n: askedN ?? 0 };
}

/** Resolves a doubt as opened if a report after the request shows the door open or goods that came or went. */
async function settleDoubt(context: OrderContext): Promise<void> {
  const { db, order } = context;
  const { live, cell } = order;
  if (!live?.doubtId || cell?.reportedBootNo == null || cell.reportedN === null) return;
  const opening = await findOpening(db, order, live.doubtId);
  if (!opening) return;
  const asked = positionOf({ ...opening, openedBootNo: null, openedN: null });
  const isNewer = cell.reportedBootNo - asked.bootNo || cell.reportedN - asked.n;
  if (isNewer <= 0) return;
  const door = opening.side === "BACK" ? cell.doorBack : cell.doorFront;
  const changed = opening.purpose === "DEPOSIT" ? "PRESENT" : "EMPTY";
  if (door !== "OPEN" && itemOf(order) !== changed) return;
  await openingHappened({ ...context, commandId: live.doubtId }, { position: asked });
}

function isClosedAgain({ live, cell }: LockedOrder): boolean {
  if (live?.openedBootNo == null || live.openedN === null) return false;
  if (cell?.reportedBootNo == null || cell.reportedN === null) return false;
  const door = live.openedSide === "BACK" ? cell.doorBack : cell.doorFront;
  const isNewer = cell.reportedBootNo - live.openedBootNo || cell.reportedN - live.openedN;
  return door === "CLOSED" && isNewer > 0 && cell.item !== live.closedItem;
}
