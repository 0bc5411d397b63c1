// Cabinet link over an outside broker (MQTT_URL): it calls our auth hooks, and gateways share its
// reports.
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { SEND_WITHIN_SECONDS } from "@cabinet/contract/fleet/command/command.rules.ts";
import { errorText } from "@cabinet/contract/kit/errors.ts";
import {
  BROKER_ACL_PATH,
  BROKER_AUTH_PATH,
} from "@cabinet/contract/link/device/device.contract.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unsentDetail } from "../../apps/server/src/features/fleet/command/command-detail.rules.ts";
import { claimCommand } from "../../apps/server/src/features/fleet/command/delivery.sql.ts";
import { connectOutsideBroker } from "../../apps/server/src/features/link/device/broker/outside-broker.device.ts";
import { RECEIVERS } from "../../apps/server/src/features/link/device/broker/receiver-share.rules.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { type Line, startLine } from "../support/line.ts";
import { type OutsideBroker, startOutsideBroker } from "../support/outside-broker.ts";
import { withClient } from "../support/postgres.ts";
import type { Person } from "../support/test-server.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

/** MQTT clients of a single gateway: its receivers and one sender. */
const CLIENTS = RECEIVERS + 1;

/** Both sides give a silent connection up after six seconds. */
const LONGER_THAN_KEEPALIVE_MS = 8_000;

const fleet = useDeviceFleet({ hasOutsideBroker: true });
let person: Person;
let outside: OutsideBroker;

beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  outside = await startOutsideBroker(fleet.origin);
  await fleet.startGateway({ mqttUrl: outside.url });
  await until("the gateway", () => outside.gateways().length === CLIENTS);
});
afterAll(async () => {
  await fleet.stopGateway();
  await outside.close();
});

const openDoor = (id: number, no: number) =>
  fleet.testServer.call(commandContract.open, person, {
    params: { id },
    body: { no, reason: "客户来电" },
  });
const open = (id: number) => openDoor(id, 1);

/** Makes the command older. */
const grow = (id: string, seconds: number) =>
  withClient(fleet.testServer.url, (client) =>
    client.query(
      "update command set created_at = created_at - make_interval(secs => $2) where id = $1",
      [id, seconds],
    ),
  );

