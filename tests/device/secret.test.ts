// Cabinets' secrets on the real link: two at a time, cut when revoked or over, only from their networks.

import { cabinetSecretContract } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/db.ts";
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

/** The same cabinet with the secret that it is given now. */
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

/** They are written after the cabinet has its answer. */
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

describe("two secrets", () => {
  it("both sign in while they overlap, and each says when it was last used", async () => {
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

  it("ends the connection of the old one when the overlap is over, whoever forgot to tell", async () => {
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

  it("are changed by a cabinet without anybody noticing that it was away", async () => {
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

describe("revoking", () => {
  it("cuts what stands on the key and takes nothing more that it signed", async () => {
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
    // Signed with the dead key and brought in over a connection that is allowed.
    const renewed = await rotate(cabinet);
    const allowed = await RawCabinet.connect(fleet, renewed);
    await allowed.greet();
    await allowed.send(raw.seal("evt", { bootNo: 1, n: ++raw.n, mono: 3, type: "TAMPER" }));
    await allowed.send(allowed.seal("evt", { bootNo: 1, n: 50, mono: 4, type: "VIBRATION" }));
    expect(await eventsOf(cabinet, "VIBRATION")).toHaveLength(1);
    expect(await eventsOf(cabinet, "TAMPER")).toHaveLength(1);
    allowed.cut();
  });

  it("leaves the connection on the other key alone", async () => {
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

  it("lets a command that was on its way be told by the cabinet when it is back", async () => {
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
    // It was sent: only the cabinet can say what became of it.
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

  it("leaves one that nobody can tell of as unknown", async () => {
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

describe("networks", () => {
  const save = (cabinet: FleetCabinet, networks: string[]) =>
    fleet.testServer.call(cabinetSecretContract.saveNetworks, owner, {
      params: { id: cabinet.id },
      body: { networks },
    });

  it("let in whoever is on the list, and log a flood of others once", async () => {
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

  it("log a wrong proof under the cabinet in whose name it was", async () => {
    const [cabinet, other] = [await addCabinet(), await addCabinet()];
    const forged = { ...cabinet, identity: { ...other.identity, cabinetId: cabinet.sn } };
    await expect(RawCabinet.connect(fleet, forged)).rejects.toThrow();
    expect(await refusals(cabinet)).toMatchObject([{ payload: { why: "WRONG_PROOF" } }]);
    expect(await eventsOf(other, "SIGN_IN_REFUSED")).toEqual([]);
  });
});
