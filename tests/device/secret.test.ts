// Cabinet secrets on the real link: two at a time, connections cut on revocation or expiry,
// networks enforced.

import { cabinetSecretContract } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let owner: Person;
let tenantId: number;

beforeAll(async () => {
  await fleet.startGateway();
  const tenant = await fleet.testServer.makeTenant();
  tenantId = tenant.id;
  owner = tenant.people[0];
});

const addCabinet = () => fleet.addCabinet({ tenantId });

/** Issues a second secret and returns the cabinet with it. */
async function rotate(cabinet: FleetCabinet): Promise<FleetCabinet> {
  const { data, errMsg } = await fleet.testServer.call(cabinetSecretContract.issue, owner, {
    params: { id: cabinet.id },
    body: { overlapHours: 24 },
  });
  expect(errMsg).toBe("");
  const { kid, secret } = data;
  return { ...cabinet, identity: { ...cabinet.identity, kid, secret } };
}

async function revoke(cabinet: FleetCabinet, kid = cabinet.identity.kid): Promise<void> {
  const { code } = await fleet.testServer.call(cabinetSecretContract.revoke, owner, {
    params: { id: cabinet.id },
    body: { kid, reason: "密钥疑似泄露" },
  });
  expect(code).toBe(0);
}

const closed = (raw: RawCabinet) =>
  new Promise<void>((resolve) => raw.client.once("close", () => resolve()));

async function connectivityOf({ id }: FleetCabinet) {
  const { data } = await fleet.testServer.call(cabinetContract.get, owner, { params: { id } });
  return data.connectivity;
}

async function secretsOf({ sn }: FleetCabinet) {
  const { data } = await fleet.testServer.call(cabinetSecretContract.list, owner, {
    query: { keyword: sn },
  });
  return data.list[0]?.secrets ?? [];
}

function eventsOf({ id }: FleetCabinet, kind: string) {
  return fleet.testServer.database.read({ tenantId }, (db) =>
    db.many<{ payload: Record<string, unknown> }>(sql`
      select payload from cabinet_event where cabinet_id = ${id} and kind = ${kind} order by id`),
  );
}

/** Waits for the log entry, which is written after the cabinet has its answer. */
const refusals = (cabinet: FleetCabinet) =>
  until("a refusal in the log", async () => {
    const events = await eventsOf(cabinet, "SIGN_IN_REFUSED");
    return events.length > 0 && events;
  });

const openDoor = ({ id }: FleetCabinet) =>
  fleet.testServer.call(commandContract.open, owner, {
    params: { id },
    body: { no: 1, reason: "用户忘记取件码" },
  });

describe("two secrets of a cabinet", () => {
  it("both sign in during the overlap, and each shows when it was last used", async () => {
    const old = await addCabinet();
    const renewed = await rotate(old);
    for (const cabinet of [old, renewed]) {
      const raw = await RawCabinet.connect(fleet, cabinet);
      await raw.greet();
      const used = (await secretsOf(old)).find(({ kid }) => kid === cabinet.identity.kid);
      expect(used).toMatchObject({ isConnected: true, lastUsedAt: expect.any(String) });
      const gone = closed(raw);
      raw.cut();
      await gone;
      await until("the end of the connection", async () =>
        (await secretsOf(old)).every(({ isConnected }) => !isConnected),
      );
    }
  });

  it("overlap over: the old one's connection ends, even when nothing was notified", async () => {
    const old = await addCabinet();
    const renewed = await rotate(old);
    const raw = await RawCabinet.connect(fleet, old);
    await raw.greet();
    const gone = closed(raw);
    await fleet.testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`update cabinet_secret set expires_at = now()
        where cabinet_id = ${old.id} and kid = ${old.identity.kid}`),
    );
    await gone;
    await until("offline", async () => (await connectivityOf(old)) === "OFFLINE");
    await expect(RawCabinet.connect(fleet, old)).rejects.toThrow();
    const again = await RawCabinet.connect(fleet, renewed);
    await again.greet();
    expect(await connectivityOf(old)).toBe("ONLINE");
    again.cut();
  });

  it("cabinet changes to the new one: no OFFLINE event, and doors open", async () => {
    const old = await addCabinet();
    const machine = await fleet.switchOn(old);
    await until("online", async () => (await connectivityOf(old)) === "ONLINE");
    const renewed = await rotate(old);
    expect(machine.changeKey(renewed.identity)).toBe(true);
    expect(machine.changeKey(renewed.identity)).toBe(false);
    await until("the new secret", async () =>
      (await secretsOf(old)).some(
        ({ kid, isConnected }) => isConnected && kid === renewed.identity.kid,
      ),
    );
    await until("a session", () => machine.hasSession());
    await revoke(old);
    const opened = await openDoor(old);
    expect(opened.errMsg).toBe("");
    await until("the door", async () =>
      (await fleet.findCommands(old)).every(({ state }) => state === "CONFIRMED"),
    );
    expect(await eventsOf(old, "OFFLINE")).toEqual([]);
    await machine.stop();
  });
});

