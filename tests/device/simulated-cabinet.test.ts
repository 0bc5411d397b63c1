// 模拟柜机 over the real protocol: what people do to a simulated cabinet, and what the platform learns of it.
import path from "node:path";
import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  type CabinetChange,
  type CompartmentChange,
  simulatedCabinetContract,
} from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { PANEL_SOCKET } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.rules.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import { type Panel, startPanel } from "../../apps/simulator/src/panel.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";

const fleet = useDeviceFleet();
const machines = new Map<string, Machine>();
let panel: Panel;
let person: Person;
let cabinet: FleetCabinet;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.startGateway();
  const socket = path.join(fleet.testServer.dataDir, PANEL_SOCKET);
  panel = await startPanel(socket, (cabinetId) => machines.get(cabinetId));
  cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
  machines.set(cabinet.sn, await fleet.switchOn(cabinet));
  await until("the session", async () => (await state()).hasSession);
});
afterAll(() => panel.stop());

const params = () => ({ id: cabinet.id });

async function state() {
  const { data } = await fleet.testServer.call(simulatedCabinetContract.get, person, {
    params: params(),
  });
  if (!data) throw new Error("not simulated");
  return data;
}

async function compartment(no: number) {
  const found = (await state()).compartments.find((each) => each.no === no);
  if (!found) throw new Error(`no compartment ${no}`);
  return found;
}

const change = (body: CabinetChange) =>
  fleet.testServer.call(simulatedCabinetContract.change, person, { params: params(), body });

const changeCompartment = (no: number, body: CompartmentChange) =>
  fleet.testServer.call(simulatedCabinetContract.changeCompartment, person, {
    params: { ...params(), no },
    body,
  });

const open = (no: number) =>
  fleet.testServer.call(commandContract.open, person, {
    params: params(),
    body: { no, reason: "客户来电" },
  });

/** Final state of a command. */
const settled = (id: string) =>
  until("the result", async () => {
    const { data } = await fleet.testServer.call(commandContract.get, person, { params: { id } });
    return data.settledAt !== null && data.state;
  });

async function known(no: number) {
  const answer = await fleet.testServer.call(compartmentContract.list, person, {
    params: params(),
  });
  return answer.data.find((each) => each.no === no);
}

it("by hand: the door stays open until it is closed, and the platform learns of the item", async () => {
  await change({ hasPeople: false });
  expect(await changeCompartment(1, { content: "PRESENT" })).toMatchObject({
    errMsg: "箱门关着，不能放入或取出物品",
  });
  const { data } = await open(1);
  expect(await settled(data.id)).toBe("CONFIRMED");
  expect(await compartment(1)).toMatchObject({ front: "OPEN", content: "EMPTY" });
  await changeCompartment(1, { content: "PRESENT" });
  await changeCompartment(1, { close: "FRONT" });
  await until("the platform's knowledge", async () => {
    const cell = await known(1);
    return cell?.doorFront === "CLOSED" && cell.item === "PRESENT";
  });
  const { commands } = await state();
  expect(commands[0]).toMatchObject({ cmdId: data.id, stage: "CONFIRMED" });
});

it("jammed lock: the pulse opens no door, and nobody claims that it did", async () => {
  await changeCompartment(2, { isJammed: true });
  const { data } = await open(2);
  expect(await settled(data.id)).toBe("NOT_CONFIRMED");
  expect(await compartment(2)).toMatchObject({ front: "CLOSED", isJammed: true });
  await changeCompartment(2, { isJammed: false });
});

it("lying sensor: the platform knows the reading, the cabinet the content", async () => {
  await changeCompartment(3, { isSensorWrong: true });
  await until("the wrong reading", async () => (await known(3))?.item === "PRESENT");
  expect(await compartment(3)).toMatchObject({ content: "EMPTY", sensor: "PRESENT" });
  await changeCompartment(3, { isSensorWrong: false });
  await until("the right reading", async () => (await known(3))?.item === "EMPTY");
});

it.each([
  ["network", { hasLine: false }, { hasLine: true }],
  ["power", { hasPower: false }, { hasPower: true }],
] as const)(
  "%s pulled: no door opens, and it is heard again afterwards",
  async (_what, off, on) => {
    await change(off);
    await until("the lost session", async () => !(await state()).hasSession);
    expect(await state()).toMatchObject(off);
    await until("the platform's notice", async () => {
      const answer = await fleet.testServer.call(cabinetContract.get, person, { params: params() });
      return answer.data.connectivity !== "ONLINE";
    });
    expect((await open(2)).errMsg).toContain("设备不在线");
    expect(await compartment(2)).toMatchObject({ front: "CLOSED" });
    await change(on);
    await until("the session", async () => (await state()).hasSession);
    const { data } = await open(2);
    expect(await settled(data.id)).toBe("CONFIRMED");
    await changeCompartment(2, { close: "FRONT" });
  },
);

it("cabinet that no simulator runs: null, and changes are refused", async () => {
  const real = await fleet.addCabinet({ tenantId: person.tenantId });
  const answer = await fleet.testServer.call(simulatedCabinetContract.get, person, {
    params: { id: real.id },
  });
  expect(answer.data).toBeNull();
  const refused = await fleet.testServer.call(simulatedCabinetContract.change, person, {
    params: { id: real.id },
    body: { hasPower: false },
  });
  expect(refused.errMsg).toContain("模拟柜机没有在运行");
});
