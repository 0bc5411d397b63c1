// The simulator's log: for its owner only, also one that an older release made.
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { startDemoFleet } from "./fleet.ts";

it.each(["new", "old"])("simulator.log: %s, readable by its owner alone", async (age) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "fleet-"));
  const file = path.join(folder, "simulator.log");
  if (age === "old") {
    await writeFile(file, "before\n");
    await chmod(file, 0o644);
  }
  const fleet = startDemoFleet(folder);
  try {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  } finally {
    await fleet.stop();
    await rm(folder, { recursive: true });
  }
});
