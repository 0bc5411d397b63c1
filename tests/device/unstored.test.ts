// Cabinets that retry what the server cannot store are not banned.
import { MAX_CONNECTS } from "@cabinet/link";
import { expect, it } from "vitest";
import { withClient } from "../support/postgres.ts";
import { useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();

const run = (statement: string) =>
  withClient(fleet.testServer.url, (client) => client.query(statement));

it("database without room for reports: the cabinet reconnects as often as it likes, and is heard", async () => {
  await fleet.startGateway();
  const cabinet = await fleet.addCabinet();
  await run(`
    create function refuse_to_grow() returns trigger language plpgsql
      as $$ begin raise 'No space left on device' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on cabinet_event execute function refuse_to_grow()`);
  const report = async () => {
    const raw = await RawCabinet.connect(fleet, cabinet);
    const event = { bootNo: 1, n: ++raw.n, mono: 5_000, type: "TAMPER" } as const;
    const lost = new Promise<"LOST">((resolve) => raw.client.once("close", () => resolve("LOST")));
    const stored = raw.send(raw.seal("evt", event)).then(() => "STORED");
    const outcome = await Promise.race([stored.catch(() => "LOST"), lost]);
    raw.cut();
    return outcome;
  };
  for (let attempt = 0; attempt <= MAX_CONNECTS; attempt++) expect(await report()).toBe("LOST");
  await run("drop trigger full_disk on cabinet_event");
  expect(await report()).toBe("STORED");
});