describe("outside broker", () => {
  it("command and its stages arrive, whichever receiver gets which report", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("a session", () => machine.hasSession());
    const { data } = await open(cabinet.id);
    await until("confirmed", async () => {
      const [command] = await fleet.findCommands(cabinet);
      return command?.state === "CONFIRMED";
    });
    expect(machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual([data.id]);
    const { epoch } = await fleet.findCabinet<{ epoch: number }>(cabinet, "epoch");
    expect(epoch).toBe(1);
    await machine.stop();
    await until("refused", async () => (await open(cabinet.id)).errMsg.includes("设备不在线"));
  });

  it("gateway restart: sessions continue", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("a session", () => machine.hasSession());
    await fleet.stopGateway();
    await until("nobody there", () => outside.gateways().length === 0);
    await fleet.startGateway({ mqttUrl: outside.url });
    await until("the gateway", () => outside.gateways().length === CLIENTS);
    expect((await open(cabinet.id)).code).toBe(0);
    await until("confirmed", async () => {
      const [command] = await fleet.findCommands(cabinet);
      return command?.state === "CONFIRMED";
    });
    const { epoch } = await fleet.findCabinet<{ epoch: number }>(cabinet, "epoch");
    expect(epoch).toBe(1);
  });

  it("gateway that dies between claim and sending: the next one sends the command", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("a session", () => machine.hasSession());
    await fleet.stopGateway();
    const { data } = await open(cabinet.id);
    const key = { tenantId: person.tenantId, id: data.id };
    await fleet.testServer.database.transaction({ tenantId: person.tenantId }, (db) =>
      claimCommand(db, key, { id: "gateway-that-died", isShared: true }),
    );
    await fleet.startGateway({ mqttUrl: outside.url });
    await until("confirmed", async () => (await fleet.findCommands(cabinet))[0]?.state !== "SENT");
    expect(machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual([data.id]);
  });

  it("gateway that stops while it claims a command: sends it before", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("a session", () => machine.hasSession());
    await withClient(fleet.testServer.url, async (client) => {
      await client.query(`
        create function wait_a_second() returns trigger language plpgsql as
          'begin perform pg_sleep(1); return new; end'`);
      await client.query(`
        create trigger slow_claim before update on command for each row
        when (old.state = 'QUEUED') execute function wait_a_second()`);
      const { data } = await open(cabinet.id);
      await until("the claim", async () => {
        const { rows } = await client.query(`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event = 'PgSleep'`);
        return rows.length > 0;
      });
      await fleet.stopGateway();
      await client.query("drop function wait_a_second() cascade");
      await until("the opening", () => machine.hardware.pulses.length > 0);
      expect(machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual([data.id]);
    });
    await fleet.startGateway({ mqttUrl: outside.url });
    await until("the gateway", () => outside.gateways().length === CLIENTS);
  });

  it("command that is queued for too long: never sent, and says so", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("a session", () => machine.hasSession());
    await fleet.stopGateway();
    const { data } = await open(cabinet.id);
    await grow(data.id, SEND_WITHIN_SECONDS);
    const key = { tenantId: person.tenantId, id: data.id };
    const claimed = await fleet.testServer.database.transaction(
      { tenantId: person.tenantId },
      (db) => claimCommand(db, key, { id: "gateway-that-is-late", isShared: true }),
    );
    expect(claimed).toBeNull();
    await fleet.startGateway({ mqttUrl: outside.url });
    await until("the gateway", () => outside.gateways().length === CLIENTS);
    await until("its end", async () => (await fleet.findCommands(cabinet))[0]?.state !== "QUEUED");
    expect((await fleet.findCommands(cabinet))[0]).toMatchObject({
      state: "EXPIRED",
      detail: unsentDetail,
    });
    expect(machine.hardware.pulses).toEqual([]);
  });

  it("gateway that stalls after its claim: does not send the command late", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("a session", () => machine.hasSession());
    await withClient(fleet.testServer.url, async (client) => {
      // The claim takes longer than the command has left.
      await client.query(`
        create function stall() returns trigger language plpgsql as
          'begin perform pg_sleep(3); return new; end'`);
      await client.query(`
        create trigger slow_claim before update on command for each row
        when (old.state = 'QUEUED' and new.state = 'SENT') execute function stall()`);
      await client.query(`
        create function be_old() returns trigger language plpgsql as
          'begin new.created_at := now() - make_interval(secs => ${SEND_WITHIN_SECONDS - 2}); return new; end'`);
      await client.query(`
        create trigger old_command before insert on command for each row execute function be_old()`);
      await open(cabinet.id);
      await until(
        "the claim",
        async () => (await fleet.findCommands(cabinet))[0]?.state === "SENT",
      );
      await client.query("drop function stall() cascade");
      await client.query("drop function be_old() cascade");
    });
    expect((await open(cabinet.id)).errMsg).toBe(errorText("COMMAND_IN_FLIGHT", { no: 1 }));
    // The next command passes the same queue of the cabinet.
    const { data } = await openDoor(cabinet.id, 2);
    await until("the next opening", () => machine.hardware.pulses.length > 0);
    expect(machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual([data.id]);
  });

  it("report: acknowledged only after it is stored", async () => {
    const cabinet = await fleet.addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet, { port: outside.port });
    await raw.greet();
    outside.acknowledged.length = 0;
    const isOurs = (topic: string) => topic === `c1/${cabinet.sn}/up/evt`;
    await fleet.testServer.database.transaction("platform", async (db) => {
      await db.run(sql`select 1 from cabinet where id = ${cabinet.id} for update`);
      await raw.send(raw.seal("evt", { bootNo: 1, n: 2, mono: 2, type: "TAMPER" }));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(outside.acknowledged.filter(isOurs)).toEqual([]);
    });
    await until("the acknowledgement", () => outside.acknowledged.some(isOurs));
    raw.cut();
  });

  it("report: storing it for longer than the keepalive does not end the receiver's connection", async () => {
    const cabinet = await fleet.addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet, { port: outside.port });
    await raw.greet();
    const connects = outside.connects();
    await fleet.testServer.database.transaction("platform", async (db) => {
      await db.run(sql`select 1 from cabinet where id = ${cabinet.id} for update`);
      await raw.send(raw.seal("evt", { bootNo: 1, n: 2, mono: 2, type: "TAMPER" }));
      // The database ends a transaction that says nothing for this long.
      const end = performance.now() + LONGER_THAN_KEEPALIVE_MS;
      while (performance.now() < end) await db.run(sql`select pg_sleep(1)`);
    });
    expect(outside.connects()).toBe(connects);
    raw.cut();
  });

  it("broker with its own authentication: the birth names the nonce of the connection", async () => {
    const cabinet = await fleet.addCabinet();
    const raw = await RawCabinet.connect(fleet, cabinet, { port: outside.port });
    // The hook was not called: the nonce is unused and no connection is recorded.
    const nonce = await fleet.nonce();
    const hello = await raw.greet({ nonce });
    expect(hello.echo.nonce).toBe(nonce);
    await raw.send(raw.birth({ nonce: raw.nonce, n: 99 }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(raw.heard("hello")).toHaveLength(1);
    raw.cut();
  });
});

