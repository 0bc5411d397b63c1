// Invariant D1: under any mixture of faults an intent opens at most once and never late.
import { provesNotOpened } from "@cabinet/link";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type FaultPlan, NO_FAULTS, withFaults } from "./faults.ts";
import { Machine } from "./machine.ts";
import { makeCabinets } from "./testing/test-broker.ts";
import { type Issued, TestGateway } from "./testing/test-gateway.ts";
import { Disk, Line, Stage } from "./testing/virtual-world.ts";

const RUNS = Number(process.env.TORTURE_RUNS ?? 60);
const SERVER_EPOCH_MS = 1_795_262_400_000;
const STORM_MS = 240_000;
const CALM_MS = 300_000;

interface Plan extends Omit<FaultPlan, "badFile" | "slowFile" | "badInstall" | "bootLoop"> {
  readonly seed: number;
  readonly isDouble: boolean;
  readonly drift: number;
  readonly commands: number;
  readonly cuts: number;
  readonly replays: number;
}

const chance = fc.double({ min: 0, max: 0.5, noNaN: true });
const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(),
  drop: chance,
  silence: fc.constantFrom(0, 0, 0.02),
  delay: fc.nat(30_000),
  duplicate: chance,
  jam: chance,
  reboot: fc.double({ min: 0, max: 0.3, noNaN: true }),
  isDouble: fc.boolean(),
  drift: fc.double({ min: -100e-6, max: 100e-6, noNaN: true }),
  commands: fc.integer({ min: 1, max: 90 }),
  cuts: fc.nat(6),
  replays: fc.nat(60),
});

/** Plays a fault phase and then a quiet phase; returns everything issued, executed and reported. */
async function play(plan: Plan) {
  const stage = new Stage(plan.seed);
  const serverNow = () => Math.ceil(SERVER_EPOCH_MS + stage.now);
  const cabinets = makeCabinets(1, 3, plan.isDouble);
  const identity = cabinets[0];
  if (!identity) throw new Error("no cabinet");
  const { cabinetId } = identity;
  const sent: Parameters<Line["deliver"]>[0][] = [];
  const gateway = new TestGateway(cabinets, serverNow, (message) => {
    sent.push(message);
    line.deliver(message);
  });
  const line = new Line(stage, ({ topic, payload }) => {
    // A compromised broker replays an old hello before the server can answer.
    if (plan.replays > 0 && topic.endsWith("/birth")) replay("/hello");
    gateway.receive(topic, payload);
  });
  const disk = new Disk(stage);
  /** Replays a random earlier message to the cabinet. */
  function replay(kind: "/hello" | "/cmd"): void {
    const known = sent.filter(({ topic }) => topic.endsWith(kind));
    const old = known[Math.floor(stage.random() * known.length)];
    if (old) line.deliver(old);
  }
  const isStorm = () => stage.now < STORM_MS;
  const faults: FaultPlan = {
    ...NO_FAULTS,
    get drop() {
      return isStorm() ? plan.drop : 0;
    },
    get delay() {
      return isStorm() ? plan.delay : 0;
    },
    get duplicate() {
      return isStorm() ? plan.duplicate : 0;
    },
    get silence() {
      return isStorm() ? plan.silence : 0;
    },
    jam: plan.jam,
    reboot: plan.reboot,
  };
  const world = stage.world(plan.drift);
  const machine = new Machine(identity, world, withFaults(line, faults, world), disk, {
    autoCloseMs: 4_000,
    isJammed: () => isStorm() && stage.random() < plan.jam,
    losesPowerAt() {
      const isLost = isStorm() && stage.random() < plan.reboot;
      if (isLost) disk.cut();
      return isLost;
    },
    onTrouble() {},
  });
  const issued: Issued[] = [];
  function open(no: number, side: "FRONT" | "BACK") {
    const command = gateway.open(cabinetId, no, { side });
    issued.push(command);
    for (const wait of [2_000, 5_000]) {
      stage.after(wait, () => {
        const isCurrent = gateway.known(cabinetId).epoch === command.epoch;
        if (isCurrent && serverNow() < command.exp) gateway.send(command);
      });
    }
    return command;
  }
  const within = (times: number, act: () => void) => {
    for (let time = 0; time < times; time++) stage.after(stage.random() * STORM_MS, act);
  };
  within(plan.commands, () => {
    const side = plan.isDouble && stage.random() < 0.5 ? "BACK" : "FRONT";
    // The server sends nothing to an offline cabinet.
    if (gateway.hasSession(cabinetId)) open(1 + Math.floor(stage.random() * 3), side);
  });
  within(plan.cuts, () => line.cut());
  within(plan.replays, () => replay("/hello"));
  within(plan.replays, () => replay("/cmd"));
  within(1, () => {
    disk.isFull = true;
    stage.after(10_000, () => {
      disk.isFull = false;
    });
  });
  stage.after(STORM_MS, () => {
    disk.slowChance = 0;
  });
  let bothOpen = 0;
  const tick = () => {
    machine.tick();
    for (const row of machine.hardware.report()) {
      if (row.front === "OPEN" && row.back === "OPEN") bothOpen++;
    }
    stage.after(250, tick);
  };
  tick();
  await machine.start();
  await stage.playUntil(STORM_MS + CALM_MS);
  machine.losePower();
  await stage.playUntil(stage.now + 60_000);
  const reborn = gateway.births.findLast((birth) => birth.part === 1);
  const unfinished = reborn?.journal.filter((entry) => /^(STARTED|ACKED)$/.test(entry.stage));
  gateway.resync(cabinetId);
  const last = open(1, "FRONT");
  await stage.playUntil(stage.now + 20_000);
  const pulses = machine.hardware.pulses.map((pulse) => ({
    ...pulse,
    at: SERVER_EPOCH_MS + (pulse.at - 1_000) / (1 + plan.drift),
  }));
  const truth = machine.hardware.report();
  return {
    unfinished,
    gateway,
    cabinetId,
    issued,
    last,
    pulses,
    bothOpen,
    truth,
  };
}

