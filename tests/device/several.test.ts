// Several processes as in docs/sre/03-several.md: two APIs and two gateways at an outside broker.
import { once } from "node:events";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { sessionContract } from "@cabinet/contract/identity/session/session.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { errorText } from "@cabinet/contract/kit/errors.ts";
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { RECEIVERS } from "../../apps/server/src/features/link/device/broker/receiver-share.rules.ts";
import { freePort } from "../../e2e/support/free-port.ts";
import { LOG_TAIL, type Server, startServer } from "../../e2e/support/server.ts";
import { type OutsideBroker, startOutsideBroker } from "../support/outside-broker.ts";
import type { Person } from "../support/test-server.ts";
import { type FleetCabinet, until, useDeviceFleet, WITHIN_MS } from "./device-fleet.ts";

const fleet = useDeviceFleet({ hasOutsideBroker: true });
let admin: Person;
let person: Person;
let outside: OutsideBroker;
let api: Server;
let gateways: Server[];

/** Starts a server process with the fleet's master key and database. */
async function start(services: string): Promise<Server> {
  return startServer({
    args: [`--services=${services}`],
    dataDir: fleet.dataDir,
    env: {
      DATABASE_URL: fleet.testServer.url,
      MQTT_URL: outside.url,
      METRICS_PORT: String(await freePort()),
    },
  });
}

beforeAll(async () => {
  ({ 0: admin, 1: person } = (await fleet.testServer.makeTenant()).people);
  outside = await startOutsideBroker(fleet.origin);
  const [server, gateway] = await Promise.all([start("api,worker"), start("gateway")]);
  api = server;
  gateways = [gateway];
  await until("all receivers and one sender", () => outside.gateways().length === RECEIVERS + 1);
  gateways.push(await start("gateway"));
  // The second gateway takes half of the receivers over; a report amid that may wait at this broker.
  const clients = RECEIVERS + 1 + RECEIVERS / 2 + 1;
  await until("the second one's half", () => outside.connects() >= clients);
});
afterEach(({ task }) => {
  if (task.result?.state !== "fail") return;
  for (const server of [api, ...gateways]) process.stdout.write(server.output().slice(-LOG_TAIL));
});
afterAll(async () => {
  await Promise.all([api, ...gateways].map((server) => server.stop()));
  await outside.close();
});

/** Calls the other API as a console does. */
async function askOther(spec: EndpointSpec, as: Person, id: number, body: object) {
  const reply = await fetch(new URL(urlPath(spec).replace("{id}", String(id)), api.origin), {
    method: spec.method,
    headers: {
      "auth-token": as.token,
      tenantid: String(as.tenantId),
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as { code: number; errMsg: string; data: { id: string } };
}

const open = (cabinet: FleetCabinet, no: number) =>
  askOther(commandContract.open, person, cabinet.id, { no, reason: "客户来电" });

async function listen(origin: string) {
  const reply = await fetch(new URL(LIVE_PATH, origin), {
    headers: { "auth-token": person.token, tenantid: String(person.tenantId) },
  });
  expect(reply.status).toBe(200);
  const channel = { text: "", isOver: false };
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const bytes of reply.body ?? []) channel.text += decoder.decode(bytes);
    channel.isOver = true;
  };
  read().catch(() => {});
  return channel;
}

async function switchOn() {
  const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
  const machine = await fleet.switchOn(cabinet, { mqttUrl: outside.url, autoCloseMs: 100 });
  await until("a session", () => machine.hasSession());
  return { cabinet, machine };
}

/** A failure shows the command's row. */
async function untilConfirmed(cabinet: FleetCabinet, id: string): Promise<void> {
  const command = async () => (await fleet.findCommands(cabinet)).find((row) => row.id === id);
  await expect
    .poll(command, { timeout: WITHIN_MS })
    .toMatchObject({ state: "CONFIRMED", detail: null });
}

it("two gateways, two APIs: one door opening, and the live event reaches the other API", async () => {
  await until("all receivers and both senders", () => outside.gateways().length === RECEIVERS + 2);
  const channel = await listen(fleet.origin);
  const { cabinet, machine } = await switchOn();
  const { data } = await open(cabinet, 1);
  await untilConfirmed(cabinet, data.id);
  expect(machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual([data.id]);
  await until("news", () => channel.text.includes('"command"'));
});

it("killed gateway: commands still complete, and the broker redelivers its share of reports", async () => {
  const { cabinet, machine } = await switchOn();
  const [killed] = gateways;
  killed?.process.kill("SIGKILL");
  if (killed) await once(killed.process, "exit");
  // The killed gateway's share of the reports waits at the broker.
  const asked: string[] = [];
  for (const no of [1, 2, 3]) {
    const { data, errMsg } = await open(cabinet, no);
    expect(errMsg).toBe("");
    asked.push(data.id);
    await untilConfirmed(cabinet, data.id);
  }
  expect(machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual(asked);
  await until("all receivers", () => outside.gateways().length === RECEIVERS + 1);
});

it("session ended at one API: ended at both, with its live channel", async () => {
  const { cabinet } = await switchOn();
  const here = await listen(fleet.origin);
  const { data } = await fleet.testServer.call(sessionContract.list, admin, {
    query: { page: 1, pageSize: 20, username: person.username },
  });
  const [session] = data.list;
  const ended = await askOther(sessionContract.end, admin, session?.id ?? 0, { reason: "已离职" });
  expect(ended.code).toBe(0);
  await until("the end of the channel", () => here.isOver);
  for (const ask of [
    open(cabinet, 1),
    fleet.testServer.call(commandContract.open, person, {
      params: { id: cabinet.id },
      body: { no: 1, reason: "客户来电" },
    }),
  ]) {
    expect((await ask).errMsg).toBe(errorText("SIGN_IN_REQUIRED"));
  }
});
