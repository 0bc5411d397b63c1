// Runs the simulated cabinets of a demo in a separate process over the real protocol.
import { spawn } from "node:child_process";
import { createWriteStream, fchmodSync, openSync } from "node:fs";
import path from "node:path";

const program = path.join(import.meta.dirname, "../../../../simulator/src/main.ts");

export interface DemoFleet {
  stop(): Promise<void>;
}

/** Appends; others on this machine may not read it, not even one that an older release made. */
function openPrivate(file: string): number {
  const fd = openSync(file, "a", 0o600);
  fchmodSync(fd, 0o600);
  return fd;
}

/** Runs until `stop` or the end of this process; its output goes to `simulator.log`. */
export function startDemoFleet(dataDir: string): DemoFleet {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const log = createWriteStream("", { fd: openPrivate(path.join(dataDir, "simulator.log")) });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
