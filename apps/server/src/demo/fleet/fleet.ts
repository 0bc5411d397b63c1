// Runs the simulated cabinets of a demo in a separate process over the real protocol.
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import path from "node:path";

const program = path.join(import.meta.dirname, "../../../../simulator/src/main.ts");

export interface DemoFleet {
  stop(): Promise<void>;
}

/** Runs until `stop` or the end of this process; its output goes to `simulator.log`. */
export function startDemoFleet(dataDir: string): DemoFleet {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const log = createWriteStream(path.join(dataDir, "simulator.log"), { flags: "a" });
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
