// Promise D5: cabinet A can neither read nor write anything of cabinet B, and no connection works
// without a fresh proof.
import { deriveKeys, makeConnectPassword, sealUp, upTopic } from "@cabinet/link";
import type { IClientOptions } from "mqtt";
import { beforeAll, describe, expect, it } from "vitest";
import { issueCabinetSecret } from "../../apps/server/src/features/link/device/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { deviceMessages } from "../../apps/server/src/platform/metrics.ts";
import { withClient } from "../support/postgres.ts";
import { type FleetCabinet, until, useDeviceFleet } from "./device-fleet.ts";
import { connectRaw, RawCabinet } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let a: FleetCabinet;
let b: FleetCabinet;

beforeAll(async () => {
  await fleet.startGateway();
  a = await fleet.addCabinet();
  b = await fleet.addCabinet();
});

/** Counts the cabinet's events, except the server's own REPORT_DROPPED lines. */
async function countEvents(cabinet: FleetCabinet): Promise<number> {
  const { count } = await fleet.testServer.database.read("platform", (db) =>
    db.one<{ count: number }>(sql`
      select count(*)::int as count from cabinet_event
      where cabinet_id = ${cabinet.id} and kind <> 'REPORT_DROPPED'`),
  );
  return count;
}

const tamper = { bootNo: 1, n: 2, mono: 2, type: "TAMPER" } as const;

describe("promise D5, publishing", () => {
  /** Publishes as A and expects that the broker closes the connection. */
  async function expectThrownOut(topic: string, payload: Buffer, more = {}) {
    const raw = await RawCabinet.connect(fleet, a);
    const closed = new Promise<void>((resolve) => raw.client.once("close", () => resolve()));
    raw.client.publish(topic, payload, { qos: 1, ...more });
    await closed;
  }

  it("B's topics: refused, even with B's signature", async () => {
    const { topic, payload } = sealUp(deriveKeys(b.identity.secret), b.sn, "evt", tamper);
    await expectThrownOut(topic, payload);
    const own = sealUp(deriveKeys(a.identity.secret), a.sn, "evt", tamper);
    await expectThrownOut(topic, own.payload);
    expect(await countEvents(b)).toBe(0);
  });

  it("server's own topics and unknown ones: refused", async () => {
    for (const topic of [`c1/${a.sn}/dn/cmd`, `c1/${b.sn}/dn/cmd`, "$SYS/x", "c1/x", "x"]) {
      await expectThrownOut(topic, Buffer.from("x"));
    }
  });

  it("retained, QoS 2 and oversized messages: refused", async () => {
    const { topic, payload } = sealUp(deriveKeys(a.identity.secret), a.sn, "evt", tamper);
    await expectThrownOut(topic, payload, { retain: true });
    await expectThrownOut(topic, payload, { qos: 2 });
    await expectThrownOut(topic, Buffer.alloc(8_193));
    await expectThrownOut(topic, Buffer.alloc(2_000_000));
  });

  it("frame signed by A for another topic, or unsigned: acknowledged and dropped", async () => {
    const raw = await RawCabinet.connect(fleet, a);
    await raw.greet();
    const { payload } = sealUp(raw.keys, a.sn, "evt", tamper);
    const before = await countEvents(a);
    await raw.client.publishAsync(upTopic(a.sn, "state"), payload, { qos: 1 });
    await raw.client.publishAsync(upTopic(a.sn, "evt"), payload.subarray(0, -1), { qos: 1 });
    await raw.client.publishAsync(upTopic(a.sn, "evt"), '{"v":1}', { qos: 1 });
    expect(await countEvents(a)).toBe(before);
    raw.cut();
  });
});

describe("promise D5, subscribing", () => {
  it("A: granted its own down topics and no other filter", async () => {
    const raw = await RawCabinet.connect(fleet, a);
    const filters = [
      `c1/${b.sn}/dn/cmd`,
      "#",
      "+/+/+/+",
      "c1/+/dn/cmd",
      `c1/${a.sn}/#`,
      `c1/${a.sn}/dn/+`,
      `c1/${a.sn}/up/evt`,
      "$SYS/#",
      `$share/x/c1/${a.sn}/dn/cmd`,
    ];
    for (const filter of filters) {
      await expect(raw.client.subscribeAsync(filter, { qos: 1 })).rejects.toThrow(
        "Subscribe error",
      );
    }
    const heard: string[] = [];
    raw.client.on("message", (topic) => heard.push(topic));
    const other = await RawCabinet.connect(fleet, b);
    await other.greet();
    await raw.greet();
    expect(heard.every((topic) => topic.startsWith(`c1/${a.sn}/dn/`))).toBe(true);
    raw.cut();
    other.cut();
  });
});

/** Issues a secret as a rotation does. */
async function withNewSecret(cabinet: FleetCabinet): Promise<FleetCabinet> {
  const { tenantId, id: cabinetId, sn, identity } = cabinet;
  const kid = "k2";
  const secret = await fleet.testServer.database.transaction({ tenantId }, (db) =>
    issueCabinetSecret(db, { tenantId, cabinetId, sn, kid }),
  );
  return { ...cabinet, identity: { ...identity, kid, secret } };
}

