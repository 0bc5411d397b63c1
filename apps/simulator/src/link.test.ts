// Simulated cabinets over a real broker: every stage of a command, and forbidden outcomes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { provesNotOpened, type SimulatedCabinet, sealDown } from "@cabinet/link";
import { afterEach, expect, test } from "vitest";
import { NO_FAULTS } from "./faults.ts";
import { createFleet, type Fleet, type FleetOptions } from "./fleet.ts";
import { makeCabinets, startTestServer, until } from "./testing/test-broker.ts";
import type { Issued } from "./testing/test-gateway.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startAll(cabinets: SimulatedCabinet[], more: Partial<FleetOptions> = {}) {
  const server = await startTestServer(cabinets);
  ends.push(() => server.close());
  const journalDir = await mkdtemp(path.join(tmpdir(), "simulator-"));
  ends.push(() => rm(journalDir, { recursive: true, force: true }));
  const troubles: string[] = [];
  const options: FleetOptions = {
    server: server.server,
    mqtt: server.mqtt,
    cabinets,
    journalDir,
    faults: NO_FAULTS,
    seed: 1,
    autoCloseMs: 400,
    onTrouble: (message) => troubles.push(message),
    ...more,
  };
  return { ...server, options, troubles, fleet: await startFleet(options) };
}

async function startFleet(options: FleetOptions): Promise<Fleet> {
  const fleet = createFleet(options);
  ends.push(() => fleet.stop());
  await fleet.start();
  return fleet;
}

function pulsesOf(fleet: Fleet, cmdId: string): number {
  return fleet.machines.flatMap(({ hardware }) =>
    hardware.pulses.filter((pulse) => pulse.cmdId === cmdId),
  ).length;
}

const A = "TEST000001";
const B = "TEST000002";

test("open command: the door is opened, confirmed, used and closed", async () => {
  const { gateway, fleet } = await startAll(makeCabinets(1));
  await until("online", () => fleet.online() === 1);
  expect(gateway.births[0]).toMatchObject({ bootNo: 1, n: 1, lastSeq: 0, side: "SINGLE" });
  const issued = gateway.open(A, 2);
  await until("confirmed", () => gateway.stagesOf(issued).length === 2);
  expect(gateway.stagesOf(issued)).toEqual(["ACKED", "CONFIRMED"]);
  expect(gateway.shadow.get(`${A} 2`)).toMatchObject({ front: "OPEN" });
  const opened = gateway.events.find((event) => event.type === "DOOR_OPENED");
  expect(opened).toMatchObject({ cmdId: issued.cmdId, side: "FRONT", compartment: { no: 2 } });
  await until("closed", () => gateway.shadow.get(`${A} 2`)?.front === "CLOSED");
  expect(fleet.machines[0]?.hardware.pulses).toHaveLength(1);
  expect(gateway.refused).toEqual([]);
});

test("duplicate command: one pulse, repeated result", async () => {
  const { gateway, fleet } = await startAll(makeCabinets(1));
  await until("online", () => fleet.online() === 1);
  const issued = gateway.open(A, 1);
  for (let copy = 0; copy < 5; copy++) gateway.send(issued);
  await until("closed again", () => gateway.events.some((event) => event.type === "DOOR_CLOSED"));
  gateway.send(issued);
  await until("told again", () => gateway.stagesOf(issued).at(-1) === "CONFIRMED");
  expect(pulsesOf(fleet, issued.cmdId)).toBe(1);
});

test("invalid command (expired, other epoch, foreign key): no pulse", async () => {
  const cabinets = makeCabinets(2);
  const { gateway, fleet } = await startAll(cabinets);
  await until("online", () => fleet.online() === 2);
  const future = gateway.open(A, 1, { epochShift: 1 });
  const foreign = gateway.open(A, 1, { keysOf: B });
  const late = gateway.open(A, 1, { ttlMs: 0 });
  await until("answers", () => gateway.stagesOf(late).length === 1);
  expect(gateway.stagesOf(late)).toEqual(["EXPIRED"]);
  expect(gateway.stagesOf(future)).toEqual(["REJECTED WRONG_EPOCH"]);
  expect(gateway.stagesOf(foreign)).toEqual([]);
  for (const { hardware } of fleet.machines) expect(hardware.pulses).toEqual([]);
});

test("server clock set back: one command fails, not all until the next birth", async () => {
  const { gateway, fleet, clock } = await startAll(makeCabinets(1));
  await until("online", () => fleet.online() === 1);
  clock.aheadMs = -60_000;
  const spoilt = gateway.open(A, 1);
  await until("answer", () => gateway.stagesOf(spoilt).length === 1);
  expect(gateway.stagesOf(spoilt)).toEqual(["EXPIRED"]);
  await until("greeted anew", () => gateway.births.length === 2 && fleet.online() === 1);
  const next = gateway.open(A, 1);
  await until("confirmed", () => gateway.stagesOf(next).length === 2);
  expect(gateway.stagesOf(next)).toEqual(["ACKED", "CONFIRMED"]);
  expect(pulsesOf(fleet, spoilt.cmdId)).toBe(0);
});

