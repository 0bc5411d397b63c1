// Device fleet for tests: the real server on a real database and broker, with simulated cabinets.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { deriveKeys, makeConnectPassword, type SimulatedCabinet } from "@cabinet/link";
import { pino } from "pino";
import { issueCabinetSecret } from "../../apps/server/src/features/link/device/index.ts";
import { startGateway } from "../../apps/server/src/gateway.ts";
import { raw, sql } from "../../apps/server/src/platform/db/sql.ts";
import { openVault, type Vault } from "../../apps/server/src/platform/secrets.ts";
import { type FaultPlan, NO_FAULTS, withFaults } from "../../apps/simulator/src/faults.ts";
import { fileJournal } from "../../apps/simulator/src/journal.ts";
import { Machine, type MachineOptions } from "../../apps/simulator/src/machine.ts";
import { mqttTransport } from "../../apps/simulator/src/mqtt-transport.ts";
import type { Session, Transport } from "../../apps/simulator/src/transport.ts";
import { realWorld } from "../../apps/simulator/src/world.ts";
import { freePort } from "../../e2e/support/free-port.ts";
import { makeCabinet } from "../support/cabinets.ts";
import { openTestServer, type TestServer, useOpened } from "../support/test-server.ts";

const TICK_MS = 200;
const KID = "k1";

export interface FleetCabinet {
  id: number;
  tenantId: number;
  sn: string;
  identity: SimulatedCabinet;
}

interface NewCabinet {
  side?: Side;
  doors?: number;
  tenantId?: number;
  hasItemSensors?: boolean;
}

export interface CommandRow {
  id: string;
  state: CommandState;
  detail: string | null;
  kind: string;
  seq: number | null;
  expiresAt: string;
}

export interface DeviceFleet {
  testServer: TestServer;
  origin: string;
  mqttPort: number;
  dataDir: string;
  vault: Vault;
  startGateway(more?: { mqttUrl?: string; tenantReportsPerSecond?: number }): Promise<void>;
  stopGateway(): Promise<void>;
  /** Starts the gateway in a child process that a test can kill. */
  forkGateway(): Promise<ChildProcess>;
  addCabinet(options?: NewCabinet): Promise<FleetCabinet>;
  /** Starts a simulated cabinet; `faults` may change while it runs. */
  switchOn(cabinet: FleetCabinet, options?: SwitchOnOptions): Promise<Machine>;
  nonce(): Promise<string>;
  /** MQTT password as the cabinet itself would compute it. */
  password(cabinet: FleetCabinet, nonce: string): string;
  findCommands(cabinet: FleetCabinet): Promise<CommandRow[]>;
  findCabinet<Row>(cabinet: FleetCabinet, columns: string): Promise<Row>;
  close(): Promise<void>;
}

export interface SwitchOnOptions extends Partial<MachineOptions> {
  mqttUrl?: string;
  faults?: FaultPlan;
  seed?: number;
  /** Folder of its storage; another one for a copied card. */
  storage?: string;
  /** Receives each report that leaves the cabinet. */
  onSent?: (topic: string, payload: Buffer) => void;
}

function noteSent(transport: Transport, onSent: SwitchOnOptions["onSent"]): Transport {
  if (!onSent) return transport;
  return {
    async connect(request, events) {
      const connected = await transport.connect(request, events);
      const { session } = connected;
      const publish: Session["publish"] = (message) => {
        onSent(message.topic, message.payload);
        return session.publish(message);
      };
      return { ...connected, session: { ...session, publish } };
    },
  };
}

/** Opens a fleet before the first test of the file and closes it after the last. */
export const useDeviceFleet = (options?: FleetOptions): DeviceFleet =>
  useOpened(() => openDeviceFleet(options));

interface FleetOptions {
  hasOutsideBroker?: boolean;
  allowsLoopbackCallbacks?: boolean;
  /** As of `openTestServer`. */
  through?: (url: string) => Promise<string>;
}

