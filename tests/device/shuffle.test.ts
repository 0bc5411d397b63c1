// Promise D4, order of reports: a shuffled and partly duplicated stream leads to the same state.
import type { ItemState, SealedMessage } from "@cabinet/link";
import { beforeAll, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { type FleetCabinet, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const REPORTS = 80;
const DOORS = 4;
/** Run in parallel, so that reports of several cabinets share a batch. */
const PAIRS = 8;
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

const fleet = useDeviceFleet();
beforeAll(async () => {
  await fleet.startGateway();
});

/** Reports of two boots, the same for the same random seed. */
function makeReports(raw: RawCabinet, random: () => number): SealedMessage[] {
  const pick = <T>(...words: T[]): T => words[Math.floor(random() * words.length)] as T;
  return Array.from({ length: REPORTS }, (_, at) => {
    const bootNo = at < REPORTS / 2 ? 1 : 2;
    const n = bootNo === 1 ? at + 2 : at - REPORTS / 2 + 1;
    const head = { bootNo, n, mono: n * 1_000 };
    const row = {
      no: 1 + Math.floor(random() * DOORS),
      front: pick("OPEN" as const, "CLOSED" as const),
      item: pick<ItemState>("EMPTY", "PRESENT"),
    };
    const value = Math.floor(random() * 100);
    switch (pick("evt", "state", "hb", "config")) {
      case "evt":
        return raw.seal("evt", { ...head, type: "DOOR_OPENED", side: "FRONT", compartment: row });
      case "hb": {
        const beat = { signalDbm: -value, temperatureC: value, openDoors: 0, badFrames: 0 };
        return { ...raw.seal("hb", { ...head, ...beat }), qos: 1 as const };
      }
      case "state":
        return raw.seal("state", { ...head, full: false, part: 1, parts: 1, compartments: [row] });
      default: {
        const config = { version: value, values: { volume: value } };
        const none = { full: false, part: 1, parts: 1, compartments: [] };
        return raw.seal("state", { ...head, ...none, config });
      }
    }
  });
}

async function play(cabinet: FleetCabinet, isShuffled: boolean, random: () => number) {
  const raw = await RawCabinet.connect(fleet, cabinet);
  await raw.greet();
  const reports = makeReports(raw, random);
  const chaos = seededRandom(SEED + 1);
  const sent = isShuffled
    ? [...reports, ...reports.filter(() => chaos() < 0.5)]
        .map((report) => ({ report, at: chaos() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ report }) => report)
    : reports;
  await Promise.all(sent.map((report) => raw.send(report)));
  raw.cut();
  return fleet.testServer.database.read("platform", async (db) => ({
    cabinet: await db.one(sql`
      select boot_no, last_n, array(select unnest(missing_reports) order by 1) as missing,
        signal_dbm, temperature_c, reported_config, reported_config_version, heartbeat_mono
      from cabinet where id = ${cabinet.id}`),
    compartments: await db.many(sql`
      select no, door_front, item, reported_boot_no, reported_n from compartment
      where cabinet_id = ${cabinet.id} order by no`),
    events: await db.many(sql`
      select boot_no, n, kind, compartment_no, side from cabinet_event
      where cabinet_id = ${cabinet.id} and n is not null order by boot_no, n`),
  }));
}

async function comparePair(seed: number): Promise<void> {
  const [plain, shuffled] = [await fleet.addCabinet(), await fleet.addCabinet()];
  const [first, second] = await Promise.all([
    play(plain, false, seededRandom(seed)),
    play(shuffled, true, seededRandom(seed)),
  ]);
  expect(second, `SEED=${seed}`).toEqual(first);
  expect(first.events.length).toBeGreaterThan(5);
}

it(`shuffled and duplicated reports: same state as in order (SEED=${SEED})`, async () => {
  await Promise.all(Array.from({ length: PAIRS }, (_, at) => comparePair(SEED + at)));
});
