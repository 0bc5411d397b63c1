// Many cabinets in one process: staggered start, one shared timer, common stop.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SimulatedCabinet } from "@cabinet/link";
import { type FaultPlan, withFaults } from "./faults.ts";
import { fileJournal } from "./journal.ts";
import { Machine } from "./machine.ts";
import { mqttTransport } from "./mqtt-transport.ts";
import { realWorld, seedOf } from "./world.ts";

const TICK_MS = 1_000;
/** Start rate, in cabinets per second; connection attempts are not limited after that. */
const STARTS_PER_SECOND = 500;

export interface FleetOptions {
  readonly server: string;
  readonly mqtt: string;
  /** Folder of client certificates for a broker that demands them. */
  readonly certificates?: string | undefined;
  readonly cabinets: readonly SimulatedCabinet[];
  readonly journalDir: string;
  readonly faults: FaultPlan;
  readonly seed: number;
  readonly autoCloseMs: number;
  /** Receives each distinct problem once, as a Chinese message. */
  onTrouble(message: string): void;
}

export interface Fleet {
  readonly machines: readonly Machine[];
  /** Starts the cabinets in batches; resolves when all are on or the fleet was stopped. */
  start(): Promise<void>;
  /** The cabinet of this `cabinetId`. */
  find(cabinetId: string): Machine | undefined;
  /** Number of cabinets with a session (hello received) on their current connection. */
  online(): number;
  /** Applies changed secrets; returns the `cabinetId` of each cabinet that changed. */
  changeKeys(cabinets: readonly SimulatedCabinet[]): string[];
  /** Cuts all connections at once. */
  cutLines(): void;
  /** Disconnects all cabinets gracefully, within two seconds at most. */
  stop(): Promise<void>;
}

export function createFleet(options: FleetOptions): Fleet {
  const transport = mqttTransport(options.server, options.mqtt, options.certificates);
  const reported = new Set<string>();
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
      // A command has four checkpoints: a quarter each makes `reboot` the chance per command.
      losesPowerAt: () => world.random() < options.faults.reboot / 4,
      onTrouble(message) {
        if (reported.has(message)) return;
        reported.add(message);
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
    find: (cabinetId) => byId.get(cabinetId),
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
