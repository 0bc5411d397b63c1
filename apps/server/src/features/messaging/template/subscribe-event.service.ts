// Handles WeChat's pushed events on subscribe messages: consents, withdrawals, receipts.
import type { Db } from "../../../platform/db/db.ts";
import * as allowances from "./subscribe-allowance.sql.ts";
import * as repo from "./subscribe-message.sql.ts";
import { failed, pushOf } from "./subscribe-send.service.ts";

export type SubscribeEvent =
  /** Answer to the consent prompt in the mini-program. */
  | { kind: "ANSWERED"; templateId: string; isAccepted: boolean }
  /** Change in WeChat's own settings. */
  | { kind: "CHANGED"; templateId: string; isAccepted: boolean }
  | { kind: "SENT"; templateId: string; msgId: string; errorCode: number; errorText: string };

/** Parses a pushed event, as JSON or parsed XML; foreign events give an empty list. */
export function parseSubscribeEvents(message: unknown): SubscribeEvent[] {
  const event = textOf(message, "Event");
  const kind = kinds[event];
  return kind ? listOf(message, wrappers[event] ?? "").flatMap(kind) : [];
}

const wrappers: Record<string, string> = {
  subscribe_msg_popup_event: "SubscribeMsgPopupEvent",
  subscribe_msg_change_event: "SubscribeMsgChangeEvent",
  subscribe_msg_sent_event: "SubscribeMsgSentEvent",
};

type Item = Record<string, unknown>;
const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null;
const textOf = (item: unknown, name: string) =>
  isItem(item) && item[name] !== undefined ? String(item[name]) : "";

/** `List` is one item or an array; in XML it lies below a wrapper element. */
function listOf(message: unknown, wrapper: string): Item[] {
  if (!isItem(message)) return [];
  const within = isItem(message[wrapper]) ? message[wrapper] : message;
  const list = within.List;
  return (Array.isArray(list) ? list : [list]).filter(isItem);
}

const answered =
  (kind: "ANSWERED" | "CHANGED") =>
  (item: Item): SubscribeEvent[] => {
    const templateId = textOf(item, "TemplateId");
    const isAccepted = textOf(item, "SubscribeStatusString") === "accept";
    return templateId ? [{ kind, templateId, isAccepted }] : [];
  };

const kinds: Record<string, (item: Item) => SubscribeEvent[]> = {
  subscribe_msg_popup_event: answered("ANSWERED"),
  subscribe_msg_change_event: answered("CHANGED"),
  subscribe_msg_sent_event: (item) => {
    const [templateId, msgId] = [textOf(item, "TemplateId"), textOf(item, "MsgID")];
    const errorCode = Number(textOf(item, "ErrorCode") || "0");
    if (!templateId || !msgId) return [];
    return [{ kind: "SENT", templateId, msgId, errorCode, errorText: textOf(item, "ErrorStatus") }];
  },
};

/** Runs in the caller's transaction. Repeated receipts and changes are idempotent; each consent counts. */
export async function takeSubscribeEvents(
  db: Db,
  from: { tenantId: number; appId: string; openid: string },
  events: readonly SubscribeEvent[],
): Promise<void> {
  const { tenantId, appId, openid } = from;
  for (const event of events) {
    const { templateId } = event;
    if (event.kind === "SENT") {
      await takeReceipt(db, from, event);
      continue;
    }
    const endUserId = await allowances.findEndUserId(db, { tenantId, appId, openid });
    if (endUserId === null) continue;
    const key = { tenantId, appId, templateId, endUserId };
    if (event.kind === "CHANGED" && !event.isAccepted) await allowances.endAllowance(db, key);
    if (event.kind === "ANSWERED" && event.isAccepted) {
      await allowances.addAllowance(db, key, "pushed");
    }
  }
}

async function takeReceipt(
  db: Db,
  from: { tenantId: number; appId: string; openid: string },
  event: SubscribeEvent & { kind: "SENT" },
): Promise<void> {
  const { msgId, errorCode, errorText } = event;
  const key = await repo.findSubscribeOutcomes(db, { ...from, ...event });
  const message = key && (await repo.lockMessage(db, key, ["SENDING", "SENT", "UNKNOWN"]));
  if (!message) return;
  if (errorCode === 0) {
    await repo.settleMessage(db, message, { state: "DELIVERED", msgId });
    await pushOf(db, message.tenantId);
    return;
  }
  const problem = receiptProblem(errorText);
  await failed(db, message, { state: "FAILED", msgId, errorCode, problem });
}

/** `user refuse to accept the msg`: a person's refusal is no fault of the tenant's setting. */
function receiptProblem(errorText: string): string {
  if (/refuse|reject/i.test(errorText)) return "用户已退订或拒收，微信没有送达";
  return `微信没有送达${errorText ? `：${errorText}` : ""}`;
}
