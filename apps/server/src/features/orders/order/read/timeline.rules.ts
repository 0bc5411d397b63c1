// Pure rules that merge an order's events, commands, door events, journals and messages into one timeline.
import { isProblem } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { moneyText } from "@cabinet/contract/kit/money.rules.ts";
import { shanghaiMinute } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { SmsMessage } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { SubscribeMessage } from "@cabinet/contract/messaging/template/template.contract.ts";
import { type JournalKind, journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { TimelineEntry } from "@cabinet/contract/orders/order/order.contract.ts";
import {
  type OpenPurpose,
  type OrderEventKind,
  openPurposeText,
  orderEventText,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { type DoorSide, doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import {
  plain,
  smsEntry,
  subscribeEntry,
  type WebhookRow,
  webhookEntry,
} from "../notify/timeline-notices.rules.ts";

export interface EventRow {
  id: number;
  at: string;
  kind: OrderEventKind;
  toState: OrderState | null;
  /** Null: no person acted. */
  actorName: string | null;
  commandId: string | null;
  detail: Readonly<Record<string, unknown>>;
}

export interface DoorRow {
  id: number;
  at: string;
  kind: string;
  /** Text of the entry. */
  text: string;
  payload: Readonly<Record<string, unknown>> | null;
}

export interface JournalRow {
  id: number;
  at: string;
  kind: JournalKind;
  principalFen: number;
  bonusFen: number;
  actorName: string | null;
  reason: string | null;
}

export interface OrderRecords {
  events: readonly EventRow[];
  commands: readonly (Command & { purpose: OpenPurpose })[];
  doors: readonly DoorRow[];
  journals: readonly JournalRow[];
  texts: readonly SmsMessage[];
  subscribes: readonly SubscribeMessage[];
  callbacks: readonly WebhookRow[];
}

/** Order of entries with the same timestamp: cause before effect. */
const ranks = { COMMAND: 0, DOOR: 1, ORDER: 2, MESSAGE: 3, MONEY: 4, CALLBACK: 5 } as const;

interface Placed {
  rank: number;
  id: number;
  entry: TimelineEntry;
}

/** Newest first. Two records of the same fact become one entry. */
export function timelineOf(records: OrderRecords): TimelineEntry[] {
  const { commands, doors, journals, texts, subscribes, callbacks } = records;
  const rest = {
    commands: [...commands],
    doors: [...doors],
    journals: [...journals],
    texts: [...texts],
    subscribes: [...subscribes],
  };
  const placed: Placed[] = records.events.map((event) => ({
    rank: ranks.ORDER,
    id: event.id,
    entry: entryOfEvent(event, rest),
  }));
  const add = (rank: number, id: number, entry: TimelineEntry) => placed.push({ rank, id, entry });
  for (const command of rest.commands) add(ranks.COMMAND, 0, commandEntry(command));
  for (const door of rest.doors) add(ranks.DOOR, door.id, doorEntry(door));
  for (const text of rest.texts) add(ranks.MESSAGE, text.id, smsEntry(text));
  for (const message of rest.subscribes) {
    add(ranks.MESSAGE, message.id, subscribeEntry(message));
  }
  for (const journal of rest.journals) add(ranks.MONEY, journal.id, journalEntry(journal));
  for (const deliveries of Map.groupBy(callbacks, ({ eventId }) => eventId).values()) {
    const entry = webhookEntry(deliveries);
    if (entry) add(ranks.CALLBACK, deliveries[0]?.eventId ?? 0, entry);
  }
  return placed
    .sort(
      (one, other) =>
        Date.parse(other.entry.at) - Date.parse(one.entry.at) ||
        other.rank - one.rank ||
        other.id - one.id,
    )
    .map(({ entry }) => entry);
}

type Rest = {
  [Name in Exclude<keyof OrderRecords, "events" | "callbacks">]: OrderRecords[Name][number][];
};

/** Entry of an event, merged with the record it refers to, which then gets no entry of its own. */
function entryOfEvent(event: EventRow, rest: Rest): TimelineEntry {
  const { kind, toState, at } = event;
  const key = `event-${event.id}`;
  switch (kind) {
    case "OPEN_REQUESTED": {
      const command = take(rest.commands, (one) => one.id === event.commandId);
      if (command) return { ...commandEntry(command), key, toState, note: noteOf(event) };
      break;
    }
    case "DOOR_OPENED":
    case "DOOR_CLOSED": {
      const door = take(rest.doors, (one) => one.kind === kind && isSameTime(one.at, at));
      if (door) return { ...doorEntry(door), key, toState };
      break;
    }
    case "PAID":
    case "REFUNDED": {
      const wanted = { PAID: "PAYMENT", REFUNDED: "PAYMENT_REFUND" }[kind];
      const journal = take(rest.journals, (one) => one.kind === wanted && isSameTime(one.at, at));
      if (journal) return { ...journalEntry(journal), key, toState };
      break;
    }
    case "CODE_SENT": {
      const isMine = ({ scene, createdAt }: { scene: string; createdAt: string }) =>
        scene === "PICKUP_CODE" && isSameTime(createdAt, at);
      const { actorName } = event;
      // If both channels were used, the event merges with the subscribe message; the text is a separate entry.
      const subscribe = take(rest.subscribes, isMine);
      if (subscribe) return { ...subscribeEntry(subscribe), key, toState, actorName };
      const text = take(rest.texts, isMine);
      if (text) return { ...smsEntry(text), key, toState, actorName };
      break;
    }
  }
  return {
    ...plain,
    key,
    at,
    source: eventSource[kind],
    text: orderEventText[kind],
    note: noteOf(event),
    actorName: event.actorName,
    isProblem: kind === "OVERDUE" || kind === "EXCEPTION" || kind === "DOOR_NOT_OPENED",
    toState,
  };
}

const eventSource: Readonly<Record<OrderEventKind, TimelineEntry["source"]>> = {
  CREATED: "ORDER",
  OPEN_REQUESTED: "ORDER",
  DOOR_OPENED: "DOOR",
  DOOR_NOT_OPENED: "DOOR",
  DOOR_CLOSED: "DOOR",
  STORED: "ORDER",
  CODE_SENT: "SMS",
  OVERDUE: "ORDER",
  EXTENDED: "ORDER",
  MOVED: "ORDER",
  RECIPIENT_CHANGED: "ORDER",
  COVERED: "MONEY",
  PAID: "MONEY",
  REFUNDED: "MONEY",
  COMPLETED: "ORDER",
  CANCELLED: "ORDER",
  TAKEN_BACK: "ORDER",
  FORCE_COMPLETED: "ORDER",
  CLEARED: "ORDER",
  EXCEPTION: "ORDER",
};

/** Removes and returns the first match in `list`. */
function take<Item>(list: Item[], fits: (item: Item) => boolean): Item | undefined {
  const index = list.findIndex(fits);
  return index < 0 ? undefined : list.splice(index, 1)[0];
}

/** Both records come from one transaction (equal timestamps) or from two in quick succession. */
const isSameTime = (one: string, other: string) =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= 2_000;

function commandEntry(command: Command & { purpose: OpenPurpose }): TimelineEntry {
  const { purpose, ...rest } = command;
  const side: DoorSide | null = rest.side;
  return {
    ...plain,
    key: `command-${command.id}`,
    at: command.createdAt,
    source: "COMMAND",
    text: `${openPurposeText[purpose]}开门：${command.no} 号格口${side === "BACK" ? `（${doorSideText.BACK}）` : ""}`,
    note: command.reason || null,
    actorName: command.actorName,
    command: rest,
  };
}

function doorEntry({ id, at, kind, text, payload }: DoorRow): TimelineEntry {
  return {
    ...plain,
    key: `door-${id}`,
    at,
    source: "DOOR",
    text,
    isProblem: isProblem(kind, payload),
  };
}

/** Journal as the operator sees it: money out of the wallet is income. */
function journalEntry(journal: JournalRow): TimelineEntry {
  const { id, at, kind, principalFen, bonusFen, actorName, reason } = journal;
  const parts = [
    principalFen !== 0 && `本金 ${moneyText(Math.abs(principalFen))}`,
    bonusFen !== 0 && `赠金 ${moneyText(Math.abs(bonusFen))}`,
    reason,
  ];
  return {
    ...plain,
    key: `journal-${id}`,
    at,
    source: "MONEY",
    text: journalKindText[kind],
    note: parts.filter(Boolean).join("，") || null,
    actorName,
    amountFen: -(principalFen + bonusFen),
  };
}

/** Note: reason, amounts, due time. */
function noteOf({ kind, detail }: EventRow): string | null {
  const parts: string[] = [];
  const { fen, chargedFen, coveredFen, waivedFen, owedFen, from, until, reason, phones } = detail;
  const money = (label: string, amount: unknown) => {
    if (typeof amount === "number" && amount > 0) parts.push(`${label} ${moneyText(amount)}`);
  };
  if (kind === "COVERED") money("抵扣", fen);
  if (kind === "PAID") money("支付", fen);
  if (kind === "REFUNDED") money("退款", fen);
  money("预扣", chargedFen);
  if (kind === "OPEN_REQUESTED") money("套餐抵扣", coveredFen);
  money("减免", waivedFen);
  money("待付", owedFen);
  if (typeof until === "string") {
    const before = typeof from === "string" ? `（原 ${minuteOfYear(from)}）` : "";
    parts.push(`延至 ${minuteOfYear(until)}${before}`);
  }
  if (Array.isArray(phones)) parts.push(phones.join(" → "));
  if (typeof reason === "string" && reason) parts.push(reason);
  return parts.join("，") || null;
}

/** `11-21 18:30` */
const minuteOfYear = (iso: string) => shanghaiMinute(iso).slice(5);