describe("promise D5, connecting", () => {
  const asA = (password: string, more: IClientOptions = {}) =>
    connectRaw(fleet.mqttPort, { clientId: a.sn, username: a.sn, password, ...more });

  it("needs the cabinet's own secret, name and nonce", async () => {
    const nonce = await fleet.nonce();
    const forged = { ...a, identity: b.identity };
    await expect(asA(fleet.password(forged, nonce))).rejects.toThrow();
    await expect(asA(fleet.password(b, nonce))).rejects.toThrow();
    await expect(asA("v1.k1.short.mac")).rejects.toThrow();
    await expect(asA("")).rejects.toThrow();
    const madeUp = fleet.password(a, Buffer.alloc(16, 7).toString("base64url"));
    await expect(asA(madeUp)).rejects.toThrow();
    const password = fleet.password(a, nonce);
    await expect(asA(password, { username: b.sn })).rejects.toThrow();
    await expect(asA(password, { clientId: b.sn })).rejects.toThrow();
    const client = await asA(password);
    client.end(true);
  });

  it("nonce: works once, and not after it expires", async () => {
    const password = fleet.password(a, await fleet.nonce());
    (await asA(password)).end(true);
    await expect(asA(password)).rejects.toThrow();
    const nonce = await fleet.nonce();
    await withClient(fleet.testServer.url, (client) =>
      client.query("update device_challenge set expires_at = now() where nonce = $1", [nonce]),
    );
    await expect(asA(fleet.password(a, nonce))).rejects.toThrow();
  });

  it("will: only the own topic without retain; persistent sessions refused", async () => {
    const cabinet = await fleet.addCabinet();
    const own = upTopic(cabinet.sn, "will");
    async function connect(more: IClientOptions) {
      const name = { clientId: cabinet.sn, username: cabinet.sn };
      const password = fleet.password(cabinet, await fleet.nonce());
      return connectRaw(fleet.mqttPort, { ...name, password, ...more });
    }
    const will = { payload: Buffer.from("x"), qos: 1 as const, retain: false };
    const foreign = [upTopic(b.sn, "will"), upTopic(cabinet.sn, "evt"), "c1/+/up/will", "x"];
    for (const topic of foreign) {
      await expect(connect({ will: { topic, ...will } })).rejects.toThrow();
    }
    await expect(connect({ will: { topic: own, ...will, retain: true } })).rejects.toThrow();
    await expect(connect({ clean: false })).rejects.toThrow();
    (await connect({ will: { topic: own, ...will } })).end(true);
  });

  it("expired secret: the connection is cut and cannot be opened again", async () => {
    const cabinet = await fleet.addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet);
    await raw.greet();
    const isCut = new Promise<void>((resolve) => raw.client.once("close", () => resolve()));
    await fleet.testServer.database.transaction({ tenantId: cabinet.tenantId }, (db) =>
      db.run(sql`update cabinet_secret set expires_at = now() where cabinet_id = ${cabinet.id}`),
    );
    const before = await countEvents(cabinet);
    // On a busy machine the connection is cut before the acknowledgement.
    await Promise.race([raw.send(raw.seal("evt", tamper)), isCut]);
    expect(await countEvents(cabinet)).toBe(before);
    raw.cut();
    await expect(RawCabinet.connect(fleet, cabinet)).rejects.toThrow();
  });

  it("15 wrong proofs: the stranger is banned, a cabinet at the same address is not", async () => {
    const cabinet = await fleet.addCabinet();
    const keys = deriveKeys(b.identity.secret);
    const attempt = { clientId: cabinet.sn, username: cabinet.sn };
    const guess = async () => {
      const proof = { cabinetId: cabinet.sn, kid: "k1", nonce: await fleet.nonce(), keys };
      const password = makeConnectPassword(proof);
      await expect(connectRaw(fleet.mqttPort, { ...attempt, password })).rejects.toThrow();
    };
    const refusals = async (outcome: string) => {
      const { values } = await deviceMessages.get();
      return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
    };
    const [wrong, banned] = [await refusals("WRONG_PROOF"), await refusals("BANNED")];
    for (let each = 0; each < 17; each++) await guess();
    expect(await refusals("WRONG_PROOF")).toBe(wrong + 15);
    expect(await refusals("BANNED")).toBe(banned + 2);
    for (const each of [cabinet, await fleet.addCabinet()]) {
      (await RawCabinet.connect(fleet, each)).cut();
    }
    const renewed = await withNewSecret(cabinet);
    await until("the new secret is believed", async () => {
      const raw = await RawCabinet.connect(fleet, renewed).catch(() => undefined);
      raw?.cut();
      return raw;
    });
  });

  it("cabinet that reconnects without pause: banned", async () => {
    const cabinet = await fleet.addCabinet();
    for (let each = 0; each < 15; each++) (await RawCabinet.connect(fleet, cabinet)).cut();
    await until("the ban", async () => {
      const raw = await RawCabinet.connect(fleet, cabinet).catch(() => undefined);
      raw?.cut();
      return !raw;
    });
  });
});
