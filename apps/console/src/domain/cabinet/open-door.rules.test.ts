// Remote opening: never proposes both doors, and announces a refusal before the request.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { COMMAND_STATES } from "@cabinet/contract/fleet/command/command.rules.ts";
import { DOOR_SIDES, DOOR_STATES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  adviceOf,
  isOpenRefused,
  isOppositeInTheWay,
  openNotices,
  openRefusal,
  proposedSide,
} from "./open-door.rules.ts";

const cell: Compartment = {
  no: 3,
  size: "S",
  column: 1,
  row: 1,
  rowSpan: 1,
  boardAddress: "01-03",
  adminState: "ENABLED",
  adminReason: null,
  occupancy: "FREE",
  occupiedSince: null,
  doorFront: "CLOSED",
  doorBack: null,
  item: "EMPTY",
  unavailableReason: null,
  order: null,
};
const online = { connectivity: "ONLINE", lifecycle: "ACTIVE" } as const;
const now = Date.parse("2026-03-01T12:00:00.000Z");

const doubleCell = fc
  .record({
    doorFront: fc.constantFrom(...DOOR_STATES),
    doorBack: fc.constantFrom(...DOOR_STATES),
  })
  .map((doors) => ({ ...cell, ...doors }));

describe("proposed side", () => {
  it("is the viewed side, unless only the other door may be opened", () => {
    fc.assert(
      fc.property(doubleCell, fc.constantFrom(...DOOR_SIDES), (of, seen) => {
        const side = proposedSide(of, seen);
        const isNoneShut = of.doorFront !== "CLOSED" && of.doorBack !== "CLOSED";
        expect(isOppositeInTheWay(of, side)).toBe(isNoneShut);
        if (side !== seen) expect(isOppositeInTheWay(of, seen)).toBe(true);
      }),
    );
  });

  it("is the front of a single-sided cabinet", () => {
    expect(proposedSide({ ...cell, doorFront: "OPEN" }, "BACK")).toBe("FRONT");
  });
});

describe("notices before opening", () => {
  it("are empty when nothing is wrong", () => {
    expect(openNotices(online, cell, "FRONT", now)).toEqual([]);
  });

  it("warn of a refusal exactly when the server would refuse", () => {
    fc.assert(
      fc.property(doubleCell, fc.constantFrom(...DOOR_SIDES), (of, side) => {
        const isRefused = openNotices(online, of, side, now).some((notice) => notice.isRefusal);
        expect(isRefused).toBe(isOppositeInTheWay(of, side));
      }),
    );
    const offline = openNotices({ ...online, connectivity: "OFFLINE" }, cell, "FRONT", now);
    expect(offline).toEqual([
      { text: "设备不在线，不能远程开门；上线后不会补发。", isRefusal: true },
    ]);
    const connecting = openNotices({ ...online, connectivity: "CONNECTING" }, cell, "FRONT", now);
    expect(connecting).toEqual([
      { text: "设备连接中，暂不能远程开门；连接成功后请重新操作。", isRefusal: true },
    ]);
    const paused = openNotices({ ...online, lifecycle: "PAUSED" }, cell, "FRONT", now);
    expect(paused).toEqual([]);
  });

  it("retired cabinet: one refusal, also while it is offline; an order's goods can be taken out", () => {
    const retired = { connectivity: "OFFLINE", lifecycle: "RETIRED" } as const;
    expect(openNotices(retired, cell, "FRONT", now)).toEqual([
      { text: "设备已停用，不能远程开门。", isRefusal: true },
    ]);
    const forGoods = { ...retired, connectivity: "ONLINE", isForGoods: true } as const;
    expect(isOpenRefused({ cabinet: forGoods, cell, side: "FRONT", now })).toBe(false);
    expect(openRefusal({ ...forGoods, isForGoods: false })).not.toBeNull();
  });

  it("name the goods and how long they have been inside", () => {
    const occupied: Compartment = {
      ...cell,
      occupancy: "OCCUPIED",
      occupiedSince: "2026-03-01T09:30:00.000Z",
      adminState: "FAULT",
      adminReason: "锁舌卡住",
    };
    expect(openNotices(online, occupied, "FRONT", now).map((notice) => notice.text)).toEqual([
      "格口内记录有物品（已 2 小时 30 分），请确认由本人取走。",
      "格口处于“故障”：锁舌卡住。",
    ]);
  });
});

it("advice differs for every state", () => {
  const advices = COMMAND_STATES.map(adviceOf);
  expect(advices.every((advice) => advice.endsWith("。"))).toBe(true);
  expect(new Set(advices).size).toBe(COMMAND_STATES.length - 1);
});