describe("revoked secret", () => {
  it("its connection is cut, and frames signed with it are dropped", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    const tamper = raw.seal("evt", { bootNo: 1, n: ++raw.n, mono: 2, type: "TAMPER" });
    await raw.send(tamper);
    expect(await eventsOf(cabinet, "TAMPER")).toHaveLength(1);
    const gone = closed(raw);
    await revoke(cabinet);
    expect(await connectivityOf(cabinet)).toBe("OFFLINE");
    expect((await openDoor(cabinet)).errMsg).toContain("设备不在线");
    await gone;
    await expect(RawCabinet.connect(fleet, cabinet)).rejects.toThrow();
    expect(await refusals(cabinet)).toMatchObject([
      { payload: { why: "UNKNOWN_KEY", kid: cabinet.identity.kid, count: 1 } },
    ]);
    // Signed with the revoked key, sent over a connection of the new one.
    const renewed = await rotate(cabinet);
    const allowed = await RawCabinet.connect(fleet, renewed);
    await allowed.greet();
    await allowed.send(raw.seal("evt", { bootNo: 1, n: ++raw.n, mono: 3, type: "TAMPER" }));
    await allowed.send(allowed.seal("evt", { bootNo: 1, n: 50, mono: 4, type: "VIBRATION" }));
    expect(await eventsOf(cabinet, "VIBRATION")).toHaveLength(1);
    expect(await eventsOf(cabinet, "TAMPER")).toHaveLength(1);
    allowed.cut();
  });

  it("connection on the other secret: stays open", async () => {
    const old = await addCabinet();
    const renewed = await rotate(old);
    const raw = await RawCabinet.connect(fleet, renewed);
    await raw.greet();
    await revoke(old);
    await raw.send(raw.seal("evt", { bootNo: 1, n: ++raw.n, mono: 2, type: "VIBRATION" }));
    expect(await eventsOf(old, "VIBRATION")).toHaveLength(1);
    expect(raw.client.connected).toBe(true);
    raw.cut();
  });

  it("command in flight: settled by the journal after the cabinet reconnects", async () => {
    const old = await addCabinet();
    const raw = await RawCabinet.connect(fleet, old);
    await raw.greet();
    const { data } = await openDoor(old);
    const { command } = await until("the command", () => raw.heard("cmd")[0]);
    expect(command.ok).toBe(true);
    const renewed = await rotate(old);
    const gone = closed(raw);
    await revoke(old);
    await gone;
    // A sent command stays SENT: only the cabinet knows its result.
    const [sent] = await fleet.findCommands(old);
    expect(sent?.state).toBe("SENT");
    const again = await RawCabinet.connect(fleet, renewed);
    const seq = sent?.seq ?? 0;
    const cmdId = data.id;
    await again.greet({
      bootNo: 2,
      lastSeq: seq,
      journal: [{ cmdId, seq, stage: "CONFIRMED" }],
    });
    expect((await fleet.findCommands(old))[0]?.state).toBe("CONFIRMED");
    again.cut();
  });

  it("command in flight and no report: UNKNOWN", async () => {
    const cabinet = await addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    await openDoor(cabinet);
    await until("the command", () => raw.heard("cmd")[0]);
    await revoke(cabinet);
    await fleet.testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`update command set expires_at = now() - interval '5 s'
        where cabinet_id = ${cabinet.id}`),
    );
    await until("its end", async () => (await fleet.findCommands(cabinet))[0]?.state === "UNKNOWN");
    raw.cut();
  });
});

describe("allowed networks of a cabinet", () => {
  const save = (cabinet: FleetCabinet, networks: string[]) =>
    fleet.testServer.call(cabinetSecretContract.saveNetworks, owner, {
      params: { id: cabinet.id },
      body: { networks },
    });

  it("listed address: let in; repeated refusals of others: one log entry", async () => {
    const cabinet = await addCabinet();
    await save(cabinet, ["192.0.2.0/24", "2001:db8::/32"]);
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(RawCabinet.connect(fleet, cabinet)).rejects.toThrow();
    }
    expect(await refusals(cabinet)).toMatchObject([
      { payload: { why: "ADDRESS_NOT_ALLOWED", address: "127.0.0.1", count: 1 } },
    ]);
    await save(cabinet, ["192.0.2.0/24", "127.0.0.0/8"]);
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    await save(cabinet, ["192.0.2.0/24"]);
    expect(raw.client.connected).toBe(true);
    raw.cut();
  });

  it("wrong proof: logged at the cabinet whose serial number was used", async () => {
    const [cabinet, other] = [await addCabinet(), await addCabinet()];
    const forged = { ...cabinet, identity: { ...other.identity, cabinetId: cabinet.sn } };
    await expect(RawCabinet.connect(fleet, forged)).rejects.toThrow();
    expect(await refusals(cabinet)).toMatchObject([{ payload: { why: "WRONG_PROOF" } }]);
    expect(await eventsOf(other, "SIGN_IN_REFUSED")).toEqual([]);
  });
});