describe("broker behind a network that drops every packet", () => {
  let line: Line;
  beforeAll(async () => {
    await fleet.stopGateway();
    line = await startLine(() => net.connect(outside.port, "127.0.0.1"));
    await fleet.startGateway({ mqttUrl: `mqtt://127.0.0.1:${line.port}` });
    await until("the gateway", () => outside.gateways().length === CLIENTS);
  });
  afterAll(async () => {
    await fleet.stopGateway();
    line.stop();
    await fleet.startGateway({ mqttUrl: outside.url });
    await until("the gateway", () => outside.gateways().length === CLIENTS);
  });

  it("openings are refused within three seconds, and what was accepted opens no door later", async () => {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId, doors: 40 });
    const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url });
    await until("a session", () => machine.hasSession());
    line.stall();
    const began = performance.now();
    const accepted: string[] = [];
    let no = 1;
    await until("a refusal", async () => {
      const { code, data, errMsg } = await openDoor(cabinet.id, no++);
      if (code === 0) accepted.push(data.id);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return errMsg === errorText("BROKER_UNREACHABLE");
    });
    // Two for the goal; the rest is room for a busy machine.
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(accepted.length).toBeGreaterThan(0);
    const lastMs = performance.now();
    await until("the end of their time", () => {
      return performance.now() - lastMs > SEND_WITHIN_SECONDS * 1000;
    });
    line.resume();
    const { id } = await until("an opening", async () => {
      const { code, data } = await openDoor(cabinet.id, 40);
      return code === 0 && data;
    });
    await until("its pulse", () => machine.hardware.pulses.some(({ cmdId }) => cmdId === id));
    expect(machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual([id]);
    const isOver = ({ state }: { state: string }) => ["SENT", "EXPIRED", "UNKNOWN"].includes(state);
    await until("the end of the others", async () => {
      const others = (await fleet.findCommands(cabinet)).filter((command) => command.id !== id);
      return others.every(isOver);
    });
    expect(machine.hardware.pulses).toHaveLength(1);
  });
});

