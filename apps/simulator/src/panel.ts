// Serves state and physical changes of the simulated cabinets on a Unix socket, for 模拟柜机 in the console.
import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type {
  CabinetChange,
  CompartmentChange,
  SimulatedCabinetState,
} from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import type { CompartmentTruth } from "./hardware.ts";
import type { Machine } from "./machine.ts";

/** Latest commands shown. */
const COMMANDS = 8;

/** The simulated cabinet of this `cabinetId`. */
export type FindMachine = (cabinetId: string) => Machine | undefined;

export interface Panel {
  stop(): Promise<void>;
}

/**
 * GET /{cabinetId}: `SimulatedCabinetState`. PUT /{cabinetId}: `CabinetChange`. PUT /{cabinetId}/{no}:
 * `CompartmentChange`. Replies 404 to an unknown cabinet, 409 to a change that is physically impossible.
 */
export async function startPanel(socket: string, find: FindMachine): Promise<Panel> {
  // Left over from a killed simulator; the lock of the folder excludes a living one.
  await rm(socket, { force: true });
  const server = createServer((request, response) => {
    reply(request, response, find).catch(() => end(response, 400));
  });
  await listen(server, socket);
  await chmod(socket, 0o600);
  return {
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => resolve());
  });
}

async function reply(request: IncomingMessage, response: ServerResponse, find: FindMachine) {
  const [, cabinetId = "", no] = (request.url ?? "").split("/");
  const machine = find(cabinetId);
  if (!machine) return end(response, 404);
  if (request.method === "GET") return end(response, 200, stateOf(machine));
  const change: unknown = JSON.parse(await bodyOf(request));
  const isDone =
    no === undefined
      ? changeCabinet(machine, change as CabinetChange)
      : changeCompartment(machine, Number(no), change as CompartmentChange);
  end(response, isDone ? 204 : 409);
}

function end(response: ServerResponse, status: number, body?: SimulatedCabinetState): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body && JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

function stateOf(machine: Machine): SimulatedCabinetState {
  return {
    hasPower: machine.hasPower(),
    hasLine: machine.hasLine(),
    hasSession: machine.hasSession(),
    hasPeople: machine.hardware.hasPeople(),
    commands: machine
      .journalled()
      .slice(-COMMANDS)
      .reverse()
      .map(({ cmdId, seq, stage, reason = null }) => ({ cmdId, seq, stage, reason })),
    compartments: machine.hardware.truth().map(compartmentOf),
  };
}

function compartmentOf({ no, front, back, item, content, ...faults }: CompartmentTruth) {
  const doorOf = (state: string | undefined) => (state === "OPEN" ? "OPEN" : "CLOSED");
  const itemOf = (state: string) => (state === "PRESENT" ? "PRESENT" : "EMPTY");
  return {
    no,
    front: doorOf(front),
    back: back === undefined ? null : doorOf(back),
    content: itemOf(content),
    sensor: itemOf(item),
    ...faults,
  } as const;
}

function changeCabinet(machine: Machine, change: CabinetChange): boolean {
  const { hasPower, hasLine, hasPeople } = change;
  if (hasPower !== undefined) machine.setPower(hasPower);
  if (hasLine !== undefined) machine.setLine(hasLine);
  if (hasPeople !== undefined) machine.hardware.setPeople(hasPeople);
  return true;
}

function changeCompartment(machine: Machine, no: number, change: CompartmentChange): boolean {
  const { hardware } = machine;
  const { close, content, ...faults } = change;
  return (
    hardware.setFaults(no, faults) &&
    (content === undefined || hardware.setContent(no, content)) &&
    (close === undefined || hardware.closeDoor(no, close))
  );
}