test("unknown command: rejected by name", async () => {
  const cabinets = makeCabinets(1);
  const { gateway, broker, fleet } = await startAll(cabinets);
  await until("online", () => fleet.online() === 1);
  const { keys } = gateway.known(A);
  const strange = { cmdId: "cmd-strange", epoch: 1, seq: 1, type: "SELF_DESTRUCT" };
  const message = sealDown(keys, A, "cmd", strange as never);
  broker.publish({ cmd: "publish", dup: false, ...message }, () => {});
  await until("answer", () => gateway.acks.has("cmd-strange"));
  expect(gateway.acks.get("cmd-strange")?.[0]).toMatchObject({
    stage: "REJECTED",
    reason: "UNKNOWN_COMMAND",
  });
});

test("double-sided compartment: both doors are never open together", async () => {
  const { gateway, fleet } = await startAll(makeCabinets(1, 2, true));
  await until("online", () => fleet.online() === 1);
  const front = gateway.open(A, 1, { side: "FRONT" });
  const back = gateway.open(A, 1, { side: "BACK" });
  await until("front open", () => gateway.stagesOf(front).includes("CONFIRMED"));
  const again = gateway.open(A, 1, { side: "BACK" });
  await until("answer", () => gateway.stagesOf(again).length === 1);
  expect(gateway.stagesOf(back)).toEqual(["REJECTED BUSY"]);
  expect(gateway.stagesOf(again)).toEqual(["REJECTED OTHER_SIDE_OPEN"]);
});

test("jammed door: NOT_CONFIRMED after three seconds", async () => {
  const { gateway, fleet } = await startAll(makeCabinets(1), { faults: { ...NO_FAULTS, jam: 1 } });
  await until("online", () => fleet.online() === 1);
  const issued = gateway.open(A, 1);
  await until("result", () => gateway.stagesOf(issued).length === 2);
  expect(gateway.stagesOf(issued)).toEqual(["ACKED", "NOT_CONFIRMED"]);
  expect(pulsesOf(fleet, issued.cmdId)).toBe(1);
  expect(gateway.events.some((event) => event.type === "DOOR_OPENED")).toBe(false);
});

test("resync sends a snapshot again; a config is applied once", async () => {
  const { gateway, broker, fleet } = await startAll(makeCabinets(1));
  await until("online", () => fleet.online() === 1);
  gateway.resync(A);
  await until("state", () => gateway.states.length === 1);
  expect(gateway.states[0]).toMatchObject({ full: true });
  expect(gateway.states[0]?.compartments).toHaveLength(4);
  const { keys, epoch } = gateway.known(A);
  const say = (message: ReturnType<typeof sealDown>) =>
    broker.publish({ cmd: "publish", dup: false, ...message }, () => {});
  say(sealDown(keys, A, "cfg", { epoch, version: 3, values: { heartbeatSeconds: 20 } }));
  say(sealDown(keys, A, "cfg", { epoch, version: 2, values: { heartbeatSeconds: 50 } }));
  await until("answers", () => gateway.states.length === 3);
  const inForce = { version: 3, values: { heartbeatSeconds: 20 } };
  expect(gateway.states.slice(1).map((state) => state.config)).toEqual([inForce, inForce]);
});

test("birth request: births again, or reconnects if the server knows another nonce", async () => {
  const { gateway, fleet } = await startAll(makeCabinets(1));
  await until("online", () => fleet.online() === 1);
  const { nonce } = gateway.known(A);
  gateway.askForBirth(A);
  await until("a birth", () => gateway.births.length === 2 && fleet.online() === 1);
  expect(gateway.births.map((birth) => birth.nonce)).toEqual([nonce, nonce]);
  gateway.askForBirth(A, "AAAAAAAAAAAAAAAAAAAAAA");
  await until("another connection", () => gateway.births.length === 3 && fleet.online() === 1);
  expect(gateway.births[2]?.nonce).not.toBe(nonce);
  const issued = gateway.open(A, 1);
  await until("confirmed", () => gateway.stagesOf(issued).length === 2);
});

