// Applies cabinet reports to orders: opening results, closing doors, sensor readings.
import { hasGoods } from "@cabinet/contract/orders/order/order.rules.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Db } from "../../../../platform/db/db.ts";
import { type CommandKey, markSeen, settleFinally } from "../../../fleet/command/index.ts";
import type { OrderReports } from "../../../link/device/index.ts";
import { lockWallets } from "../../../money/ledger/index.ts";
import { lockCardsOf } from "../../../money/package/index.ts";
import { addFigures } from "../../../operations/statistics/index.ts";
import { publishResult } from "../notify/order-events.flow.ts";
import {
  addUnreachable,
  findLiveOrders,
  type LockedOrder,
  lockOrder,
  type OrderKey,
  type Position,
} from "./live-order.sql.ts";
import {
  findHolders,
  findNews,
  findOpening,
  findOrderIdOf,
  findUnseen,
  hasHappened,
  isLastOpening,
  lockCabinetsOfOrders,
  type Opening,
} from "./opening.sql.ts";
import { compartmentMismatched, contradict } from "./order-contradiction.flow.ts";
import {
  doorClosed,
  openingDidNot,
  openingHappened,
  openingInDoubt,
  UNFOLLOWED,
} from "./order-opening.flow.ts";
import {
  deviceActor,
  hasSeenGoods,
  isDoorOpen,
  isNewerThan,
  itemOf,
  type OrderContext,
  save,
} from "./order-transitions.flow.ts";

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

  returned: addUnreachable,

  async forced(db, { no, ...cabinet }) {
    const [holder] = await findLiveOrders(db, cabinet, [no]);
    const order = holder && (await lockOrder(db, { ...cabinet, orderId: holder.orderId }));
    if (!order?.live || !hasGoods(order.state) || order.state === "EXCEPTION") return;
    order.live.forcedAt = order.now;
    await save(db, order);
  },
};

/** An order that has ended while the sensor still sees goods in its compartment becomes an exception. */
export async function followLeftBehind(db: Db, key: OrderKey): Promise<void> {
  const order = await lockOrder(db, key);
  if (!order || order.live || itemOf(order) !== "PRESENT") return;
  const context: OrderContext = { db, order, actor: deviceActor };
  await contradict(context, "订单已结束，但传感器显示格口内有物品，请核实");
  await save(db, order);
}

/** A result that a late report may still change counts as final: none has come for long enough. */
export async function settleOpening(db: Db, command: CommandKey): Promise<void> {
  const { tenantId, id } = command;
  const orderId = await findOrderIdOf(db, command);
  // Before the command's row, as in `follow`.
  const order = orderId === null ? null : await lockOrder(db, { tenantId, orderId });
  if (!(await settleFinally(db, command)) || !order) return;
  const opening = await findOpening(db, order, id);
  if (opening?.purpose) await publishResult(db, order, opening);
}

/** Processes everything known about the order's doors. Idempotent. */
export async function follow(db: Db, key: OrderKey): Promise<void> {
  const order = await lockOrder(db, key);
  if (!order) return;
  const context: OrderContext = { db, order, actor: deviceActor };
  for (const opening of await findUnseen(db, order)) {
    await takeResult(context, opening);
    await publishResult(db, order, opening);
    await markSeen(db, order.tenantId, opening.commandId);
  }
  await settleDoubt(context);
  if (isClosedAgain(order)) {
    if (isOfOneCabinet(order)) await doorClosed(context);
    else await takenOver(context);
  }
  if (order.live?.forcedAt && hasGoods(order.state) && itemOf(order) === "EMPTY") {
    await contradict(context, "箱门在没有开门指令时打开过，格口内已没有物品");
  }
  await save(db, order);
}

async function takeResult(context: OrderContext, opening: Opening): Promise<void> {
  const { db, order } = context;
  const { commandId, state, seen } = opening;
  const acted = { ...context, commandId };
  // Sensors or a person already proved this opening before the command's own result arrived.
  const isProven = state === "REJECTED" || state === "EXPIRED" || state === "FAILED";
  if (await hasHappened(db, order, commandId)) {
    if (isProven && (await isLastOpening(db, order, commandId))) {
      await contradict(context, "设备后来证实箱门没有打开，物品去向请核实");
    }
    return;
  }
  const isOpened = state === "CONFIRMED";
  const openings = seen === null ? 1 : 0;
  if (openings > 0 || isOpened) await addFigures(db, order, { openings, opened: Number(isOpened) });
  if (isOpened) {
    await openingHappened(acted, { position: positionOf(opening) });
    if (opening.purpose === "DEPOSIT") await depositConfirmedLate(context, positionOf(opening));
    return;
  }
  // NOT_CONFIRMED proves nothing yet: a person may still pull the door open.
  if (!isProven) return openingInDoubt(acted, opening);
  await openingDidNot(acted, { state });
  if (opening.refusal === "ITEM_MISMATCH") await compartmentMismatched(context);
}

