// Two mosquitto brokers with the configuration of deploy/mosquitto: cabinets at the edge, gateways at the other one.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import mqtt, { type MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../e2e/support/free-port.ts";
import { type Server, startServer } from "../../e2e/support/server.ts";
import { deepIt } from "../support/deep.ts";
import { lacks } from "../support/lacks.ts";
import { type Line, startLine } from "../support/line.ts";
import {
  configOf,
  hasMosquitto,
  type Mosquitto,
  startMosquitto,
  writePasswords,
} from "../support/mosquitto.ts";
import type { Person } from "../support/test-server.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";

/** Server processes start while other tests use the machine. */
const START_MS = 120_000;
const PASSWORD = "the-password";
const OPENINGS = 8;

/** One of the two brokers, with a listener for the test at which everybody may do everything. */
interface Broker {
  mosquitto: Mosquitto;
  cabinetPort: number;
  spyPort: number;
  /** Every frame that passed, by topic and hash, in order. */
  frames: string[];
  spy: MqttClient;
}

const isSkipped = lacks("桥接的消息服务", !hasMosquitto && "没有安装 mosquitto");

describe.skipIf(isSkipped)("bridged brokers", () => {
  const fleet = useDeviceFleet({ hasOutsideBroker: true });
  let folder: string;
  let person: Person;
  let link: Line;
  let main: Broker;
  let edge: Broker;
  let gateways: { server: Server; countAcks(): Promise<number> }[] = [];

  async function startBroker(
    name: string,
    cabinetPort: number,
    changes: Record<string, string>,
  ): Promise<Broker> {
    const spyPort = await freePort();
    const data = path.join(folder, name);
    await mkdir(data);
    const config = configOf(name, {
      "listener 8883": `listener ${cabinetPort} 127.0.0.1`,
      "/var/lib/mosquitto/": `${data}/`,
      ...changes,
    });
    const spying = `listener ${spyPort} 127.0.0.1\nallow_anonymous true\n`;
    const mosquitto = await startMosquitto(data, { config: config + spying, port: spyPort });
    const spy = await mqtt.connectAsync(`mqtt://127.0.0.1:${spyPort}`, { protocolVersion: 4 });
    const frames: string[] = [];
    spy.on("message", (topic, payload) => {
      frames.push(`${topic} ${createHash("sha256").update(payload).digest("hex")}`);
    });
    await spy.subscribeAsync("c1/#", { qos: 1 });
    return { mosquitto, cabinetPort, spyPort, frames, spy };
  }

  async function startGateway(port: number) {
    const metricsPort = await freePort();
    const server = await startServer({
      args: ["--services=gateway"],
      dataDir: fleet.dataDir,
      env: {
        DATABASE_URL: fleet.testServer.url,
        MQTT_URL: `mqtt://gateway:${PASSWORD}@127.0.0.1:${port}`,
        METRICS_PORT: String(metricsPort),
      },
    });
    const countAcks = async () => {
      const reply = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      const acks = /^device_messages_total\{(?=.*kind="ack")(?=.*outcome="OK").*\} (\d+)$/m;
      return Number(acks.exec(await reply.text())?.[1] ?? 0);
    };
    return { server, countAcks };
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "bridged-brokers-"));
    person = (await fleet.testServer.makeTenant()).people[1];
    const passwords = path.join(folder, "gateways.passwd");
    writePasswords(passwords, { gateway: PASSWORD, edge: PASSWORD });
    const gatewayPort = await freePort();
    main = await startBroker("mosquitto.conf", await freePort(), {
      "listener 1884 10.0.0.5": `listener ${gatewayPort} 127.0.0.1`,
      "/etc/mosquitto/gateways.passwd": passwords,
      "/etc/mosquitto/gateways.acl": path.join(
        import.meta.dirname,
        "../../deploy/mosquitto/gateways.acl",
      ),
    });
    link = await startLine(() => net.connect(gatewayPort, "127.0.0.1"));
    edge = await startBroker("edge.conf", await freePort(), {
      "address 10.0.0.5:1884": `address 127.0.0.1:${link.port}`,
    });
    gateways = await Promise.all([startGateway(gatewayPort), startGateway(gatewayPort)]);
    await untilBridged();
  }, START_MS);
  afterAll(async () => {
    await Promise.all(gateways.map(({ server }) => server.stop()));
    for (const broker of [main, edge]) await broker?.spy.endAsync(true);
    link?.stop();
    for (const broker of [edge, main]) await broker?.mosquitto.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    main.frames.length = 0;
    edge.frames.length = 0;
  });

  const countAt = ({ frames }: Broker, part: string) =>
    frames.filter((frame) => frame.includes(part)).length;

  /** Frames of both directions pass. */
  async function untilBridged(): Promise<void> {
    const probe = async (from: Broker, to: Broker, topic: string) => {
      await from.spy.publishAsync(topic, "probe", { qos: 1 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      return countAt(to, topic) > 0;
    };
    await until("commands to the edge", () => probe(main, edge, "c1/PROBE/dn/cmd"));
    await until("reports from the edge", () => probe(edge, main, "c1/PROBE/up/will"));
  }

  async function switchOn({ cabinetPort }: Broker) {
    const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
    const mqttUrl = `mqtt://127.0.0.1:${cabinetPort}`;
    const machine = await fleet.switchOn(cabinet, { mqttUrl, autoCloseMs: 100 });
    await until("a session", () => machine.hasSession());
    return { cabinet, machine };
  }
  type SwitchedOn = Awaited<ReturnType<typeof switchOn>>;

  /** Opens a door and waits for its end. */
  async function open({ cabinet }: SwitchedOn, no: number): Promise<string> {
    const { data, errMsg } = await fleet.testServer.call(commandContract.open, person, {
      params: { id: cabinet.id },
      body: { no, reason: "客户来电" },
    });
    expect(errMsg).toBe("");
    await until("confirmed", async () => {
      const commands = await fleet.findCommands(cabinet);
      return commands.find(({ id }) => id === data.id)?.state === "CONFIRMED";
    });
    return data.id;
  }

  it("each frame passes once: one opening per command, and one gateway takes each ack", async () => {
    const there = await switchOn(edge);
    const before = await Promise.all(gateways.map(({ countAcks }) => countAcks()));
    const asked: string[] = [];
    for (let turn = 0; turn < OPENINGS; turn++) asked.push(await open(there, 1 + (turn % 3)));
    expect(there.machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual(asked);
    const framesAt = ({ frames }: Broker) =>
      frames.filter((frame) => frame.includes(there.cabinet.sn)).sort();
    await until("the same frames at both", () => String(framesAt(main)) === String(framesAt(edge)));
    const acks = countAt(main, `${there.cabinet.sn}/up/ack`);
    expect(acks).toBeGreaterThanOrEqual(2 * OPENINGS);
    const taken = async () => {
      const now = await Promise.all(gateways.map(({ countAcks }) => countAcks()));
      return now.reduce((sum, count, at) => sum + count - (before[at] ?? 0), 0);
    };
    await until("all acks", async () => (await taken()) >= acks);
    expect(await taken()).toBe(acks);
  });

  deepIt("cabinet at the gateways' broker: opens, too, and its reports stay there", async () => {
    const here = await switchOn(main);
    const id = await open(here, 1);
    expect(here.machine.hardware.pulses.map(({ cmdId }) => cmdId)).toEqual([id]);
    expect(countAt(main, `${here.cabinet.sn}/up/`)).toBeGreaterThan(0);
    expect(countAt(edge, `${here.cabinet.sn}/up/`)).toBe(0);
  });

  deepIt(
    "link down: reports wait at the edge and come once, commands are never sent late",
    async () => {
      const there = await switchOn(edge);
      link.breakDown();
      await edge.spy.publishAsync("c1/TEST/up/evt", "kept", { qos: 1 });
      await main.spy.publishAsync("c1/TEST/dn/cmd", "late", { qos: 1 });
      await link.restore();
      await untilBridged();
      await until("the report", () => countAt(main, "c1/TEST/up/evt") > 0);
      await open(there, 1);
      expect(countAt(main, "c1/TEST/up/evt")).toBe(1);
      expect(countAt(edge, "c1/TEST/dn/cmd")).toBe(0);
    },
  );

  deepIt(
    "members of one group at both brokers get each report twice: no gateway may connect to the edge",
    async () => {
      const got: string[] = [];
      const members = await Promise.all(
        [main, edge].map(async ({ spyPort }) => {
          const member = await mqtt.connectAsync(`mqtt://127.0.0.1:${spyPort}`);
          member.on("message", (_, payload) => got.push(String(payload)));
          await member.subscribeAsync("$share/other/c1/+/up/+", { qos: 1 });
          return member;
        }),
      );
      await edge.spy.publishAsync("c1/TEST/up/evt", "twice", { qos: 1 });
      await until("both", () => got.filter((each) => each === "twice").length === 2);
      await Promise.all(members.map((member) => member.endAsync(true)));
    },
  );
});
