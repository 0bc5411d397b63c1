// A site as in docs/sre/03-several.md: outside database with a standby, outside broker, processes, cabinets.
import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { RECEIVERS } from "../../apps/server/src/features/link/device/broker/receiver-share.rules.ts";
import type { EmbeddedPostgres } from "../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import { freePort } from "../../e2e/support/free-port.ts";
import { type Server, startServer } from "../../e2e/support/server.ts";
import { type FleetCabinet, until, useDeviceFleet } from "../device/device-fleet.ts";
import { type DatabaseLine, startDatabaseLine } from "../support/database-line.ts";
import { type Line, startLine } from "../support/line.ts";
import { type OutsideBroker, startOutsideBroker } from "../support/outside-broker.ts";
import { withClient } from "../support/postgres.ts";
import { startPair, withSuperuser } from "../support/standby.ts";
import type { Person } from "../support/test-server.ts";
import { type Sample, samplesOf } from "./alert-drill.ts";

const MINUTES = 60_000;
const DISK_MB = 600;
const clockPath = path.join(import.meta.dirname, "shifted-clock.mjs");

export interface Site {
  person: Person;
  /** Base URL of the API process that people use. */
  origin: string;
  cabinets: { cabinet: FleetCabinet; machine: Machine }[];
  /** Between the processes and the database, and between the processes and the broker. */
  databaseLine: DatabaseLine;
  brokerLine: Line;
  /** URL of the present primary, past the line. */
  databaseUrl(): string;
  /**
   * Stops a server process (SIGSTOP) that is inside a transaction, as a paused machine does; `load` keeps it busy until one is
   * met. People use another API and another gateway. Returns the seconds until the database had ended the transaction.
   */
  freeze(service: Service, load?: (origin: string) => Promise<unknown>): Promise<number>;
  thaw(service: Service): void;
  /** Signals all processes of PostgreSQL. */
  signalPostgres(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Kills the primary for good, and promotes the standby, which has everything that was committed. */
  failOver(): Promise<void>;
  /** False where this account may not mount a disk of limited size. */
  hasOwnDisk: boolean;
  fillDisk(): void;
  freeDisk(): void;
  /** Moves the wall clock of all server processes by an hour, or back. */
  shiftClocks(): void;
  /** Ticks, jobs and signs of life are stored as by a database whose clock is a day ahead, until `setBackDatabaseClock`. */
  advanceDatabaseClock(): void;
  setBackDatabaseClock(): Promise<void>;
  /** Present metrics of every process; `up` is 0 for one that does not answer. */
  scrape(): Promise<Sample[]>;
}

/** A process that nobody depends on: a second API with a worker, or a second gateway. */
export type Service = "api,worker" | "gateway";

interface SiteOptions {
  cabinets: number;
}

const GATEWAYS = 2;
/** No transaction of a process that runs waits for it this long. */
const CAUGHT_AFTER_MS = 300;

/** Opens the site before the first test of the file and closes it after the last. */
export function useSite({ cabinets }: SiteOptions): Site {
  const site = {} as Site;
  let folder = "";
  let primary: EmbeddedPostgres;
  let standby: EmbeddedPostgres | undefined;
  let broker: OutsideBroker;
  let ahead: Promise<void> | undefined;
  let isAhead = false;
  let processes: { services: string; server: Server; metrics: string }[] = [];
  const of = (name: string) => path.join(folder, name);

  async function openDatabases(): Promise<string> {
    folder = await mkdtemp(path.join(os.tmpdir(), "failover-"));
    const disk = of("disk");
    await mkdir(disk);
    site.hasOwnDisk = mayMount(disk);
    ({ primary, standby } = await startPair(path.join(disk, "primary"), of("standby")));
    await commitAtStandby(primary.url);
    site.databaseUrl = () => primary.url;
    site.databaseLine = await startDatabaseLine(primary.url);
    return site.databaseLine.url;
  }

  /** Commits wait for the standby: a failover loses nothing that was acknowledged. */
  async function commitAtStandby(url: string): Promise<void> {
    await withSuperuser(url, async (run) => {
      await run("alter system set synchronous_standby_names = 'standby'");
      await run("select pg_reload_conf()");
      await until("the standby", async () => {
        const [row] = await run("select sync_state from pg_stat_replication");
        return row?.sync_state === "sync";
      });
    });
  }

  /** Again and again, because the workers mend it meanwhile. */
  async function storeAhead(): Promise<void> {
    await withClient(primary.url, async (client) => {
      while (isAhead) {
        await client.query(`
          update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 day';
          update job_worker set seen_at = now() + interval '1 day';
          update graphile_worker._private_jobs set updated_at = now() + interval '1 day',
            run_at = run_at + interval '1 day'
          where updated_at <= now() and locked_at is null`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
  }

  const fleet = useDeviceFleet({ hasOutsideBroker: true, through: openDatabases });

  async function startProcess(services: string) {
    const port = await freePort();
    const server = await startServer({
      args: [`--services=${services}`],
      dataDir: fleet.dataDir,
      env: {
        DATABASE_URL: site.databaseLine.url,
        MQTT_URL: `mqtt://127.0.0.1:${site.brokerLine.port}`,
        METRICS_PORT: String(port),
        NODE_OPTIONS: `--import=${clockPath}`,
      },
    });
    const at = services.includes("api") ? server.origin : `http://127.0.0.1:${port}`;
    return { services, server, metrics: `${at}/metrics` };
  }

  beforeAll(async () => {
    site.person = (await fleet.testServer.makeTenant()).people[1];
    broker = await startOutsideBroker(fleet.origin);
    site.brokerLine = await startLine(() => net.connect(broker.port, "127.0.0.1"));
    const services = [
      "api,worker",
      "api,worker",
      ...Array.from({ length: GATEWAYS }, () => "gateway"),
    ];
    processes = await Promise.all(services.map(startProcess));
    site.origin = processes[0]?.server.origin ?? "";
    await until("the receivers", () => broker.gateways().length === RECEIVERS + GATEWAYS);
    const { tenantId } = site.person;
    site.cabinets = await Promise.all(
      Array.from({ length: cabinets }, async () => {
        const cabinet = await fleet.addCabinet({ tenantId });
        const machine = await fleet.switchOn(cabinet, { mqttUrl: broker.url, autoCloseMs: 500 });
        return { cabinet, machine };
      }),
    );
    await withClient(primary.url, (client) =>
      client.query(`update cabinet set desired_config = '{"heartbeatSeconds":5}'`),
    );
  }, 5 * MINUTES);

  afterAll(async () => {
    await Promise.all(processes.map(({ server }) => server.stop()));
    site.brokerLine?.stop();
    await broker?.close();
    site.databaseLine?.stop();
    await Promise.all([primary?.stop(), standby?.stop()]);
    if (site.hasOwnDisk) execFileSync("umount", ["-l", of("disk")]);
    await rm(folder, { recursive: true, force: true });
  }, MINUTES);

  function lastOf(service: Service): Server {
    const found = processes.findLast(({ services }) => services === service);
    if (!found) throw new Error(`no ${service}`);
    return found.server;
  }

  /** Sessions that have waited for their process inside a transaction. */
  const findStalled = () =>
    withClient(primary.url, async (client) => {
      const { rows } = await client.query(
        `select pid from pg_stat_activity where state like 'idle in transaction%'
         and state_change < clock_timestamp() - make_interval(secs => $1)`,
        [CAUGHT_AFTER_MS / 1000],
      );
      return rows.map(({ pid }) => pid as number);
    });

  return Object.assign(site, {
    async freeze(service: Service, load?: (origin: string) => Promise<unknown>) {
      const { process: frozen, origin } = lastOf(service);
      return until("a transaction of the stopped process", async () => {
        void load?.(origin);
        await sleep(Math.random() * 100);
        frozen.kill("SIGSTOP");
        const began = performance.now();
        await sleep(2 * CAUGHT_AFTER_MS);
        if ((await findStalled()).length === 0) {
          frozen.kill("SIGCONT");
          return null;
        }
        await until("the end of its transactions", async () => (await findStalled()).length === 0);
        return (performance.now() - began) / 1000;
      });
    },
    thaw: (service: Service) => void lastOf(service).process.kill("SIGCONT"),
    signalPostgres(signal: NodeJS.Signals) {
      for (const pid of processesOf(of("disk/primary/postgres"))) process.kill(pid, signal);
    },
    async failOver() {
      const former = primary;
      if (!standby) throw new Error("a site fails over once");
      [primary, standby] = [standby, undefined];
      await former.stop();
      await withSuperuser(primary.url, async (run) => {
        await run("alter system reset synchronous_standby_names");
        await run("select pg_reload_conf()");
        await run("select pg_promote()");
      });
      site.databaseLine.leadTo(primary.url);
    },
    fillDisk() {
      // Ends where the disk does.
      const block = Buffer.alloc(1024 * 1024);
      try {
        for (;;) appendFileSync(of("disk/ballast"), block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    freeDisk: () => rmSync(of("disk/ballast")),
    shiftClocks() {
      for (const { server } of processes) server.process.kill("SIGUSR2");
    },
    advanceDatabaseClock() {
      isAhead = true;
      ahead = storeAhead();
    },
    async setBackDatabaseClock() {
      isAhead = false;
      await ahead;
    },
    async scrape() {
      const all = await Promise.all(
        processes.map(async ({ metrics }, at) => {
          const text = await fetch(metrics, { signal: AbortSignal.timeout(8_000) }).then(
            (reply) => reply.text(),
            () => null,
          );
          return samplesOf(text, `process-${at}`);
        }),
      );
      return all.flat();
    },
  });
}

function mayMount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

/** The postmaster of this folder and its children. */
function processesOf(folder: string): number[] {
  const [first = ""] = readFileSync(path.join(folder, "postmaster.pid"), "utf8").split("\n");
  // Signalling process 0 would stop the test itself.
  if (!Number(first)) throw new Error(`no database runs in ${folder}`);
  const children = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/status`, "utf8").includes(`\nPPid:\t${first}\n`);
    } catch {
      return false;
    }
  });
  return [first, ...children].map(Number);
}
