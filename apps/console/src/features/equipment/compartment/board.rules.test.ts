// Text on a door of the drawn cabinet agrees with the contract's rules.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { unavailableReason } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import {
  CONNECTIVITIES,
  type Connectivity,
} from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import {
  ORDER_REFUSALS,
  type OrderRefusal,
} from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  ADMIN_STATES,
  DOOR_STATES,
  ITEM_STATES,
  OCCUPANCIES,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dwellText } from "../../../domain/cabinet/open-door.rules.ts";
import { CONDITIONS, cellLabel, conditionsOf, countConditions, needsHand } from "./board.rules.ts";

function cellOf(
  facts: Partial<Compartment> = {},
  refusal: OrderRefusal | null = null,
  connectivity: Connectivity = "ONLINE",
): Compartment {
  const cell: Compartment = {
    no: 12,
    size: "M",
    column: 1,
    row: 1,
    rowSpan: 1,
    boardAddress: "01-01",
    adminState: "ENABLED",
    adminReason: null,
    occupancy: "FREE",
    occupiedSince: null,
    doorFront: "CLOSED",
    doorBack: null,
    item: "EMPTY",
    unavailableReason: null,
    order: null,
    ...facts,
  };
  return { ...cell, unavailableReason: unavailableReason(cell, { refusal, connectivity }) };
}

const anyCell = fc
  .record({
    adminState: fc.constantFrom(...ADMIN_STATES),
    occupancy: fc.constantFrom(...OCCUPANCIES),
    doorFront: fc.constantFrom(...DOOR_STATES),
    doorBack: fc.constantFrom(...DOOR_STATES, null),
    item: fc.constantFrom(...ITEM_STATES),
    refusal: fc.constantFrom(...ORDER_REFUSALS, null),
    connectivity: fc.constantFrom(...CONNECTIVITIES),
  })
  .map(({ refusal, connectivity, ...facts }) => cellOf(facts, refusal, connectivity));

describe("board of an offline cabinet", () => {
  it("free compartment: shows 离线 instead of 可用, and needs nobody on site", () => {
    const cell = cellOf({}, null, "OFFLINE");
    expect(conditionsOf(cell)).toEqual(["OFFLINE"]);
    expect(needsHand(cell)).toBe(false);
  });
});

describe("condition of a compartment", () => {
  it("is primarily the reason that the server gives", () => {
    fc.assert(
      fc.property(anyCell, (cell) => {
        expect(conditionsOf(cell)[0]).toBe(cell.unavailableReason ?? "AVAILABLE");
      }),
    );
  });

  it("also counts for every other condition that applies", () => {
    const cell = cellOf({ adminState: "FAULT", occupancy: "OCCUPIED", doorFront: "OPEN" });
    expect(conditionsOf(cell)).toEqual(["FAULT", "CONTRADICTORY", "DOOR_OPEN", "OCCUPIED"]);
    const counts = countConditions([cell, cellOf()]);
    expect(CONDITIONS.map((condition) => counts[condition])).toEqual([1, 1, 0, 0, 1, 1, 1, 0, 0]);
  });

  it("needs a person on site unless it ends by itself", () => {
    expect(needsHand(cellOf())).toBe(false);
    expect(needsHand(cellOf({ occupancy: "OCCUPIED", item: "PRESENT" }))).toBe(false);
    expect(needsHand(cellOf({ occupancy: "OCCUPIED", item: "EMPTY" }))).toBe(true);
    expect(needsHand(cellOf({ doorFront: "OPEN" }))).toBe(true);
    expect(needsHand(cellOf({}, "SERVICE_STOPPED"))).toBe(false);
  });
});

describe("label of a compartment", () => {
  it("contains number, size, occupancy and door", () => {
    expect(cellLabel(cellOf(), null)).toBe("12 号格口，中，空闲，门已关");
  });

  it("contains both doors, the dwell time and the remedy", () => {
    const cell = cellOf({ occupancy: "OCCUPIED", item: "PRESENT", doorBack: "UNKNOWN" });
    expect(cellLabel(cell, "2 天 3 小时")).toBe(
      "12 号格口，中，占用，正面门已关，背面门状态未知，已 2 天 3 小时，不可用：占用中，取件后自动空闲",
    );
  });
});

describe("dwell time", () => {
  const since = "2026-03-01T00:00:00.000Z";
  it.each([
    [59, "不足 1 分钟"],
    [60, "1 分钟"],
    [3_600, "1 小时"],
    [3_660, "1 小时 1 分"],
    [86_400, "1 天"],
    [97_200, "1 天 3 小时"],
    [864_000 + 7_200, "10 天"],
  ])("formats %i s as %s", (seconds, text) => {
    expect(dwellText(since, Date.parse(since) + seconds * 1_000)).toBe(text);
  });

  it("is null without a start, and never negative", () => {
    expect(dwellText(null, 0)).toBeNull();
    expect(dwellText(since, 0)).toBe("不足 1 分钟");
  });
});
