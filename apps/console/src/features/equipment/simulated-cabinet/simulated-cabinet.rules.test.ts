// Differences between a simulated cabinet and the platform.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { SimulatedCabinetState } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { expect, test } from "vitest";
import { compartmentLabel, differencesOf, drawnCompartments } from "./simulated-cabinet.rules.ts";

const cell = {
  no: 3,
  size: "M",
  column: 1,
  row: 2,
  rowSpan: 1,
  doorFront: "CLOSED",
  doorBack: null,
  item: "EMPTY",
} as Compartment;
const compartment = {
  no: 3,
  front: "CLOSED",
  back: null,
  content: "EMPTY",
  sensor: "EMPTY",
  isJammed: false,
  isSensorWrong: false,
} as const;
const state: SimulatedCabinetState = {
  hasPower: true,
  hasLine: true,
  hasSession: true,
  hasPeople: false,
  commands: [],
  compartments: [compartment],
};

test("simulated cabinet: agreement gives no difference", () => {
  expect(differencesOf(state, [cell], "ONLINE")).toEqual([]);
});

test("simulated cabinet: a cut line, a door and a lying sensor are differences", () => {
  const apart: SimulatedCabinetState = {
    ...state,
    hasSession: false,
    compartments: [
      { ...compartment, front: "OPEN", content: "PRESENT", sensor: "EMPTY", isSensorWrong: true },
    ],
  };
  expect(differencesOf(apart, [cell], "ONLINE")).toEqual([
    { subject: "连接", cabinet: "已断开", platform: "在线" },
    { subject: "3 号门", cabinet: "已开", platform: "已关" },
    { subject: "3 号物品", cabinet: "有物", platform: "无物" },
  ]);
});

test("simulated cabinet: a compartment that the platform does not know is not drawn", () => {
  const more = { ...state, compartments: [compartment, { ...compartment, no: 99 }] };
  expect(drawnCompartments(more, [cell]).map(({ no }) => no)).toEqual([3]);
});

test("simulated cabinet: the label names door, content and faults", () => {
  const [drawn] = drawnCompartments(
    { ...state, compartments: [{ ...compartment, front: "OPEN", isJammed: true }] },
    [cell],
  );
  if (!drawn) throw new Error("nothing drawn");
  expect(compartmentLabel(drawn, "中")).toBe("3 号格口，中，门已开，无物，锁卡住");
});
