// Child process of simulated cabinets, controlled by the bench over IPC.
import { readFile } from "node:fs/promises";
import { parseSimulatedCabinets } from "@cabinet/link";
import { NO_FAULTS } from "../apps/simulator/src/faults.ts";
import { createFleet } from "../apps/simulator/src/fleet.ts";

export type FleetCommand = "cut" | "visit" | "stop";
export interface FleetStatus {
  online: number;
}

const STATUS_EVERY_MS = 100;
/** One simulated user per interval opens a random door, uses it and closes it: three events. */
const DOOR_USE_EVERY_MS = 100;

const [credentials = "", journalDir = ""] = process.argv.slice(2);
const parsed = parseSimulatedCabinets(JSON.parse(await readFile(credentials, "utf8")));
if (!parsed.ok) throw new Error(parsed.detail);
const fleet = createFleet({
  ...parsed.value,
  journalDir,
  faults: NO_FAULTS,
  seed: 1,
  autoCloseMs: 5_000,
  onTrouble: () => {},
});
function useRandomDoor(): void {
  const machine = fleet.machines[Math.floor(Math.random() * fleet.machines.length)];
  machine?.hardware.pulse("visit", 1, "FRONT");
}
process.on("message", (command: FleetCommand) => {
  if (command === "cut") fleet.cutLines();
  else if (command === "visit") setInterval(useRandomDoor, DOOR_USE_EVERY_MS);
  else void fleet.stop().then(() => process.exit(0));
});
process.on("disconnect", () => process.exit(0));
setInterval(
  () => process.send?.({ online: fleet.online() } satisfies FleetStatus),
  STATUS_EVERY_MS,
);
await fleet.start();