async function openDeviceFleet(options: FleetOptions = {}): Promise<DeviceFleet> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "device-fleet-"));
  const vault = await openVault(dataDir);
  const testServer = await openTestServer({ ...options, vault });
  const origin = await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  const mqttPort = await freePort();
  const log = pino({ level: process.env.TEST_LOG ?? "silent" });
  const machines = new Set<Machine>();
  const children = new Set<ChildProcess>();
  const { id: homeTenantId } = await testServer.makeTenant();
  let gateway: { stop(): Promise<void> } | undefined;
  const ticker = setInterval(() => {
    for (const machine of machines) machine.tick();
  }, TICK_MS);

  async function stopGateway() {
    await gateway?.stop();
    gateway = undefined;
  }

  return {
    testServer,
    origin,
    mqttPort,
    dataDir,
    vault,
    async startGateway({ mqttUrl, tenantReportsPerSecond = 1_000 } = {}) {
      const { database, listener } = testServer;
      const port = Number(new URL(origin).port);
      const settings = {
        ...{ host: "127.0.0.1", port, mqttPort, mqttUrl: mqttUrl ?? null, dataDir },
        tenantReportsPerSecond,
      };
      gateway = await startGateway({ settings, database, listener, log });
    },
    stopGateway,
    async forkGateway() {
      const child = fork(path.join(import.meta.dirname, "gateway-process.ts"), {
        env: {
          ...process.env,
          DATABASE_URL: testServer.url,
          DATA_DIR: dataDir,
          MQTT_PORT: String(mqttPort),
        },
        execArgv: [],
      });
      children.add(child);
      const ended = once(child, "exit").then(() => Promise.reject(new Error("gateway ended")));
      ended.catch(() => {});
      await Promise.race([once(child, "message"), ended]);
      return child;
    },
    async addCabinet({ side = "SINGLE", doors = 3, tenantId = homeTenantId, ...more } = {}) {
      const cells = Array.from({ length: doors }, () => ({}));
      const made = await makeCabinet(testServer, {
        ...{ tenantId, side, cells, connectivity: "NEVER" as const, ...more },
      });
      const key = { tenantId, cabinetId: made.id, sn: made.sn, kid: KID };
      const secret = await testServer.database.transaction({ tenantId }, (db) =>
        issueCabinetSecret(db, key),
      );
      const sides: SimulatedCabinet["compartments"][number]["sides"] =
        side === "DOUBLE" ? ["FRONT", "BACK"] : ["FRONT"];
      const compartments = cells.map((_, at) => ({ no: at + 1, sides }));
      const identity = { cabinetId: made.sn, kid: KID, secret, side, compartments };
      return { ...made, identity };
    },
    async switchOn(cabinet, options = {}) {
      const { mqttUrl = `mqtt://127.0.0.1:${mqttPort}`, faults = NO_FAULTS, seed = 1 } = options;
      const world = realWorld(seed);
      const { storage = "journals" } = options;
      const journal = fileJournal(path.join(dataDir, storage), cabinet.sn);
      const line = noteSent(mqttTransport(origin, mqttUrl), options.onSent);
      const transport = withFaults(line, faults, world);
      const folder = path.join(dataDir, "cabinet-files");
      const machine = new Machine(cabinet.identity, world, transport, journal, {
        autoCloseMs: 1_500,
        downloads: { server: origin, folder, faults },
        isJammed: () => false,
        losesPowerAt: () => false,
        onTrouble: () => {},
        ...options,
      });
      machines.add(machine);
      await machine.start();
      return machine;
    },
    async nonce() {
      const reply = await fetch(new URL("/device/v1/challenge", origin));
      return ((await reply.json()) as { data: { nonce: string } }).data.nonce;
    },
    password({ sn, identity: { secret, kid } }, nonce) {
      return makeConnectPassword({ cabinetId: sn, kid, nonce, keys: deriveKeys(secret) });
    },
    findCommands: (cabinet) =>
      testServer.database.read("platform", (db) =>
        db.many(sql`
          select id, state, detail, kind, seq, expires_at from command
          where cabinet_id = ${cabinet.id} order by created_at`),
      ),
    findCabinet: <Row>(cabinet: FleetCabinet, columns: string) =>
      testServer.database.read("platform", (db) =>
        db.one<Row>(sql`select ${raw(columns)} from cabinet where id = ${cabinet.id}`),
      ),
    async close() {
      await Promise.all([...machines].map((machine) => machine.stop()));
      clearInterval(ticker);
      for (const child of children) child.kill("SIGKILL");
      await stopGateway();
      await testServer.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Longest wait for a state on a busy machine. */
export const WITHIN_MS = 50_000;

/** Polls every 20 ms until `ask` returns a truthy value; the timeout error names `what`. */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result | false | null | undefined> | Result | false | null | undefined,
  withinMs = WITHIN_MS,
): Promise<Result> {
  const end = performance.now() + withinMs;
  for (;;) {
    const result = await ask();
    if (result) return result;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