/** An order that ended without goods: they may lie inside unless a later report shows the compartment empty and shut. */
async function depositConfirmedLate(context: OrderContext, opened: Position): Promise<void> {
  const { order } = context;
  if (order.live || order.storedAt !== null) return;
  const isEmpty = isNewerThan(opened, order.cell) && itemOf(order) === "EMPTY";
  if (isEmpty && !isDoorOpen(order)) return;
  await contradict(context, "存件的箱门后来证实打开过，格口内可能有物品，请核实");
}

/** Position of the first report that proves the opening, else of the last one before the request. */
function positionOf({ openedBootNo, openedN, askedBootNo, askedN }: Opening) {
  if (openedBootNo !== null && openedN !== null) return { bootNo: openedBootNo, n: openedN };
  return { bootNo: askedBootNo ?? 0, n: askedN ?? 0 };
}

/**
 * Resolves a doubt as opened if a report after the request shows the door open or goods that came or went; as not opened
 * if a pulse was given and a report that is late enough shows the door shut and the goods where they were.
 */
async function settleDoubt(context: OrderContext): Promise<void> {
  const { db, order } = context;
  const { live, cell } = order;
  if (!live?.doubtId || !cell) return;
  const opening = await findOpening(db, order, live.doubtId);
  // The door that another cabinet shows may be its own.
  if (!opening || opening.epoch < order.lineEpoch) return;
  // Nobody requested the door that opened last.
  if (live.forcedAt && Date.parse(live.forcedAt) > Date.parse(opening.provenFrom)) return;
  const asked = positionOf({ ...opening, openedBootNo: null, openedN: null });
  if (!isNewerThan(asked, cell)) return;
  const acted = { ...context, commandId: live.doubtId };
  const door = doorOf(cell, opening.side);
  const changed = { DEPOSIT: "PRESENT", PICKUP: "EMPTY", TAKE_BACK: "EMPTY" }[opening.purpose];
  // A sensor that said so before has seen nothing happen.
  const isNews = itemOf(order) === changed && opening.askedItem !== changed;
  const isChanged = isNews && (changed === "PRESENT" || hasSeenGoods(order));
  const isSeen = (door === "OPEN" && opening.askedDoor !== "OPEN") || isChanged;
  // Staff who opened the door to look inside decide themselves.
  if (isSeen && opening.isFollowedByOthers) return;
  if (isSeen) return openingHappened(acted, { position: asked });
  const isShut = opening.state === "NOT_CONFIRMED" && live.isDoubtProven && door === "CLOSED";
  if (isShut) await openingDidNot(acted, opening);
}

function doorOf(cell: NonNullable<LockedOrder["cell"]>, side: DoorSide) {
  return { FRONT: cell.doorFront, BACK: cell.doorBack }[side];
}

function isClosedAgain({ live, cell }: LockedOrder): boolean {
  if (!cell || live?.openedBootNo == null || live.openedN === null) return false;
  const door = doorOf(cell, live.openedSide ?? "FRONT");
  const isNewer = isNewerThan({ bootNo: live.openedBootNo, n: live.openedN }, cell);
  return door === "CLOSED" && isNewer && cell.item !== live.closedItem;
}

/** The shut door and its compartment are those that opened. */
function isOfOneCabinet(order: LockedOrder): boolean {
  if ((order.live?.openedBootNo ?? 0) < order.lineBootNo) return false;
  return order.state !== "PICKING" || hasSeenGoods(order);
}

/** Nobody knows what became of goods behind a door that opened at one cabinet and is shown shut by another one. */
async function takenOver(context: OrderContext): Promise<void> {
  const { live } = context.order;
  if (live) Object.assign(live, UNFOLLOWED);
  await contradict(context, "开门以后可能换了一台设备上报，格口内的物品请核实");
}
