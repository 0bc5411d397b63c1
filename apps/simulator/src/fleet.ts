// Many cabinets in one process: started in turn, one shared clock tick, stopped together.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SimulatedCabinet } from "@cabinet/link";
import { type FaultPlan, withFaults } from "./faults.ts";
import { fileJournal } from "./journal.ts";
import { Machine } from "./machine.ts";
import { mqttTransport } from "./mqtt-transport.ts";
import { realWorld, seedOf } from "./world.ts";

const TICK_MS = 1_000;
/** Cabinets that begin per second; the line is theirs to fight for after that. */
const STARTS_PER_SECOND = 500;

export interface FleetOptions {
  readonly server: string;
  readonly mqtt: string;
  readonly cabinets: readonly SimulatedCabinet[];
  readonly journalDir: string;
  readonly faults: FaultPlan;
  readonly seed: number;
  readonly autoCloseMs: number;
  /** Told each distinct trouble once, in Chinese. */
  onTrouble(message: string): void;
}

export interface Fleet {
  readonly machines: readonly Machine[];
  /** Switches them on in turn; resolves when the last one is on, or the fleet was stopped. */
  start(): Promise<void>;
  /** How many the server has greeted on their present connection. */
  online(): number;
  /** Those whose secret is another one now take it into use; returns their numbers. */
  changeKeys(cabinets: readonly SimulatedCabinet[]): string[];
  /** All lose their lines at once. */
  cutLines(): void;
  /** All say goodbye; takes two seconds at most. */
  stop(): Promise<void>;
}

export function createFleet(options: FleetOptions): Fleet {
  const transport = mqttTransport(options.server, options.mqtt);
  const told = new Set<string>();
  const machines = options.cabinets.map((identity) => {
    const world = realWorld(seedOf(options.seed, identity.cabinetId));
    const journal = fileJournal(path.resolve(options.journalDir), identity.cabinetId);
    return new Machine(identity, world, withFaults(transport, options.faults, world), journal, {
      autoCloseMs: options.autoCloseMs,
      downloads: {
        server: options.server,
        folder: path.resolve(options.journalDir, "files"),
        faults: options.faults,
      },
      isJammed: () => world.random() < options.faults.jam,
      // Four moments share the chance, so that `reboot` is the chance per command.
      losesPowerAt: () => world.random() < options.faults.reboot / 4,
      onTrouble(message) {
        if (told.has(message)) return;
        told.add(message);
        options.onTrouble(message);
      },
    });
  });
  const byId = new Map(
    options.cabinets.map(({ cabinetId }, index) => [cabinetId, machines[index]]),
  );
  const started: Machine[] = [];
  let ticker: NodeJS.Timeout | undefined;
  let isStopped = false;
  return {
    machines,
    async start() {
      ticker = setInterval(() => {
        for (const machine of started) machine.tick();
      }, TICK_MS);
      const size = STARTS_PER_SECOND / 10;
      for (let from = 0; from < machines.length && !isStopped; from += size) {
        const batch = machines.slice(from, from + size);
        started.push(...batch);
        await Promise.all([...batch.map((machine) => machine.start()), sleep(100)]);
      }
    },
    online: () => started.filter((machine) => machine.hasSession()).length,
    changeKeys(cabinets) {
      const changed: string[] = [];
      for (const identity of cabinets) {
        if (byId.get(identity.cabinetId)?.changeKey(identity)) changed.push(identity.cabinetId);
      }
      return changed;
    },
    cutLines() {
      for (const machine of started) machine.cutLine();
    },
    async stop() {
      isStopped = true;
      clearInterval(ticker);
      await Promise.all(started.map((machine) => machine.stop()));
    },
  };
}