describe("gateways at one outside broker", () => {
  const TWO = ["gateway-a", "gateway-b"];
  /** Connects a gateway to the broker at this URL. */
  function startAt(url: string, gatewayId: string, reportAlive: () => Promise<string[]>) {
    const events = { receive: async () => "TAKEN" as const };
    const log = createLog("silent");
    const [reportCutOff, reportGone] = [async () => {}, async () => {}];
    return connectOutsideBroker({
      ...{ url, gatewayId, group: "group", reportAlive, reportCutOff, reportGone },
      ...{ log, events },
    });
  }

  it("no database access: their receivers are not taken back until it answers again", async () => {
    const at = await startOutsideBroker(fleet.origin);
    const cut = Promise.withResolvers<string[]>();
    let isCut = false;
    const a = startAt(at.url, "gateway-a", () => (isCut ? cut.promise : Promise.resolve(TWO)));
    const half = RECEIVERS / 2 + 1;
    await until("its half", () => at.connects() >= half);
    isCut = true;
    const b = startAt(at.url, "gateway-b", async () => ["gateway-b"]);
    const connects = half + CLIENTS;
    await until("all of the other", () => at.connects() >= connects);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(at.connects()).toBe(connects);
    isCut = false;
    cut.resolve(TWO);
    await until("its half again", () => at.connects() >= connects + RECEIVERS / 2);
    await Promise.all([a.stop(), b.stop()]);
    await at.close();
  });

  it("subscriptions refused for a while: the receivers ask again", async () => {
    let refusals = RECEIVERS;
    const hooks = http.createServer((request, reply) => {
      const isRefused = request.url === BROKER_ACL_PATH && refusals-- > 0;
      reply.end(JSON.stringify({ result: isRefused ? "deny" : "ignore" }));
    });
    await once(hooks.listen(0, "127.0.0.1"), "listening");
    const { port } = hooks.address() as AddressInfo;
    const at = await startOutsideBroker(`http://127.0.0.1:${port}`);
    const gateway = startAt(at.url, "gateway-a", async () => ["gateway-a"]);
    await until("all receivers", () => at.gateways().length === CLIENTS);
    await gateway.stop();
    await at.close();
    hooks.close();
  });
});

describe("auth hooks of the broker", () => {
  const post = (path: string, body: object, headers = {}) =>
    fleet.testServer.app.inject({ method: "POST", url: path, payload: body, headers });
  const acl = async (body: object) => (await post(BROKER_ACL_PATH, body)).json().result;

  it("decide like the embedded broker", async () => {
    const [a, b] = [await fleet.addCabinet(), await fleet.addCabinet()];
    const as = { clientid: a.sn, username: a.sn };
    const publish = { ...as, action: "publish" };
    const subscribe = { ...as, action: "subscribe" };
    expect(await acl({ ...publish, topic: `c1/${a.sn}/up/evt` })).toBe("allow");
    expect(await acl({ ...publish, topic: `c1/${a.sn}/up/will` })).toBe("allow");
    expect(await acl({ ...publish, topic: `c1/${b.sn}/up/evt` })).toBe("deny");
    expect(await acl({ ...publish, topic: `c1/${a.sn}/up/evt`, retain: true })).toBe("deny");
    expect(await acl({ ...publish, topic: `c1/${a.sn}/dn/cmd` })).toBe("deny");
    expect(await acl({ ...subscribe, topic: `c1/${a.sn}/dn/cmd` })).toBe("allow");
    for (const topic of ["#", "c1/+/dn/cmd", `c1/${a.sn}/#`, `c1/${b.sn}/dn/cmd`]) {
      expect(await acl({ ...subscribe, topic })).toBe("deny");
    }
    expect(await acl({ ...subscribe, username: b.sn, topic: `c1/${a.sn}/dn/cmd` })).toBe("deny");
    expect(await acl({ ...subscribe, clientid: "gateway-1", topic: "#" })).toBe("ignore");
  });

  it("accept a proof once", async () => {
    const cabinet = await fleet.addCabinet();
    const password = fleet.password(cabinet, await fleet.nonce());
    const body = { clientid: cabinet.sn, username: cabinet.sn, password };
    const auth = async () => (await post(BROKER_AUTH_PATH, body)).json().result;
    expect([await auth(), await auth()]).toEqual(["allow", "deny"]);
  });

  it("refuse callers that are remote or forwarded", async () => {
    const body = { clientid: "X", action: "publish", topic: "x" };
    const forwarded = await post(BROKER_ACL_PATH, body, { "x-forwarded-for": "10.0.0.1" });
    expect(forwarded.statusCode).toBe(403);
    const remote = await fleet.testServer.app.inject({
      method: "POST",
      url: BROKER_ACL_PATH,
      payload: body,
      remoteAddress: "203.0.113.9",
    });
    expect(remote.statusCode).toBe(403);
  });
});
