// Promise O4: opening a door and signing in survive an export storm.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { EXPORT_CHUNK_ROWS } from "@cabinet/contract/kit/export.rules.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../apps/server/src/features/identity/auth/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { signIn } from "../support/sign-in.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";

const ROWS = 40_000;
const PASSWORD = "correct horse 42";
const STORM_MS = 120_000;

const fleet = useDeviceFleet();
let people: Record<0 | 1 | 2, Person>;
let cabinet: FleetCabinet;

beforeAll(async () => {
  ({ people } = await fleet.testServer.makeTenant());
  await fleet.startGateway();
  cabinet = await fleet.addCabinet({ tenantId: people[1].tenantId });
  const machine = await fleet.switchOn(cabinet);
  await until("a session", () => machine.hasSession());
  const hash = await hashPassword(PASSWORD);
  await fleet.testServer.database.transaction("platform", async (db) => {
    await db.run(sql`
      update operator set password_hash = ${hash} where id = ${people[1].operatorId}`);
    await db.run(sql`
      insert into command (tenant_id, cabinet_id, kind, compartment_no, side, state, reason,
        actor_name, created_at, settled_at, expires_at)
      select ${cabinet.tenantId}, ${cabinet.id}, 'OPEN', 1, 'FRONT', 'CONFIRMED', '用户忘记取件码' || n,
        '李伟', now() - make_interval(secs => n), now(), now()
      from generate_series(1, ${ROWS}) n`);
  });
});

interface Storm {
  /** Exporters finish their current export and start no other once this is set. */
  isEnough: boolean;
  rows: number;
}

/** Starts an export and fetches every page as soon as it is ready. */
async function exportAll(as: Person, storm: Storm): Promise<void> {
  const { testServer } = fleet;
  const started = await testServer.call(exportContract.start, as, {
    body: { call: commandContract.list.path, query: { state: "CONFIRMED", actorName: "李伟" } },
  });
  expect(started, started.errMsg).toMatchObject({ code: 0 });
  for (let page = 1; ; ) {
    const { data, errMsg } = await testServer.call(exportContract.page, as, {
      params: { id: started.data.id },
      query: { page, pageSize: EXPORT_CHUNK_ROWS },
    });
    expect(errMsg).toBe("");
    storm.rows += data.list.length;
    if (data.list.length > 0) page += 1;
    else if (data.state === "READY") break;
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Exports repeatedly until `isEnough`; returns the number of exports. */
async function exportOn(as: Person, storm: Storm): Promise<number> {
  let count = 0;
  do {
    await exportAll(as, storm);
    count += 1;
  } while (!storm.isEnough);
  return count;
}

async function openDoor(no: number): Promise<string> {
  const { data, errMsg } = await fleet.testServer.call(commandContract.open, people[1], {
    params: { id: cabinet.id },
    body: { no, reason: "客户来电" },
  });
  expect(errMsg).toBe("");
  const end = await until("the command's end", async () => {
    const found = await fleet.testServer.call(commandContract.get, people[1], {
      params: { id: data.id },
    });
    return hasResult(found.data.state) && found.data;
  });
  return end.state;
}

it(
  "doors open and accounts sign in while four exports run without pause",
  async () => {
    const storm: Storm = { isEnough: false, rows: 0 };
    const exporters = [people[0], people[0], people[1], people[1]];
    const gale = Promise.all(exporters.map((as) => exportOn(as, storm)));
    await until("the storm", () => storm.rows > 0);
    for (const no of [1, 2, 3]) {
      expect(await openDoor(no)).toBe("CONFIRMED");
      const account = { username: people[1].username, password: PASSWORD };
      expect(await signIn(fleet.testServer, account)).toMatchObject({ status: 200, code: 0 });
    }
    storm.isEnough = true;
    const counts = await gale;
    expect(storm.rows).toBe(counts.reduce((sum, count) => sum + count, 0) * ROWS);
  },
  STORM_MS,
);
