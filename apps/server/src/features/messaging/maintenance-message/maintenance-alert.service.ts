// Processes a due malfunction alert: first notice, escalation to others, or nothing more to do.
import {
  judgeAlert,
  quietUntil,
  type TenantKind,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import {
  findNow,
  findOccurrence,
  lockDueAlert,
  type MalfunctionKey,
  saveAlert,
} from "./maintenance-notice.sql.ts";
import { firstRecipients, ruleFor } from "./maintenance-rule.service.ts";
import { findRecipient, findRecipients } from "./maintenance-rule.sql.ts";
import { notifyStaff } from "./staff-notice.service.ts";

export async function followAlert(db: Db, key: MalfunctionKey): Promise<void> {
  const alert = await lockDueAlert(db, key);
  if (!alert) return;
  const { tenantId, id } = key;
  const { kind, place, detail, storeId, nowMs } = alert;
  const rule = await ruleFor(db, tenantId, kind);
  const step = judgeAlert(alert, rule, nowMs);
  if (step.do === "END") return saveAlert(db, key, null, null);
  if (step.do === "WAIT") return saveAlert(db, key, null, step.untilMs);
  if (step.do === "TOLD") return saveAlert(db, key, "FIRST", step.nextMs);
  const occasion = { tenantId, storeId };
  const recipients =
    step.step === "FIRST"
      ? (await firstRecipients(db, occasion, rule)).first
      : await findRecipients(db, occasion, "ESCALATION", rule);
  const quietMs = quietUntil(nowMs, rule);
  const { byConsole, bySms } = rule;
  await notifyStaff(db, {
    ...{ tenantId, malfunctionId: id, step: step.step, kind, place, detail },
    ...{ recipients, byConsole, bySms },
    smsDueAt: quietMs === null ? null : new Date(quietMs).toISOString(),
  });
  await saveAlert(db, key, step.step, step.nextMs);
}

/** Minimum interval between two notices of the same kind, in ms. */
export async function calmMsOf(db: Db, tenantId: number, kind: TenantKind): Promise<number> {
  return (await ruleFor(db, tenantId, kind)).calmMinutes * 60_000;
}

/**
 * Notice about the tenant as a whole, by the rule of its kind; there is no malfunction to accept.
 */
export async function notifyTenantStaff(
  db: Db,
  { tenantId, ...message }: { tenantId: number; kind: TenantKind; place: string; detail: string },
): Promise<void> {
  const rule = await ruleFor(db, tenantId, message.kind);
  if (!rule.isOn) return;
  const { byConsole, bySms } = rule;
  const { first: recipients } = await firstRecipients(db, { tenantId, storeId: null }, rule);
  const quietMs = quietUntil(await findNow(db), rule);
  await notifyStaff(db, {
    ...{ tenantId, malfunctionId: null, step: "FIRST", ...message },
    ...{ recipients, byConsole, bySms },
    smsDueAt: quietMs === null ? null : new Date(quietMs).toISOString(),
  });
}

/**
 * Notifies the assignee by the rule of the kind; always in the console, even if the rule is off.
 */
export async function notifyAssignee(
  db: Db,
  key: MalfunctionKey,
  operatorId: number,
): Promise<void> {
  const { tenantId, id } = key;
  const recipient = await findRecipient(db, tenantId, operatorId);
  if (!recipient) return;
  const { kind, place, detail, nowMs } = await findOccurrence(db, key);
  const rule = await ruleFor(db, tenantId, kind);
  const quietMs = quietUntil(nowMs, rule);
  await notifyStaff(db, {
    ...{ tenantId, malfunctionId: id, step: "ASSIGNED", kind, place, detail },
    ...{ recipients: [recipient], byConsole: true, bySms: rule.isOn && rule.bySms },
    smsDueAt: quietMs === null ? null : new Date(quietMs).toISOString(),
  });
}