test(`an intent opens at most once and never late (${RUNS} storms)`, {
  timeout: 600_000,
}, async () => {
  let opened = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const played = await play(plan);
      const { gateway, issued, pulses } = played;
      expect(gateway.refused).toEqual([]);
      expect(played.bothOpen).toBe(0);
      for (const command of issued) {
        const given = pulses.filter((pulse) => pulse.cmdId === command.cmdId);
        expect(given.length).toBeLessThanOrEqual(1);
        for (const pulse of given) {
          expect(pulse.no).toBe(command.no);
          expect(pulse.at).toBeLessThan(command.exp);
        }
        const stages = (gateway.acks.get(command.cmdId) ?? []).map((ack) => ack.stage);
        const isProof = stages.some(provesNotOpened);
        const isPulse = stages.some((stage) => /^(ACKED|CONFIRMED|NOT_CONFIRMED)$/.test(stage));
        if (isProof || gateway.neverTaken.has(command.cmdId)) expect(given).toEqual([]);
        if (isPulse) expect(given).toHaveLength(1);
        if (given.length > 0) opened++;
        if (isProof) refused++;
      }
      expect(played.unfinished).toEqual([]);
      // After the faults the cabinet has recovered by itself and executes commands.
      expect(gateway.stagesOf(played.last).slice(0, 2)).toEqual(["ACKED", "CONFIRMED"]);
      for (const row of played.truth) {
        const { bootNo, n, ...believed } = gateway.shadow.get(`${played.cabinetId} ${row.no}`)!;
        expect(believed).toEqual(row);
        expect(bootNo * n).toBeGreaterThan(0);
      }
    }),
    { numRuns: RUNS },
  );
  // Guard against a vacuous test: enough commands were opened and refused.
  expect(opened).toBeGreaterThan(RUNS);
  expect(refused).toBeGreaterThan(RUNS / 2);
});
