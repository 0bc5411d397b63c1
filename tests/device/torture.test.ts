// Promise D1 under random faults: everything fails at once, for seconds here, for minutes by
// TORTURE_SECONDS.
import type { ChildProcess } from "node:child_process";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { beforeAll, expect, it } from "vitest";
import { type FaultPlan, NO_FAULTS } from "../../apps/simulator/src/faults.ts";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { amount } from "../support/deep.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";

const STORM_SECONDS = amount("TORTURE_SECONDS", { sample: 3, deep: 30 });
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Longest extension of a storm that has opened few doors, as on a slow machine. */
const MOST_EXTRA_SECONDS = 120;
const CABINETS = 8;
const DOORS = 4;
/** Tolerance between `performance.now()` and `Date.now()` on the same machine. */
const CLOCK_MS = 10;

const devices = useDeviceFleet();
let person: Person;
beforeAll(async () => {
  person = (await devices.testServer.makeTenant()).people[1];
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it(
  `each command opens at most once and never after its expiry (SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    let isStorm = false;
    let gateway: ChildProcess = await devices.forkGateway();
    let kills = 0;
    let cuts = 0;
    const killGateway = () => {
      if (!isStorm || gateway.signalCode) return;
      gateway.kill("SIGKILL");
      kills++;
    };

    const faults: FaultPlan = {
      ...NO_FAULTS,
      get drop() {
        return isStorm ? 0.05 : 0;
      },
      get delay() {
        return isStorm ? 400 : 0;
      },
      get duplicate() {
        return isStorm ? 0.3 : 0;
      },
      jam: 0,
      reboot: 0,
    };
    const fleet: { cabinet: FleetCabinet; machine: Machine; side: "SINGLE" | "DOUBLE" }[] = [];
    for (let at = 0; at < CABINETS; at++) {
      const side = at % 2 === 0 ? "SINGLE" : "DOUBLE";
      const cabinet = await devices.addCabinet({ tenantId: person.tenantId, side, doors: DOORS });
      const machine = await devices.switchOn(cabinet, {
        faults,
        seed: SEED + at,
        autoCloseMs: 500,
        isJammed: () => random() < 0.1,
        losesPowerAt() {
          if (random() < 0.02) killGateway();
          const isCut = isStorm && random() < 0.04;
          if (isCut) cuts++;
          return isCut;
        },
      });
      fleet.push({ cabinet, machine, side });
    }

    const allHaveSessions = () => fleet.every(({ machine }) => machine.hasSession());
    await until("sessions", allHaveSessions);
    const findPulses = () => fleet.flatMap(({ machine }) => machine.hardware.pulses);
    const end = performance.now() + STORM_SECONDS * 1_000;
    const latest = end + MOST_EXTRA_SECONDS * 1_000;
    isStorm = true;
    const goesOn = () => {
      const now = performance.now();
      return now < end || (now < latest && (findPulses().length < CABINETS || kills === 0));
    };
    async function operate(): Promise<void> {
      while (goesOn()) {
        const { cabinet, side } = fleet[Math.floor(random() * CABINETS)]!;
        const no = 1 + Math.floor(random() * DOORS);
        const isBack = side === "DOUBLE" && random() < 0.5;
        await devices.testServer.call(commandContract.open, person, {
          params: { id: cabinet.id },
          body: { no, side: isBack ? "BACK" : "FRONT", reason: "风暴" },
        });
        await sleep(random() * 60);
      }
    }
    async function keepGatewayUp(): Promise<void> {
      while (goesOn()) {
        if (random() < 0.01) killGateway();
        if (gateway.signalCode) {
          await sleep(random() * 500);
          gateway = await devices.forkGateway();
        }
        await sleep(50);
      }
    }
    await Promise.all([operate(), operate(), operate(), keepGatewayUp()]);

    isStorm = false;
    gateway.kill("SIGKILL");
    await until("the end of the gateway", () => gateway.signalCode);
    // A new gateway process starts without connection bans.
    await devices.forkGateway();
    const commands = await until(
      "every command's end",
      async () => {
        const all = await Promise.all(fleet.map(({ cabinet }) => devices.findCommands(cabinet)));
        const flat = all.flat();
        return flat.every(({ state }) => hasResult(state)) && flat;
      },
      40_000,
    );
    const pulses = findPulses();
    const pulsesOf = Map.groupBy(pulses, ({ cmdId }) => cmdId);
    for (const { id, state, expiresAt } of commands) {
      const given = pulsesOf.get(id) ?? [];
      expect(given.length, `openings of ${id}, ${state}`).toBeLessThanOrEqual(1);
      if (state === "CONFIRMED" || state === "NOT_CONFIRMED") expect(given, id).toHaveLength(1);
      if (["REJECTED", "EXPIRED", "FAILED"].includes(state)) expect(given, id).toHaveLength(0);
      for (const { at } of given) {
        const late = performance.timeOrigin + at - Date.parse(expiresAt);
        expect(late, `${id} opened so many ms after its expiry`).toBeLessThan(CLOCK_MS);
      }
      pulsesOf.delete(id);
    }
    expect([...pulsesOf.keys()], "openings that nobody asked for").toEqual([]);

    const counts = Object.groupBy(commands, ({ state }) => state);
    const counted = Object.entries(counts).map(([state, list]) => `${state} ${list?.length}`);
    process.stdout.write(
      `D1 SEED=${SEED}: ${commands.length} commands, ${pulses.length} openings, ${kills} kills, ` +
        `${cuts} power cuts: ${counted.join(", ")}\n`,
    );
    expect(pulses.length).toBeGreaterThan(0);
    expect(kills).toBeGreaterThan(0);

    async function worksAgain({ cabinet, machine }: { cabinet: FleetCabinet; machine: Machine }) {
      await until("a session after the storm", () => machine.hasSession(), 90_000);
      const { data } = await devices.testServer.call(commandContract.restart, person, {
        params: { id: cabinet.id },
        body: { reason: "风暴之后" },
      });
      await until(
        "a command that works again",
        async () => {
          const all = await devices.findCommands(cabinet);
          return all.find(({ id }) => id === data.id)?.state === "CONFIRMED";
        },
        30_000,
      );
    }
    await Promise.all(fleet.map(worksAgain));
  },
  (STORM_SECONDS + MOST_EXTRA_SECONDS + 230) * 1_000,
);
