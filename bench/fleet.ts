// Starts and controls a fleet of simulated cabinets in a child process.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FleetCommand, FleetStatus } from "./fleet-process.ts";
import type { LoadServer } from "./load-server.ts";

export interface Fleet {
  pid: number;
  online(): number;
  /** Milliseconds until `online` cabinets are online; throws after `withinMs`. */
  waitFor(online: number, withinMs: number): Promise<number>;
  command(command: FleetCommand): void;
  stop(): Promise<void>;
}

export function startFleet(loadServer: LoadServer): Fleet {
  const child: ChildProcess = fork(
    path.join(import.meta.dirname, "fleet-process.ts"),
    [loadServer.credentials, path.join(loadServer.dataDir, "journals")],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  let online = 0;
  child.on("message", (status: FleetStatus) => {
    online = status.online;
  });
  return {
    pid: child.pid ?? 0,
    online: () => online,
    async waitFor(count, withinMs) {
      const startedAt = performance.now();
      while (online < count) {
        const tookMs = performance.now() - startedAt;
        if (tookMs > withinMs) throw new Error(`${online} of ${count} online in ${withinMs} ms`);
        await sleep(50);
      }
      return performance.now() - startedAt;
    },
    command: (command) => child.send(command),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.send("stop" satisfies FleetCommand);
      await Promise.race([ended, sleep(10_000).then(() => child.kill("SIGKILL"))]);
      await ended;
    },
  };
}
