// Sensor events of a demo cabinet besides its doors: temperature, power, vibration, network, clock.

import type { Chronicle } from "../orders/chronicle.ts";
import type { Random } from "../random.ts";
import { DAY, HOUR, MINUTE, SECOND, type Span } from "./cabinet.ts";

/** Lasting conditions: kind, mean days between two, measurement at the worst and afterwards. */
const conditions = [
  { kind: "TEMPERATURE_HIGH", everyDays: 24, worst: [45.2, 49.5], after: [38.1, 43.4] },
  { kind: "TEMPERATURE_LOW", everyDays: 60, worst: [-9.4, -5.6], after: [-3.5, 2.8] },
  { kind: "POWER_LOW", everyDays: 45, worst: [10.6, 11.4], after: [11.9, 12.3] },
  { kind: "NETWORK_POOR", everyDays: 14, worst: [-114, -107], after: [-99, -84] },
] as const;

export function writeSensors(
  chronicle: Chronicle,
  life: Span,
  isConnected: (from: number, to: number) => boolean,
  random: Random,
): void {
  const within = (share: number) => life.from + (life.to - life.from) * share;
  for (const { kind, everyDays, worst, after } of conditions) {
    const isWhole = kind === "NETWORK_POOR";
    const measured = ([least, most]: readonly [number, number]) => {
      const value = least + (most - least) * random.next();
      return isWhole ? Math.round(value) : Math.round(value * 10) / 10;
    };
    let at = life.from + DAY * everyDays * random.next() * 2;
    while (at < life.to - 3 * HOUR) {
      const until = at + random.int(8, 110) * MINUTE;
      const [begin, end] = [measured(worst), measured(after)];
      if (isConnected(at, until)) {
        chronicle.report(at, kind, { payload: { active: true, value: begin } });
        chronicle.report(until, kind, { payload: { active: false, value: end } });
      }
      at = until + DAY * everyDays * random.next() * 2;
    }
  }
  const moments: [chance: number, addReport: (at: number) => void][] = [
    [0.5, (at) => chronicle.report(at, "VIBRATION", { payload: { value: random.int(1, 4) } })],
    [0.06, (at) => chronicle.report(at, "TAMPER", { payload: { active: true } })],
    [0.08, (at) => chronicle.report(at, "BOARD_FAULT", { payload: { active: true } })],
    [0.1, (at) => chronicle.note(at, "CLOCK_SKEW", { payload: { skewSeconds: 140 } })],
    // Events sensed while offline arrive late.
    [0.3, (at) => chronicle.report(at, "VIBRATION", { payload: { value: 1 }, lateMs: 7 * MINUTE })],
  ];
  for (const [chance, addJob] of moments) {
    const at = within(0.2 + 0.75 * random.next());
    if (random.chance(chance) && isConnected(at, at + 10 * MINUTE)) addJob(at);
  }
  writeUpgrade(chronicle, within(0.8), isConnected, random);
}

/** Firmware upgrade in one night, with its stages; a few failed. */
function writeUpgrade(
  chronicle: Chronicle,
  about: number,
  isConnected: (from: number, to: number) => boolean,
  random: Random,
): void {
  const at = Math.floor(about / DAY) * DAY + 19 * HOUR + random.int(0, 50) * MINUTE;
  const isGiven = random.chance(0.3);
  const hasFailed = random.chance(0.12);
  const jobId = random.uuid(0);
  if (!isGiven || !isConnected(at, at + 10 * MINUTE)) return;
  const addJob = (after: number, job: object) =>
    chronicle.report(at + after, "JOB", { payload: { job: { jobId, ...job } } });
  addJob(0, { status: "ACCEPTED" });
  addJob(2 * SECOND, { status: "DOWNLOADING" });
  addJob(
    4 * MINUTE,
    hasFailed ? { status: "FAILED", reason: "BAD_CHECKSUM" } : { status: "INSTALLED" },
  );
}
