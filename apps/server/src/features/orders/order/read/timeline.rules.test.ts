// Timeline from seven kinds of records: nothing lost, nothing duplicated, newest first.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { SmsMessage } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { SubscribeMessage } from "@cabinet/contract/messaging/template/template.contract.ts";
import { ORDER_EVENT_KINDS } from "@cabinet/contract/orders/order/order.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WebhookRow } from "../notify/timeline-notices.rules.ts";
import type { DoorRow, EventRow, JournalRow, OrderRecords } from "./timeline.rules.ts";
import { timelineOf } from "./timeline.rules.ts";

const START = Date.parse("2026-11-21T08:00:00.000Z");
const at = (ms: number) => new Date(START + ms).toISOString();

const event = (id: number, kind: EventRow["kind"], ms: number, more: Partial<EventRow> = {}) =>
  ({
    ...{ id, kind, at: at(ms), toState: null, actorName: null, commandId: null, detail: {} },
    ...more,
  }) satisfies EventRow;
const door = (id: number, kind: string, ms: number): DoorRow => ({
  ...{ id, kind, at: at(ms), text: kind, payload: null },
});
const journal = (id: number, ms: number, fen: number): JournalRow => ({
  ...{ id, at: at(ms), kind: fen < 0 ? "PAYMENT" : "PAYMENT_REFUND" },
  ...{ principalFen: fen, bonusFen: 0, actorName: "王丹", reason: null },
});
const sms = (id: number, ms: number, more: Partial<SmsMessage> = {}): SmsMessage => ({
  ...{ id, createdAt: at(ms), scene: "PICKUP_CODE", phone: "139****5678", segments: 1 },
  ...{ tenantId: 7, tenantName: "禾木", orderId: 1, orderSide: "SINGLE", state: "DELIVERED" },
  ...{ carrier: "ALIYUN", templateCode: "SMS_1", carrierNo: null, carrierSegments: null },
  ...{ chargedSegments: 1, attempts: 1, sentAt: null, settledAt: null, resultCode: "" },
  ...{ resultText: "", resendOf: null, resentById: null, isMoot: false, ...more },
});
const subscribe = (
  id: number,
  ms: number,
  more: Partial<SubscribeMessage> = {},
): SubscribeMessage => ({
  ...{ id, createdAt: at(ms), scene: "PICKUP_CODE", phone: "139****5678", endUserId: 4 },
  ...{ tenantId: 7, tenantName: "禾木", orderId: 1, orderSide: "SINGLE", state: "SENT" },
  ...{ isTest: false, templateId: "T", templateTitle: "取件通知", attempts: 1, settledAt: null },
  ...{ errorCode: null, problem: "", smsId: null, ...more },
});
const command = (id: string, ms: number): OrderRecords["commands"][number] => ({
  ...({ id, createdAt: at(ms), no: 3, side: "FRONT", reason: "", actorName: "王丹" } as Command),
  purpose: "PICKUP",
});
const callback = (eventId: number, ms: number, more: Partial<WebhookRow> = {}): WebhookRow => ({
  ...{ eventId, at: at(ms), type: "order.stored", endpointName: "配送平台" },
  ...{ state: "DELIVERED", attempts: 1, ...more },
});
const nothing: OrderRecords = {
  events: [],
  commands: [],
  doors: [],
  journals: [],
  texts: [],
  subscribes: [],
  callbacks: [],
};

describe("two records of the same fact", () => {
  it("one entry with the state of the event and the facts of the other record", () => {
    const entries = timelineOf({
      ...nothing,
      events: [
        event(1, "OPEN_REQUESTED", 0, { commandId: "c1", detail: { chargedFen: 550 } }),
        event(2, "DOOR_OPENED", 500, { toState: "PICKING" }),
        event(3, "PAID", 500, { detail: { fen: 550 } }),
        event(4, "CODE_SENT", 900, { actorName: "李伟" }),
      ],
      commands: [command("c1", 0)],
      doors: [door(1, "DOOR_OPENED", 480)],
      journals: [journal(1, 500, -550)],
      texts: [sms(1, 900)],
    });
    expect(entries).toMatchObject([
      {
        ...{ source: "SMS", text: "短信：取件码", note: "发往 139****5678，1 条" },
        ...{ actorName: "李伟", sms: { id: 1, state: "DELIVERED" } },
      },
      { source: "MONEY", text: "订单支付", amountFen: 550, note: "本金 ¥5.50" },
      { source: "DOOR", text: "DOOR_OPENED", toState: "PICKING" },
      { source: "COMMAND", text: "取件开门：3 号格口", note: "预扣 ¥5.50", command: { id: "c1" } },
    ]);
  });

  it("records of different facts stay separate entries", () => {
    const entries = timelineOf({
      ...nothing,
      events: [event(1, "PAID", 0), event(2, "DOOR_CLOSED", 0)],
      journals: [journal(1, 60_000, -100), journal(2, 0, 100)],
      doors: [door(1, "DOOR_OPENED", 0)],
    });
    expect(entries).toHaveLength(5);
  });
});