test("restart command: acknowledged before and confirmed after the restart", async () => {
  const { gateway, broker, fleet } = await startAll(makeCabinets(1));
  await until("online", () => fleet.online() === 1);
  const { keys, epoch } = gateway.known(A);
  const now = Date.now();
  const once = { cmdId: "reboot-0001", epoch, seq: 1, iat: now, exp: now + 15_000 };
  const message = sealDown(keys, A, "cmd", { ...once, type: "REBOOT" });
  broker.publish({ cmd: "publish", dup: false, ...message }, () => {});
  const stages = () => (gateway.acks.get("reboot-0001") ?? []).map((ack) => ack.stage);
  await until("back", () => stages().includes("CONFIRMED"));
  expect(gateway.births.at(-1)).toMatchObject({ bootNo: 2, lastSeq: 1 });
  // The connection was lost without a goodbye, so the broker published the last will.
  expect(gateway.wills).toContain(gateway.births[0]?.nonce);
});

test("stop: disconnects gracefully within two seconds; a new start loads the journal", async () => {
  const { gateway, options, fleet } = await startAll(makeCabinets(2));
  await until("online", () => fleet.online() === 2);
  const issued = gateway.open(A, 1);
  await until("confirmed", () => gateway.stagesOf(issued).includes("CONFIRMED"));
  const began = Date.now();
  await fleet.stop();
  expect(Date.now() - began).toBeLessThan(2_000);
  await until("wills", () => gateway.wills.length === 2);
  expect(gateway.hasSession(A)).toBe(false);
  const again = await startFleet(options);
  await until("online", () => again.online() === 2);
  const birth = gateway.births.findLast((each) => each.journal.length > 0);
  expect(birth).toMatchObject({ bootNo: 2, lastSeq: issued.seq });
  expect(birth?.journal).toEqual([{ cmdId: issued.cmdId, seq: issued.seq, stage: "CONFIRMED" }]);
  gateway.send(issued);
  await until("told again", () => gateway.stagesOf(issued).length > 2);
  expect(pulsesOf(again, issued.cmdId)).toBe(0);
});

test("wrong secret: refused, and no message reaches the server", async () => {
  const cabinets = makeCabinets(1);
  const server = await startTestServer(cabinets);
  ends.push(() => server.close());
  const [stranger] = makeCabinets(1);
  const troubles: string[] = [];
  const journalDir = await mkdtemp(path.join(tmpdir(), "simulator-"));
  ends.push(() => rm(journalDir, { recursive: true, force: true }));
  await startFleet({
    ...{ server: server.server, mqtt: server.mqtt, journalDir, faults: NO_FAULTS, seed: 1 },
    autoCloseMs: 400,
    cabinets: stranger ? [stranger] : [],
    onTrouble: (message) => troubles.push(message),
  });
  await until("refusal", () => troubles.length > 0);
  expect(troubles[0]).toContain("拒绝了连接");
  expect(troubles[0]).not.toContain(stranger?.secret);
  expect(server.gateway.births).toEqual([]);
});

test("last will of an old connection: does not end a new one", async () => {
  const { gateway, fleet, broker } = await startAll(makeCabinets(1));
  await until("online", () => fleet.online() === 1);
  fleet.machines[0]?.losePower();
  await until("a new session", () => gateway.births.length === 2 && fleet.online() === 1);
  const first = gateway.births[0]?.nonce;
  expect(gateway.wills).toEqual([first]);
  expect(gateway.hasSession(A)).toBe(true);
  expect(broker.connectedClients).toBe(1);
});

test("bad line and reboots: duplicates of a command never open twice", async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  const faults = { ...NO_FAULTS, drop: 0.1, delay: 60, duplicate: 0.5, jam: 0.1, reboot: 0.3 };
  const { gateway, fleet } = await startAll(makeCabinets(8, 12), { faults, seed });
  const issued: Issued[] = [];
  const countOpened = () => issued.reduce((sum, { cmdId }) => sum + pulsesOf(fleet, cmdId), 0);
  await until("some online", () => fleet.online() >= 4);
  // On a busy machine more commands expire: rounds go on until enough doors have opened.
  for (let round = 0; round < 12 || (round < 100 && countOpened() <= 10); round++) {
    for (let index = 1; index <= 8; index++) {
      const id = `TEST00000${index}`;
      if (gateway.hasSession(id)) issued.push(gateway.open(id, 1 + (round % 12), { ttlMs: 1_000 }));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const command of issued.slice(-24)) gateway.send(command);
  }
  await until("no command is valid", () => Date.now() > (issued.at(-1)?.exp ?? 0));
  for (const command of issued) gateway.send(command);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const { cmdId } of issued) {
    const given = pulsesOf(fleet, cmdId);
    const stages = (gateway.acks.get(cmdId) ?? []).map((ack) => ack.stage);
    expect(given, `seed ${seed}, ${cmdId}`).toBeLessThanOrEqual(1);
    if (stages.some(provesNotOpened)) expect(given, `seed ${seed}, ${cmdId}`).toBe(0);
  }
  expect(countOpened(), `seed ${seed}`).toBeGreaterThan(10);
});
