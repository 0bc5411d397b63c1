import type { OrderDetail } from "@cabinet/contract/orders/order/order.contract.ts";
import { expect, test } from "vitest";
import { whyOf } from "./order-why.rules.ts";

type Place = NonNullable<OrderDetail["place"]>;
type Timeline = Parameters<typeof whyOf>[1];

const cell = { adminState: "ENABLED", adminReason: null } as Place["cell"];
const place: Place = {
  connectivity: "ONLINE",
  lastSeenAt: "2026-11-21T02:00:00Z",
  lifecycle: "ACTIVE",
  cell,
};
const order = {
  state: "STORED",
  ...{ hasCode: true, isInDoubt: false, forcedAt: null, isTenantOpen: true, place },
  shortFen: 0,
} as const;

const none = { command: null, sms: null, subscribe: null, isProblem: false };
const code = (state: string, at = "2026-11-21T01:00:00Z", by: "sms" | "subscribe" = "sms") =>
  ({ ...none, at, source: "SMS", [by]: { scene: "PICKUP_CODE", state } }) as Timeline[number];
const opening = (isProblem: boolean, at: string) =>
  ({ ...none, at, source: "COMMAND", isProblem, command: { kind: "OPEN" } }) as Timeline[number];
const door = (at: string) => ({ ...none, at, source: "DOOR" }) as Timeline[number];
const kinds = (...given: Parameters<typeof whyOf>) => whyOf(...given).map(({ kind }) => kind);
const delivered = [code("DELIVERED")];

test("why: nothing stands in the way of an order whose code arrived", () => {
  expect(whyOf(order, delivered)).toEqual([]);
  expect(whyOf(order, [code("SENT")])).toEqual([]);
});

test("why: an order that is over has no causes", () => {
  expect(whyOf({ ...order, state: "COMPLETED", hasCode: false }, [])).toEqual([]);
});

test("why: code not sent, not delivered, on its way, or without effect any more", () => {
  expect(whyOf(order, [])).toMatchObject([{ kind: "CODE_NOT_SENT", remedy: "resendCode" }]);
  expect(whyOf(order, [code("OUTBOX")])).toMatchObject([
    { kind: "CODE_NOT_SENT", text: "未开通短信通道，取件码未发送", remedy: "showCode" },
  ]);
  expect(kinds(order, [code("FAILED"), code("DELIVERED", "2026-11-20T01:00:00Z")])).toEqual([
    "CODE_NOT_SENT",
  ]);
  expect(whyOf(order, [code("QUEUED")])).toMatchObject([
    { kind: "CODE_ON_ITS_WAY", isProblem: false },
  ]);
  expect(kinds({ ...order, hasCode: false }, delivered)).toEqual(["NO_CODE"]);
});

test("why: a code that one of two channels delivered has arrived", () => {
  expect(
    kinds(order, [code("FAILED"), code("DELIVERED", "2026-11-21T00:59:58Z", "subscribe")]),
  ).toEqual([]);
});

test("why: before the deposit there is no code to miss", () => {
  expect(kinds({ ...order, state: "PENDING", hasCode: false }, [])).toEqual([]);
});

test("why: cabinet offline since its last report, never online, out of service", () => {
  const offline = { ...order, place: { ...place, connectivity: "OFFLINE" as const } };
  expect(whyOf(offline, delivered)).toMatchObject([
    { kind: "OFFLINE", at: place.lastSeenAt, remedy: "log" },
  ]);
  const never = { ...place, connectivity: "NEVER" as const, lastSeenAt: null };
  expect(whyOf({ ...order, place: never }, delivered)).toMatchObject([{ text: "设备从未上线" }]);
  expect(kinds({ ...order, place: { ...place, lifecycle: "RETIRED" } }, delivered)).toEqual([
    "RETIRED",
  ]);
  const disabled = {
    ...place,
    cell: { ...cell, adminState: "DISABLED" as const, adminReason: "漏水" },
  };
  expect(whyOf({ ...order, place: disabled }, delivered)).toMatchObject([
    { kind: "COMPARTMENT", text: "格口已停用：漏水" },
  ]);
});

test("why: the last opening failed, unless the door opened since", () => {
  const failed = opening(true, "2026-11-21T03:00:00Z");
  expect(whyOf(order, [failed, ...delivered])).toMatchObject([
    { kind: "NOT_OPENED", at: failed.at, remedy: "open" },
  ]);
  expect(kinds(order, [door("2026-11-21T03:05:00Z"), failed, ...delivered])).toEqual([]);
  expect(kinds(order, [opening(false, "2026-11-21T04:00:00Z"), failed, ...delivered])).toEqual([]);
  expect(kinds({ ...order, isInDoubt: true }, [failed, ...delivered])).toEqual(["IN_DOUBT"]);
});

test("why: tenant closed and fee due, worst cause first", () => {
  const all = {
    ...order,
    hasCode: false,
    isTenantOpen: false,
    shortFen: 250,
    place: { ...place, connectivity: "OFFLINE" as const },
  };
  expect(kinds(all, [])).toEqual(["OFFLINE", "NO_CODE", "TENANT_CLOSED", "FEE_DUE"]);
  expect(whyOf({ ...order, shortFen: 250 }, delivered)).toMatchObject([
    { text: "余额不足，还差 2.50 元：不能取件", remedy: "open" },
  ]);
});