describe("messages to people", () => {
  it("current state is shown: a failed text is a problem until it is resent", () => {
    const entries = timelineOf({
      ...nothing,
      texts: [
        sms(1, 0, { scene: "OVERDUE", state: "FAILED", resultCode: "NO_CREDIT", resentById: 2 }),
        sms(2, 100, { scene: "OVERDUE", resendOf: 1 }),
        sms(3, 200, { scene: "OVERDUE", state: "FAILED", resultCode: "MK:0012" }),
      ],
    });
    expect(entries).toMatchObject([
      { text: "短信：滞留提醒", isProblem: true },
      { text: "重发短信：滞留提醒", isProblem: false },
      { text: "短信：滞留提醒", isProblem: false, sms: { resultCode: "NO_CREDIT" } },
    ]);
  });

  it("a failed subscribe message is no problem when a text went out instead", () => {
    const entries = timelineOf({
      ...nothing,
      events: [event(1, "CODE_SENT", 0)],
      subscribes: [
        subscribe(1, 0, { state: "FAILED", problem: "用户没有订阅或已退订", smsId: 9 }),
        subscribe(2, 60_000, { scene: "STORED", state: "UNKNOWN" }),
      ],
      texts: [sms(9, 1_000)],
    });
    expect(entries).toMatchObject([
      { source: "SUBSCRIBE", text: "订阅消息：存件通知", isProblem: true },
      { source: "SMS", text: "短信：取件码", sms: { id: 9 } },
      {
        source: "SUBSCRIBE",
        text: "订阅消息：取件码",
        note: "发往 139****5678 的微信",
        isProblem: false,
      },
    ]);
  });
});

it("webhooks: one entry per event with all its endpoints", () => {
  const entries = timelineOf({
    ...nothing,
    callbacks: [
      callback(1, 0),
      callback(1, 0, { endpointName: "仓储系统", state: "DEAD", attempts: 10 }),
      callback(2, 500, { type: "order.completed", state: "WAITING" }),
    ],
  });
  expect(entries).toMatchObject([
    {
      source: "CALLBACK",
      text: "回调：已取件，订单完成",
      note: "配送平台 等待发送",
      isProblem: false,
    },
    { note: "配送平台 已送达；仓储系统 投递失败（10 次请求）", isProblem: true },
  ]);
});

it("extension: the new due time is shown in Shanghai time", () => {
  const detail = {
    from: "2026-11-21T10:00:00.000Z",
    until: "2026-11-22T16:30:00.000Z",
    reason: "取件人出差",
  };
  const [entry] = timelineOf({ ...nothing, events: [event(1, "EXTENDED", 0, { detail })] });
  expect(entry?.note).toBe("延至 11-23 00:30（原 11-21 18:00），取件人出差");
});

const time = fc.nat(20_000);
const records: fc.Arbitrary<OrderRecords> = fc
  .record({
    events: fc.array(fc.tuple(fc.constantFrom(...ORDER_EVENT_KINDS), time, fc.nat(4))),
    commands: fc.array(time, { maxLength: 4 }),
    doors: fc.array(fc.tuple(fc.constantFrom("DOOR_OPENED", "DOOR_CLOSED", "ITEM_TAKEN"), time)),
    journals: fc.array(fc.tuple(time, fc.integer({ min: -500, max: 500 }).filter(Boolean))),
    texts: fc.array(time, { maxLength: 4 }),
    subscribes: fc.array(time, { maxLength: 4 }),
    callbacks: fc.array(fc.tuple(fc.nat(3), time)),
  })
  .map((of) => ({
    events: of.events.map(([kind, ms, n], id) => event(id, kind, ms, { commandId: `c${n}` })),
    commands: of.commands.map((ms, id) => command(`c${id}`, ms)),
    doors: of.doors.map(([kind, ms], id) => door(id, kind, ms)),
    journals: of.journals.map(([ms, fen], id) => journal(id, ms, fen)),
    texts: of.texts.map((ms, id) => sms(id, ms)),
    subscribes: of.subscribes.map((ms, id) => subscribe(id, ms)),
    callbacks: of.callbacks.map(([eventId]) => callback(eventId, eventId * 100)),
  }));

it("completeness: every command, door, journal, message and event appears exactly once", () => {
  fc.assert(
    fc.property(records, (of) => {
      const entries = timelineOf(of);
      const partners =
        of.commands.length +
        of.doors.length +
        of.journals.length +
        of.texts.length +
        of.subscribes.length +
        new Set(of.callbacks.map(({ eventId }) => eventId)).size;
      expect(entries.length).toBeGreaterThanOrEqual(Math.max(partners, of.events.length));
      expect(entries.length).toBeLessThanOrEqual(partners + of.events.length);
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
      const commands = entries.flatMap((entry) => (entry.command ? [entry.command.id] : []));
      expect(commands.sort()).toEqual(of.commands.map(({ id }) => id).sort());
      const notices = entries.flatMap(({ sms, subscribe }) => sms ?? subscribe ?? []);
      expect(notices).toHaveLength(of.texts.length + of.subscribes.length);
      expect(new Set(notices)).toEqual(new Set([...of.texts, ...of.subscribes]));
      const money = entries.reduce((sum, { amountFen }) => sum + (amountFen ?? 0), 0);
      expect(money).toBe(
        -of.journals.reduce((sum, { principalFen }) => sum + principalFen, 0) || 0,
      );
      const times = entries.map((entry) => Date.parse(entry.at));
      expect(times).toEqual(times.toSorted((one, other) => other - one));
    }),
  );
});
