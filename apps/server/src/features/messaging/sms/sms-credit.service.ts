// SMS credit of tenants: recharged, reversed, held for a message and spent on it.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { moneyText } from "@cabinet/contract/kit/money.rules.ts";
import type { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { operatorActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import * as repo from "./sms-credit.sql.ts";

type Contract = typeof smsCreditContract;

export async function getAccount(ctx: Ctx, tenantId?: number): Promise<Reply<Contract["info"]>> {
  const found = await repo.findAccount(ctx.db, ctx.session, tenantId ?? ctx.session.tenantId);
  return found ?? refuse("NOT_FOUND", { what: "租户" });
}

export async function listRecharges(
  ctx: Ctx,
  query: Input<Contract["records"]>["query"],
): Promise<Reply<Contract["records"]>> {
  requireSpan(query);
  return repo.findRecharges(ctx.db, ctx.session, query);
}

export function sumOfRecharges(
  ctx: Ctx,
  query: Input<Contract["recordSums"]>["query"],
): Promise<Reply<Contract["recordSums"]>> {
  requireSpan(query);
  return repo.sumRecharges(ctx.db, ctx.session, query);
}

export async function listEntries(
  ctx: Ctx,
  query: Input<Contract["entries"]>["query"],
): Promise<Reply<Contract["entries"]>> {
  requireSpan(query);
  return repo.findEntries(ctx.db, ctx.session, query);
}

export async function recharge(
  ctx: Ctx,
  { tenantId, segments, amountFen, reason }: Input<Contract["recharge"]>["body"],
): Promise<Reply<Contract["recharge"]>> {
  const { db } = ctx;
  const tenant = await requireTenant(ctx, tenantId);
  const before = await repo.lockAccount(db, tenant.id);
  const id = await repo.insertRecharge(db, {
    tenantId: tenant.id,
    segments,
    amountFen,
    reversesId: null,
    reason: reason.trim(),
    actor: operatorActor(ctx.session),
  });
  await book(db, { tenantId: tenant.id, kind: "RECHARGE", segments, id });
  const left = before.balance - before.held + segments;
  ctx.audit({
    tenantId: tenant.id,
    target: `短信充值 ${tenant.name}：${segments} 条，${moneyText(amountFen)}`,
    reason: reason.trim(),
    before: { left: left - segments },
    after: { left, rechargeId: id, segments, amountFen },
  });
  return { id, left };
}

/** Reverses a whole recharge, once; never more than the tenant still has. */
export async function reverseRecharge(
  ctx: Ctx,
  id: number,
  reason: string,
): Promise<Reply<Contract["reverse"]>> {
  const { db } = ctx;
  const found = (await repo.findRecharge(db, id)) ?? refuse("NOT_FOUND", { what: "充值记录" });
  const { tenantId, segments, amountFen } = found;
  const before = await repo.lockAccount(db, tenantId);
  // A concurrent reversal may have committed before this transaction got the lock.
  const { isReversed, reversesId } = (await repo.findRecharge(db, id)) ?? found;
  if (reversesId !== null || isReversed) {
    const state = reversesId === null ? "已撤回" : "撤回";
    refuse("STATE_NOT_ALLOWED", { what: "充值记录", state, action: "撤回" });
  }
  const left = before.balance - before.held - segments;
  if (left < 0) refuse("SMS_CREDIT_USED", { segments, left: left + segments });
  const reversalId = await repo.insertRecharge(db, {
    tenantId,
    segments: -segments,
    amountFen: -amountFen,
    reversesId: id,
    reason: reason.trim(),
    actor: operatorActor(ctx.session),
  });
  await book(db, { tenantId, kind: "REVERSAL", segments: -segments, id: reversalId });
  ctx.audit({
    tenantId,
    target: `撤回短信充值 ${found.tenantName}：${segments} 条，${moneyText(amountFen)}`,
    reason: reason.trim(),
    before: { left: left + segments, rechargeId: id },
    after: { left, reversalId },
  });
  return { id: reversalId, left };
}

async function book(
  db: Db,
  entry: { tenantId: number; kind: "RECHARGE" | "REVERSAL"; segments: number; id: number },
): Promise<void> {
  const { tenantId, kind, segments, id } = entry;
  const booked = await repo.insertEntry(db, {
    tenantId,
    kind,
    segments,
    bizType: "SMS_RECHARGE",
    bizId: id,
  });
  if (!booked) throw new Error(`recharge ${id} could not be booked`);
}

/**
 * Holds the cost of a message before it is given to a carrier. False when the tenant has too little left, or
 * would keep less than `reserve`. Idempotent for a message already held or paid.
 */
export async function holdSmsCredit(
  db: Db,
  { segments, reserve = 0, ...message }: repo.MessageKey & { segments: number; reserve?: number },
): Promise<boolean> {
  const account = await repo.lockAccount(db, message.tenantId);
  const earlier = await repo.findHold(db, message);
  if (earlier && earlier.state !== "RELEASED") return true;
  if (account.balance - account.held < segments + reserve) return false;
  await repo.writeHold(db, message, segments);
  return true;
}

/** The carrier took the message: captures the hold. Idempotent; false when the hold was released. */
export async function postSmsCredit(db: Db, message: repo.MessageKey): Promise<boolean> {
  const hold = await lockHoldOrThrow(db, message);
  if (hold.state !== "HELD") return hold.state === "POSTED";
  const booked = await repo.insertEntry(db, {
    tenantId: message.tenantId,
    kind: "USE",
    segments: -hold.segments,
    bizType: "SMS_MESSAGE",
    bizId: message.smsId,
    released: hold.segments,
  });
  if (!booked) throw new Error(`message ${message.smsId} is held and could not be paid`);
  await repo.settleHold(db, message, "POSTED");
  return true;
}

/** The carrier did not take the message: releases the hold. False when it was already captured. */
export async function releaseSmsCredit(db: Db, message: repo.MessageKey): Promise<boolean> {
  const hold = await lockHoldOrThrow(db, message);
  if (hold.state !== "HELD") return hold.state === "RELEASED";
  await repo.freeHeld(db, message.tenantId, hold.segments);
  await repo.settleHold(db, message, "RELEASED");
  return true;
}

/** Hold of the message, read under the account's lock. */
async function lockHoldOrThrow(db: Db, message: repo.MessageKey): Promise<repo.SmsHold> {
  await repo.lockAccount(db, message.tenantId);
  const hold = await repo.findHold(db, message);
  if (!hold) throw new Error(`nothing is held for message ${message.smsId}`);
  return hold;
}
