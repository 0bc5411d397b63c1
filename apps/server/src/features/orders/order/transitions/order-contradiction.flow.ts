// Orders that the sensors contradict: other goods in their compartment, late proofs, goods behind an order that has ended.
import { requestResync } from "../../../link/device/index.ts";
import { reportDeviceFault } from "../../../operations/malfunction/index.ts";
import { addFigures } from "../../../operations/statistics/index.ts";
import { publishState } from "../notify/order-events.flow.ts";
import {
  findLiveOrders,
  insertLiveOrder,
  insertOrderEvent,
  lockOrder,
  updateCompartment,
} from "./live-order.sql.ts";
import { takeCompartment } from "./new-order.sql.ts";
import { hasOpenedSinceReserved } from "./opening.sql.ts";
import { giveUp, UNFOLLOWED } from "./order-opening.flow.ts";
import {
  deviceActor,
  isDoorAwaited,
  isDoorOpen,
  minutesOf,
  move,
  type OrderContext,
  save,
} from "./order-transitions.flow.ts";

/**
 * The cabinet refused the deposit because its sensor does not say EMPTY: the goods of somebody else may lie inside, or
 * the order's own after an opening in doubt, which the next snapshot settles.
 */
export async function compartmentMismatched(context: OrderContext): Promise<void> {
  const { db, order } = context;
  await requestResync(db, order, order.now);
  if (order.state !== "PENDING" || order.live?.doubtId) return;
  const text = "存件开门时，设备检测到格口内有物品或物品传感器异常，请核实";
  await reportDeviceFault(db, order, order.no, "OCCUPANCY_ABNORMAL", text);
  await moveElsewhere(context, "格口内可能有其他物品");
}

/** Reserves another compartment of the same size for an order without goods; without one the order is cancelled. */
async function moveElsewhere(context: OrderContext, reason: string): Promise<void> {
  const { db, order } = context;
  const to = await takeCompartment(db, order);
  if (to === null) {
    const why = `${reason}，且没有其他空闲格口`;
    if (await hasOpenedSinceReserved(db, order))
      return void (await giveUp(context, "CANCELLED", why));
    // Goods behind a door that nobody has opened since are not the order's.
    const happening = { kind: "CANCELLED", item: "EMPTY", isDoorOpen: isDoorOpen(order) } as const;
    await move(context, happening, { reason: why });
    return;
  }
  const from = order.no;
  await updateCompartment(db, order, to);
  Object.assign(order, { no: to, cell: null });
  const detail = { from, to, reason };
  await insertOrderEvent(db, order, { kind: "MOVED", actor: deviceActor, detail });
  await publishState(db, order, "order.moved", `${order.id}:${from}:${to}:${order.now}`);
}

/**
 * A report proves that the order is not as recorded: it becomes an EXCEPTION that holds its compartment, even if it has
 * ended, and staff are notified.
 */
export async function contradict(context: OrderContext, reason: string): Promise<void> {
  const { db, order } = context;
  if (order.live) order.live.forcedAt = null;
  if (order.state === "EXCEPTION") return;
  if (order.live || (await holdAgain(context))) {
    await move(context, { kind: "CONTRADICTED" }, { reason });
  }
  const text = `订单 ${order.id}：${reason}`;
  await reportDeviceFault(db, order, order.no, "OCCUPANCY_ABNORMAL", text);
}

/** Takes the compartment of an ended order back; false if another order may have goods in it, or if it is gone. */
async function holdAgain({ db, order, actor }: OrderContext): Promise<boolean> {
  if (!(await insertLiveOrder(db, order))) {
    const [holder] = await findLiveOrders(db, order, [order.no]);
    const other = holder && (await lockOrder(db, { ...order, orderId: holder.orderId }));
    if (other?.state !== "PENDING" || other.live?.doubtId || isDoorAwaited(other)) return false;
    await moveElsewhere({ db, order: other, actor }, "格口内可能有上一单的物品");
    await save(db, other);
    if (!(await insertLiveOrder(db, order))) return false;
  }
  // Its figures count again when it ends again.
  if (order.storedAt !== null && order.endedAt !== null) {
    await addFigures(db, order, { completed: -1, stayMinutes: -(minutesOf(order) ?? 0) });
  }
  order.endedAt = null;
  order.live = {
    ...{ codeHash: null, depositUntil: null, overdueAt: null, forcedAt: null },
    ...UNFOLLOWED,
    ...{ doubtId: null, doubtState: null, isDoubtProven: false },
  };
  return true;
}
