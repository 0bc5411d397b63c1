// A fleet of simulated cabinets, as the bench leads it.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FleetNews, FleetOrder } from "./fleet-process.ts";
import type { LoadServer } from "./load-server.ts";

export interface Fleet {
  pid: number;
  online(): number;
  /** Milliseconds until so many are online; throws when they are not in time. */
  waitFor(online: number, withinMs: number): Promise<number>;
  order(order: FleetOrder): void;
  stop(): Promise<void>;
}

export function startFleet(stage: LoadServer): Fleet {
  const child: ChildProcess = fork(
    path.join(import.meta.dirname, "fleet-process.ts"),
    [stage.credentials, path.join(stage.dataDir, "journals")],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  let online = 0;
  child.on("message", (news: FleetNews) => {
    online = news.online;
  });
  return {
    pid: child.pid ?? 0,
    online: () => online,
    async waitFor(wanted, withinMs) {
      const startedAt = performance.now();
      while (online < wanted) {
        const tookMs = performance.now() - startedAt;
        if (tookMs > withinMs) throw new Error(`${online} of ${wanted} online in ${withinMs} ms`);
        await sleep(50);
      }
      return performance.now() - startedAt;
    },
    order: (order) => child.send(order),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.send("stop" satisfies FleetOrder);
      await Promise.race([ended, sleep(10_000).then(() => child.kill("SIGKILL"))]);
      await ended;
    },
  };
}
