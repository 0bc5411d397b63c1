// Sessions that the server ended while the cabinet stayed connected: it asks for a birth and can
// open doors again.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RECEIVERS } from "../../apps/server/src/features/link/device/broker/receiver-share.rules.ts";
import { startGateway } from "../../apps/server/src/gateway.ts";
import { openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { Listener } from "../../apps/server/src/platform/db/notify.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { startDatabaseLine } from "../support/database-line.ts";
import { deepDescribe, isDeep } from "../support/deep.ts";
import { type OutsideBroker, startOutsideBroker } from "../support/outside-broker.ts";
import type { Person } from "../support/test-server.ts";
import { type DeviceFleet, type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const HEALED_MS = 60_000;
const OTHER_NONCE = "A".repeat(22);

/** Waits for the subscriptions: reports sent before them are lost. */
const untilReceiving = (outside: OutsideBroker) =>
  until("the receivers", () => outside.gateways().length === RECEIVERS + 1);

/** Actions on the cabinets of one fleet. */
function cabinetsOf(fleet: DeviceFleet, person: () => Person) {
  const write = (statement: ReturnType<typeof sql>) =>
    fleet.testServer.database.transaction("platform", (db) => db.run(statement));
  return {
    write,
    async add() {
      const cabinet = await fleet.addCabinet({ tenantId: person().tenantId });
      await write(sql`
        update cabinet set desired_config = '{"heartbeatSeconds":5}' where id = ${cabinet.id}`);
      return cabinet;
    },
    /** Ends the session as a sweep does after too long a time without stored reports. */
    async sweep(cabinet: FleetCabinet) {
      await until("the sweep", async () => {
        // A report in flight makes it online again.
        await write(sql`
          update cabinet set offline_at = now() where id = ${cabinet.id} and is_greeted`);
        return (await this.session(cabinet)).isGreeted === false;
      });
    },
    session: (cabinet: FleetCabinet) =>
      fleet.findCabinet<{ isGreeted: boolean; epoch: number; nonce: string | null }>(
        cabinet,
        "is_greeted, epoch, connection_nonce as nonce",
      ),
    async connectivity({ id }: FleetCabinet) {
      const { data } = await fleet.testServer.call(cabinetContract.get, person(), {
        params: { id },
      });
      return data.connectivity;
    },
    async expectOpens(cabinet: FleetCabinet, no: number) {
      const { data, errMsg } = await fleet.testServer.call(commandContract.open, person(), {
        params: { id: cabinet.id },
        body: { no, reason: "客户来电" },
      });
      expect(errMsg).toBe("");
      await until("confirmed", async () =>
        (await fleet.findCommands(cabinet)).some(
          ({ id, state }) => id === data.id && state === "CONFIRMED",
        ),
      );
    },
  };
}

describe.each([{ hasOutsideBroker: false }, ...(isDeep ? [{ hasOutsideBroker: true }] : [])])(
  "swept session, outside broker: $hasOutsideBroker",
  ({ hasOutsideBroker }) => {
    const fleet = useDeviceFleet({ hasOutsideBroker });
    let person: Person;
    let outside: OutsideBroker | undefined;
    const cabinets = cabinetsOf(fleet, () => person);
    const switchOn = async (cabinet: FleetCabinet) => {
      const machine = await fleet.switchOn(cabinet, outside ? { mqttUrl: outside.url } : {});
      await until("a session", async () => (await cabinets.session(cabinet)).isGreeted);
      return machine;
    };

    beforeAll(async () => {
      person = (await fleet.testServer.makeTenant()).people[1];
      if (hasOutsideBroker) outside = await startOutsideBroker(fleet.origin);
      await fleet.startGateway(outside ? { mqttUrl: outside.url } : {});
      if (outside) await untilReceiving(outside);
    });
    afterAll(async () => {
      await fleet.stopGateway();
      await outside?.close();
    });

    it.concurrent("heard again: births on the same connection and opens", async () => {
      const cabinet = await cabinets.add();
      await switchOn(cabinet);
      const before = await cabinets.session(cabinet);
      await cabinets.sweep(cabinet);
      expect(await cabinets.connectivity(cabinet)).not.toBe("ONLINE");
      await until("online", async () => (await cabinets.connectivity(cabinet)) === "ONLINE");
      const after = await cabinets.session(cabinet);
      expect(after).toEqual({ isGreeted: true, nonce: before.nonce, epoch: before.epoch + 1 });
      await cabinets.expectOpens(cabinet, 1);
      await until(
        "no request left",
        async () =>
          (await cabinets.write(sql`
        select 1 from birth_request where cabinet_id = ${cabinet.id}`)) === 0,
      );
    });

    it.concurrent("connection unknown to the server: the cabinet reconnects and opens", async () => {
      const cabinet = await cabinets.add();
      await switchOn(cabinet);
      const { nonce } = await cabinets.session(cabinet);
      await cabinets.write(sql`
        update cabinet set connection_nonce = ${OTHER_NONCE}, is_greeted = false
        where id = ${cabinet.id}`);
      await until("a session", async () => (await cabinets.session(cabinet)).isGreeted);
      expect((await cabinets.session(cabinet)).nonce).not.toBe(nonce);
      await cabinets.expectOpens(cabinet, 1);
    });
  },
);

describe("birth requests", () => {
  const fleet = useDeviceFleet();
  let person: Person;
  const cabinets = cabinetsOf(fleet, () => person);
  beforeAll(async () => {
    person = (await fleet.testServer.makeTenant()).people[1];
    await fleet.startGateway();
  });

  it.concurrent("repeated with backoff; then the embedded broker drops a cabinet that never answers", async () => {
    const cabinet = await cabinets.add();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    await cabinets.sweep(cabinet);
    const requests = () =>
      raw.heard("cmd").filter(({ command }) => command.ok && command.message.type === "BIRTH");
    await raw.send(raw.seal("evt", { bootNo: 1, n: ++raw.n, mono: 5_000, type: "TAMPER" }));
    expect(await cabinets.connectivity(cabinet)).toBe("CONNECTING");
    await until("the first", () => requests().length === 1);
    const [first] = requests();
    expect(first?.command).toMatchObject({ message: { type: "BIRTH", nonce: raw.nonce } });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt++) {
      const { seconds } = await until("the wait", () =>
        fleet.testServer.database.read("platform", (db) =>
          db.maybe<{ seconds: number }>(sql`
            select round(extract(epoch from due_at - now()) + 0.5)::int as seconds
            from birth_request where cabinet_id = ${cabinet.id} and attempts = ${attempt}`),
        ),
      );
      waits.push(seconds);
      await cabinets.write(sql`
        update birth_request set due_at = now() where cabinet_id = ${cabinet.id}`);
    }
    expect(waits.map((seconds) => Math.round(seconds / 5) * 5)).toEqual([5, 10, 20, 40]);
    await until("the drop", () => raw.client.disconnected || !raw.client.connected);
    expect(requests()).toHaveLength(3);
  });

  it.concurrent("end when a birth arrives on its own", async () => {
    const cabinet = await cabinets.add();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    await cabinets.sweep(cabinet);
    await raw.send(raw.seal("evt", { bootNo: 1, n: ++raw.n, mono: 5_000, type: "TAMPER" }));
    await raw.greet();
    expect(
      await cabinets.write(sql`select 1 from birth_request where cabinet_id = ${cabinet.id}`),
    ).toBe(0);
    raw.cut();
  });
});

deepDescribe("half-dead database connections of a gateway at an outside broker", () => {
  const fleet = useDeviceFleet({ hasOutsideBroker: true });
  let person: Person;
  const cabinets = cabinetsOf(fleet, () => person);

  it("recover on their own: every cabinet shown online can be opened", async () => {
    person = (await fleet.testServer.makeTenant()).people[1];
    const outside = await startOutsideBroker(fleet.origin);
    const line = await startDatabaseLine(fleet.testServer.url);
    const log = pino({ level: process.env.TEST_LOG ?? "silent" });
    const database = openDatabase(line.url, { vault: fleet.vault });
    const listener = new Listener(line.url, log);
    await listener.start();
    const { dataDir, mqttPort, origin } = fleet;
    const at = { host: "127.0.0.1", port: Number(new URL(origin).port), mqttPort, dataDir };
    const settings = { ...at, mqttUrl: outside.url, tenantReportsPerSecond: 1_000 };
    const gateway = await startGateway({ settings, database, listener, log });
    await untilReceiving(outside);

    const devices = await Promise.all(Array.from({ length: 6 }, () => cabinets.add()));
    const states = () => Promise.all(devices.map((cabinet) => cabinets.connectivity(cabinet)));
    const areOnline = async () => (await states()).every((state) => state === "ONLINE");
    for (const cabinet of devices) await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("all online", areOnline);

    line.cut();
    // Keep half of them silent until the first sweep ends their sessions.
    const all = devices.map(({ id }) => id);
    const half = all.slice(0, 3);
    // A transaction on a cut connection keeps its row locks until its idle timeout of 15 s.
    const isDone = (statement: ReturnType<typeof sql>) => () =>
      cabinets.write(statement).then(
        () => true,
        () => false,
      );
    const silence = sql`update cabinet set offline_at = now() where id = any(${half}::bigint[])`;
    await until("the silence of half of them", isDone(silence), HEALED_MS);
    expect(await areOnline()).toBe(false);
    await until("all online again", areOnline, HEALED_MS);
    const lock = sql`select 1 from cabinet where id = any(${all}::bigint[]) for no key update`;
    await until("no locks of cut connections", isDone(lock), HEALED_MS);
    for (const cabinet of devices) await cabinets.expectOpens(cabinet, 1);

    await gateway.stop();
    await listener.close();
    await database.close();
    line.stop();
    await outside.close();
  });
});
