// A tenant whose cabinets together flood the link loses its own excess: its doors and other tenants stay.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { beforeAll, expect, test } from "vitest";
import { TENANT_BURST_SECONDS } from "../../apps/server/src/features/link/device/reports/report-limit.rules.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { deviceMessages } from "../../apps/server/src/platform/metrics.ts";
import { until, useDeviceFleet } from "../device/device-fleet.ts";
import { RawCabinet } from "../device/raw-cabinet.ts";
import type { Person } from "../support/test-server.ts";

const PER_SECOND = 10;
const CABINETS = 3;
/** Far below a cabinet's own limit. */
const EACH = 100;

const fleet = useDeviceFleet();
let flooder: Person;
let neighbour: Person;
beforeAll(async () => {
  [flooder, neighbour] = [
    (await fleet.testServer.makeTenant()).people[1],
    (await fleet.testServer.makeTenant()).people[1],
  ];
  await fleet.startGateway({ tenantReportsPerSecond: PER_SECOND });
});

const countStored = (tenantId: number) =>
  fleet.testServer.database.read("platform", async (db) => {
    const { count } = await db.one<{ count: number }>(sql`
      select count(*)::int as count from cabinet_event
      where tenant_id = ${tenantId} and kind = 'VIBRATION'`);
    return count;
  });

async function countLimited(): Promise<number> {
  const { values } = await deviceMessages.get();
  const { kind, outcome } = { kind: "evt", outcome: "TENANT_LIMITED" };
  return (
    values.find(({ labels }) => labels.kind === kind && labels.outcome === outcome)?.value ?? 0
  );
}

test("report flood: cabinets of one tenant share its rate; its doors and other tenants do not lose a report", async () => {
  const connect = async ({ tenantId }: Person) => {
    const raw = await RawCabinet.connect(fleet, await fleet.addCabinet({ tenantId }));
    await raw.greet();
    return raw;
  };
  const theirs = await Promise.all(Array.from({ length: CABINETS }, () => connect(flooder)));
  const other = await connect(neighbour);
  const shake = (raw: RawCabinet) => {
    const n = ++raw.n;
    return raw.send(raw.seal("evt", { bootNo: 1, n, mono: n, type: "VIBRATION" }));
  };
  const before = await countLimited();
  const started = performance.now();
  const flood = theirs.flatMap((raw) => Array.from({ length: EACH }, () => shake(raw)));
  await Promise.all([...flood, ...Array.from({ length: 50 }, () => shake(other))]);
  const seconds = (performance.now() - started) / 1_000;

  const stored = await countStored(flooder.tenantId);
  expect(stored).toBeGreaterThanOrEqual(PER_SECOND * TENANT_BURST_SECONDS);
  expect(stored).toBeLessThanOrEqual(PER_SECOND * (TENANT_BURST_SECONDS + seconds) + 1);
  expect(await countLimited()).toBe(before + CABINETS * EACH - stored);
  expect(await countStored(neighbour.tenantId)).toBe(50);

  const cabinet = await fleet.addCabinet({ tenantId: flooder.tenantId });
  const machine = await fleet.switchOn(cabinet);
  await until("a session", () => machine.hasSession());
  const { data } = await fleet.testServer.call(commandContract.open, flooder, {
    params: { id: cabinet.id },
    body: { no: 1, reason: "取出物品" },
  });
  await until("the flooder's door", async () => {
    const { data: command } = await fleet.testServer.call(commandContract.get, flooder, {
      params: { id: data.id },
    });
    return command.state === "CONFIRMED";
  });
  for (const raw of [...theirs, other]) raw.cut();
});
