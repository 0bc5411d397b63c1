// Heartbeat interval and offline threshold of a cabinet model, as they act on its cabinets.
import { beforeAll, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();

beforeAll(async () => {
  await fleet.startGateway();
});

let made = 0;
async function addCabinet(heartbeatSeconds: number, offlineSeconds: number, ownConfig = "{}") {
  const cabinet = await fleet.addCabinet();
  await fleet.testServer.database.transaction("platform", (db) =>
    db.run(sql`
      with model as (
        insert into cabinet_model (name, side, layout, heartbeat_seconds, offline_seconds)
        values (${`阈值 ${++made}`}, 'SINGLE', '[]', ${heartbeatSeconds}, ${offlineSeconds})
        returning id
      )
      update cabinet set model_id = model.id, desired_config = ${ownConfig}::jsonb
      from model where cabinet.id = ${cabinet.id}`),
  );
  return cabinet;
}

async function secondsToOffline(cabinet: FleetCabinet): Promise<number> {
  const { seconds } = await fleet.findCabinet<{ seconds: number }>(
    cabinet,
    "round(extract(epoch from offline_at - last_seen_at))::int as seconds",
  );
  return seconds;
}

it.each([
  [30, 90, "{}", 90],
  [10, 40, "{}", 40],
  [60, 600, "{}", 600],
  // The cabinet's own longer heartbeat interval extends the model's threshold.
  [10, 40, '{"heartbeatSeconds": 60}', 90],
  [10, 40, '{"heartbeatSeconds": 10}', 40],
])(
  "model heartbeat %i s, threshold %i s, own config %s: offline after %i s of silence",
  async (beat, off, own, wait) => {
    const cabinet = await addCabinet(beat, off, own);
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    expect(await secondsToOffline(cabinet)).toBe(wait);
    raw.cut();
  },
);

it("changed threshold: applied at the next report", async () => {
  const cabinet = await addCabinet(30, 90);
  const raw = await RawCabinet.connect(fleet, cabinet);
  await raw.greet();
  await fleet.testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update cabinet_model set offline_seconds = 300
      from cabinet where cabinet.id = ${cabinet.id} and cabinet_model.id = cabinet.model_id`),
  );
  expect(await secondsToOffline(cabinet)).toBe(90);
  const beat = { bootNo: 1, n: raw.n, mono: 20_000, openDoors: 0, badFrames: 0 };
  await raw.send(raw.seal("hb", beat));
  await until("the new threshold", async () => (await secondsToOffline(cabinet)) === 300);
  raw.cut();
});

it("no own heartbeat interval: the model's is sent, the desired config stays empty", async () => {
  const cabinet = await addCabinet(15, 45);
  await fleet.switchOn(cabinet);
  const reported = await until("the config to be reported", async () => {
    const row = await fleet.findCabinet<{ config: object | null }>(
      cabinet,
      "reported_config as config",
    );
    return row.config;
  });
  expect(reported).toMatchObject({ heartbeatSeconds: 15 });
  const { request } = await fleet.findCabinet<{ request: object }>(
    cabinet,
    "desired_config as request",
  );
  expect(request).toEqual({});
});
