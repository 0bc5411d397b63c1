// Calls for 模拟柜机: the state that a simulated cabinet believes in, and what people do to it by hand.
import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Id, IdParams, Nullable, OneOf, Strict } from "../../kit/fields.ts";
import { DOOR_SIDES } from "../../vocabulary/hardware.rules.ts";
import { CompartmentNo } from "../../vocabulary/hardware.ts";

const DoorState = OneOf(["OPEN", "CLOSED"]);
const ItemState = OneOf(["EMPTY", "PRESENT"]);

export const SimulatedCompartment = Type.Object({
  no: CompartmentNo,
  front: DoorState,
  back: Nullable(DoorState),
  content: { ...ItemState, description: "格口里实际有无物品" },
  sensor: { ...ItemState, description: "物品传感器的读数" },
  isJammed: Type.Boolean({ description: "锁卡住：通电后门不弹开" }),
  isSensorWrong: Type.Boolean({ description: "物品传感器读数与实际相反" }),
});
export type SimulatedCompartment = Static<typeof SimulatedCompartment>;

export const SimulatedCabinetState = Type.Object({
  hasPower: Type.Boolean({ description: "电源已接通" }),
  hasLine: Type.Boolean({ description: "网线已插上" }),
  hasSession: Type.Boolean({ description: "设备与平台的会话已建立" }),
  hasPeople: Type.Boolean({ description: "模拟用户自动存取并关门" }),
  commands: Type.Array(
    Type.Object({
      cmdId: Type.String(),
      seq: Type.Integer(),
      stage: Type.String({ description: "设备指令日志里的阶段" }),
      reason: Nullable(Type.String()),
    }),
    { description: "设备指令日志里的最近几条，新的在前" },
  ),
  compartments: Type.Array(SimulatedCompartment),
});
export type SimulatedCabinetState = Static<typeof SimulatedCabinetState>;

export const CabinetChange = Strict({
  hasPower: Type.Optional(Type.Boolean({ title: "电源" })),
  hasLine: Type.Optional(Type.Boolean({ title: "网络" })),
  hasPeople: Type.Optional(Type.Boolean({ title: "自动存取与关门" })),
});
export type CabinetChange = Static<typeof CabinetChange>;

export const CompartmentChange = Strict({
  close: Type.Optional({ ...OneOf(DOOR_SIDES, "关门"), description: "关上这一面的门" }),
  content: Type.Optional({ ...ItemState, title: "物品", description: "放入或取出，须有门开着" }),
  isJammed: Type.Optional(Type.Boolean({ title: "锁卡住" })),
  isSensorWrong: Type.Optional(Type.Boolean({ title: "传感器失灵" })),
});
export type CompartmentChange = Static<typeof CompartmentChange>;

export const simulatedCabinetContract = {
  get: endpoint({
    method: "GET",
    path: "/admin/v1/locker/{id}/simulated",
    access: "compartment:read",
    summary: "模拟柜机的状态；不是模拟柜机时为 null",
    params: IdParams,
    reply: Nullable(SimulatedCabinetState),
  }),
  change: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/{id}/simulated",
    access: "command:open",
    risk: "routine",
    summary: "模拟柜机：断电、断网、自动存取",
    params: IdParams,
    body: CabinetChange,
    reply: Nothing,
  }),
  changeCompartment: endpoint({
    method: "PUT",
    path: "/admin/v1/locker/{id}/simulated/{no}",
    access: "command:open",
    risk: "routine",
    summary: "模拟柜机：关门、放入或取出物品、锁与传感器故障",
    params: Strict({ id: Id, no: CompartmentNo }),
    body: CompartmentChange,
    reply: Nothing,
  }),
};
