// Promises D3 and D4 with the server as a process: 500 cabinets in a deep run, thousands by
// FLEET_CABINETS.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { measureReports, measureReturn } from "../../bench/load-generator.ts";
import { type LoadServer, openLoadServer } from "../../bench/load-server.ts";
import { amount } from "../support/deep.ts";

const CABINETS = amount("FLEET_CABINETS", { sample: 50, deep: 500 });
const WATCH_MS = Number(process.env.FLEET_WATCH_SECONDS ?? 2) * 1_000;
const MINUTES = 60_000;

let folder: string;
let loadServer: LoadServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "fleet-"));
  loadServer = await openLoadServer(folder, { cabinets: CABINETS });
}, 3 * MINUTES);
afterAll(async () => {
  await loadServer?.close();
  await rm(folder, { recursive: true, force: true });
}, MINUTES);

it(
  `D3: ${CABINETS} cabinets reconnect at once, without a false alarm`,
  async () => {
    const result = await measureReturn(loadServer, WATCH_MS);
    // How long it takes is measured by `npm run bench -- cabinets`.
    expect(result.peakMb).toBeLessThan(1_024);
    expect(result.offlineByRestart).toBe(0);
    expect(result.malfunctions).toBe(0);
  },
  8 * MINUTES,
);

it(
  "D4: every acknowledged report is stored",
  async () => {
    const run = { cabinets: Math.min(100, CABINETS), window: 4, seconds: 3 };
    const { ackMs, lost } = await measureReports(loadServer, run);
    expect(ackMs.length).toBeGreaterThan(0);
    expect(lost).toBe(0);
  },
  3 * MINUTES,
);
