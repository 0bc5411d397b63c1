// A demo of one's own in a moment: making one takes longer than most journeys, so it is made once and copied.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { startServer } from "./server.ts";

/** Returns the data folder of the copy; whoever asked removes it. */
export async function copyDemo(): Promise<string> {
  const made = path.join(inject("demoFolder"), "made");
  if (!existsSync(made)) await makeDemo(made);
  const copy = await mkdtemp(path.join(os.tmpdir(), "storage-e2e-"));
  // With owners, which Node's own copy leaves behind: the database is another account's.
  await promisify(execFile)("cp", ["-a", `${made}/.`, copy]);
  return copy;
}

/** No gateway and no worker: nobody has connected yet, and what waits to be done waits in each copy. */
async function makeDemo(folder: string): Promise<void> {
  const dataDir = path.join(inject("demoFolder"), "making");
  const server = await startServer({ args: ["--demo", "--services=api"], dataDir });
  await server.stop();
  await rename(dataDir, folder);
}
