// Order actions of riders and recipients: only on their own orders; doors open through commands
// only.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone, normalizePhone } from "@cabinet/contract/kit/phone.rules.ts";
import { pricingOf, pricingText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import {
  type AppOpening,
  type AppOrder,
  type AppOrderDetail,
  appOrderContract,
} from "@cabinet/contract/orders/app/app-order.contract.ts";
import {
  currentPriceFen,
  type OpenPurpose,
  owedFen,
  paidFen,
  refundedFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { AppCtx, EndUser, PublicCtx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { onceKeyOf, runOnce } from "../../../platform/db/idempotency.sql.ts";
import { Refusal, refuse } from "../../../platform/errors.ts";
import type { Captcha } from "../../identity/auth/index.ts";
import { ensureUser } from "../end-user/index.ts";
import {
  cancelOrder,
  hashCode,
  type OpeningOrder,
  openByCode,
  openOrder,
  payOrder,
  quoteOrder,
  startOrder,
} from "../order/index.ts";
import { actorOf, bearer } from "./app-actor.flow.ts";
import { findCabinetBySn } from "./app-cabinet.sql.ts";
import * as repo from "./app-order.sql.ts";
import { admitTry, takeBack } from "./wrong-code.gate.ts";

type Contract = typeof appOrderContract;
type OpenedDoor = Reply<Contract["pickup"]>;

function doorOf(opening: OpeningOrder): OpenedDoor {
  const { orderId, commandId, no, side, chargedFen, coveredFen } = opening;
  return { orderId, commandId, no, side, chargedFen, coveredFen };
}

export async function deposit(
  ctx: AppCtx,
  { sn, size, recipientPhone, itemNote, pricing: seenPricing }: Input<Contract["deposit"]>["body"],
): Promise<Reply<Contract["deposit"]>> {
  const { db, user, origin } = ctx;
  const { tenantId } = user;
  const cabinet = await findCabinetBySn(db, sn);
  if (!cabinet || cabinet.tenantId !== tenantId) refuse("NOT_FOUND", { what: "设备" });
  const recipient = await ensureUser(db, { tenantId, phone: recipientPhone });
  const actor = actorOf(user);
  const order = await startOrder(db, actor, {
    tenantId,
    cabinetId: cabinet.cabinetId,
    size,
    riderId: user.endUserId,
    recipientId: recipient.id,
    itemNote: itemNote.trim(),
    seenPricing,
  });
  const { orderId, depositUntil } = order;
  const purpose = "DEPOSIT";
  const request = { tenantId, orderId, purpose, requestId: origin.requestId } as const;
  return { ...doorOf(await openOrder(db, actor, request)), depositUntil };
}

export async function listMyOrders(
  { db, user }: AppCtx,
  query: Input<Contract["list"]>["query"],
): Promise<Page<AppOrder>> {
  const page = await repo.findMyOrders(db, user, query);
  return { ...page, list: page.list.map(appOrder) };
}

export async function getMyOrder({ db, user }: AppCtx, id: number): Promise<AppOrderDetail> {
  const row = await requireMine(db, user, id);
  const key = { tenantId: user.tenantId, orderId: id };
  const [opening, quote] = await Promise.all([
    repo.findLastOpening(db, key),
    quoteOrder(db, key, user.endUserId),
  ]);
  return { ...appOrder(row), priceFen: quote.priceFen, owedFen: quote.owedFen, opening };
}

export function appOrder({
  pricing,
  runningMinutes,
  otherPhone,
  ...row
}: repo.AppOrderRow): AppOrder {
  const { rule } = pricingOf(pricing);
  const priceFen = currentPriceFen(rule, { ...row, runningMinutes });
  return {
    ...row,
    otherPhone: otherPhone && maskPhone(otherPhone),
    pricing: pricingText(rule),
    priceFen,
    owedFen: owedFen({ ...row, priceFen }),
    paidFen: paidFen(row),
    refundedFen: refundedFen(row),
  };
}

async function requireMine(db: AppCtx["db"], user: EndUser, id: number): Promise<repo.AppOrderRow> {
  return (await repo.findMyOrder(db, user, id)) ?? refuse("NOT_FOUND", { what: "订单" });
}

export async function openMine(
  { db, user, origin }: AppCtx,
  id: number,
  purpose: OpenPurpose,
  { agreedFen = 0, afterDoubt }: { agreedFen?: number; afterDoubt?: boolean | undefined },
): Promise<OpenedDoor> {
  await requireMine(db, user, id);
  const key = { tenantId: user.tenantId, orderId: id };
  const opening = await openOrder(db, actorOf(user), {
    ...key,
    purpose,
    afterDoubt,
    requestId: origin.requestId,
  });
  requireAgreed(opening, agreedFen);
  return doorOf(opening);
}

/**
 * Refuses to charge more than the person agreed to; the refusal rolls back the hold and the
 * command.
 */
function requireAgreed({ chargedFen }: { chargedFen: number }, agreedFen: number): void {
  if (chargedFen > agreedFen) refuse("PAYMENT_UNAGREED", { owed: yuanOfFen(chargedFen) });
}

export async function cancelMine({ db, user }: AppCtx, id: number) {
  await requireMine(db, user, id);
  const key = { tenantId: user.tenantId, orderId: id };
  return { state: await cancelOrder(db, actorOf(user), key) };
}

export async function payMine({ db, user }: AppCtx, id: number) {
  await requireMine(db, user, id);
  return payOrder(db, actorOf(user), { tenantId: user.tenantId, orderId: id });
}

/**
 * Pickup by code and the end of the recipient's phone. Unknown cabinets, empty cabinets, wrong codes and wrong phones
 * get the same answer. Both right are enough to open the door; the signed-in user pays the amount due.
 */
export async function pickupByCode(
  { database, untilMs, origin, headers, findUser }: PublicCtx,
  captcha: Captcha,
  body: Input<Contract["pickupByCode"]>["body"],
): Promise<OpenedDoor | Refusal> {
  const { sn, code, agreedFen, afterDoubt } = body;
  const phoneTail = normalizePhone(body.phoneTail);
  const user = await findUser();
  const at = { sn, phoneTail, network: origin.network };
  const solved = async () => {
    if (headers["captcha-verification"] === undefined) refuse("CAPTCHA_DUE");
    return captcha.solvedBy(headers);
  };
  const blockSeconds = await database.transaction("platform", (db) => admitTry(db, at, solved));
  // A repeat opens no door and must forgive nothing: somebody with a parcel of their own would guess without end.
  let isRepeat = true;
  const open = async (db: Db) => {
    const cabinet = await findCabinetBySn(db, sn);
    const { tenantId, cabinetId } = cabinet ?? { tenantId: 0, cabinetId: 0 };
    await db.narrow(tenantId);
    // Without a session the code is the caller: a network may change between a request and its repeat.
    // Its HMAC stands for it, since codes are stored in no other form.
    const proof = hashCode(db.vault, { tenantId, cabinetId }, code).toString("base64url");
    const from = { tenantId, actor: user ? `END_USER:${user.endUserId}` : `PICKUP_CODE:${proof}` };
    const content = { ...body, code: proof };
    const key = onceKeyOf(appOrderContract.pickupByCode, headers["idempotency-key"], from, content);
    return runOnce(db, key, () => {
      isRepeat = false;
      return openWith(db, { tenantId, cabinetId });
    });
  };
  const openWith = async (
    db: Db,
    { tenantId, cabinetId }: { tenantId: number; cabinetId: number },
  ) => {
    const isTheirs = user === null || user.tenantId === tenantId;
    const opening = await openByCode(db, user ? actorOf(user) : bearer, {
      ...{ tenantId: isTheirs ? tenantId : 0, cabinetId, code, phoneTail, afterDoubt },
      requestId: origin.requestId,
    });
    if (!opening) return new Refusal("PICKUP_CODE_WRONG");
    requireAgreed(opening, agreedFen);
    return doorOf(opening);
  };
  let outcome: OpenedDoor | Refusal | null = null;
  try {
    outcome = await database.transaction("platform", open, untilMs);
  } finally {
    if (!(outcome instanceof Refusal)) {
      const isPickup = outcome !== null && !isRepeat;
      await database.transaction("platform", (db) => takeBack(db, at, isPickup));
    }
  }
  const isBlocked = outcome instanceof Refusal && blockSeconds > 0;
  return isBlocked ? new Refusal("PICKUP_BLOCKED", { seconds: blockSeconds }) : outcome;
}

export function getOpening({ database }: PublicCtx, commandId: string): Promise<AppOpening> {
  return database.read("platform", async (db) => {
    return (await repo.findOpening(db, commandId)) ?? refuse("NOT_FOUND", { what: "开门记录" });
  });
}
