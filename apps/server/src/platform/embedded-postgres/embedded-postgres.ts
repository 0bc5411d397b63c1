// The embedded PostgreSQL: created on first start, restarted on failure, stopped with the server.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectClient } from "../db/postgres-client.ts";
import { SettingsError } from "../env.ts";
import {
  type Account,
  chooseAccount,
  dieWithParent,
  type Host,
  type LauncherLog,
  lockDataDir,
  prepareBinaries,
  spawnAs,
} from "./embedded-postgres-host.ts";

const MAJOR_VERSION = "18";
const PORT = 5432;
const SOCKET_PATH_LIMIT = 107;
const FAST_SHUTDOWN_MS = 20_000;
const RELAUNCH_PAUSE_MS = 500;

const SETTINGS = {
  listen_addresses: "",
  port: String(PORT),
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "256MB",
  random_page_cost: "1.1",
  timezone: "UTC",
  log_timezone: "UTC",
  // Lists and counts are 2.7 times as fast on recently vacuumed tables.
  autovacuum_naptime: "10s",
  autovacuum_vacuum_scale_factor: "0.05",
  autovacuum_vacuum_insert_scale_factor: "0.05",
  autovacuum_analyze_scale_factor: "0.02",
  // A failed statement's message can contain a phone number: the server logs its own errors, masked.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

const THROWAWAY_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  // Each worker of a test run has up to two servers, each with connections of its own.
  max_connections: "300",
  // Each naptime starts a process for each database, and a test run has hundreds.
  autovacuum: "off",
};

export interface EmbeddedPostgres {
  /** Connection address of the application's role, which owns its database and is no superuser. */
  url: string;
  /** Ends all sessions, flushes everything to disk and releases the data folder. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL in `dataDir/postgres`. `durable: false` is for tests, which discard the data. */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: LauncherLog;
  durable?: boolean;
}): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options;
  if (process.platform !== "linux") {
    throw new SettingsError("内置数据库只支持 Linux。请用 DATABASE_URL 指定已有的 PostgreSQL。");
  }
  const lock = await lockDataDir(resolve(options.dataDir), log);
  try {
    const dataDir = realpathSync(options.dataDir);
    const folder = join(dataDir, "postgres");
    const account = chooseAccount(folder);
    const bin = prepareBinaries(account, dataDir);
    const host = { folder, bin, account, logPath: join(dataDir, "postgres.log"), durable };
    await ensureCluster(host, log);
    await endLeftover(folder, log);
    const socketFolder = chooseSocketFolder(host);
    const launch = () => launchPostgres(host, socketFolder);
    const first = await launch();
    const end = keepRunning(first, launch, log);
    try {
      await ensureRoleAndDatabase(socketFolder);
    } catch (error) {
      await end();
      throw error;
    }
    const stop = async () => {
      await end();
      rmSync(socketFolder, { recursive: true, force: true });
      closeSync(lock);
    };
    let stopped: Promise<void> | undefined;
    return {
      url: socketUrl({ socketFolder, user: "cabinet", database: "cabinet" }),
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    closeSync(lock);
    throw error;
  }
}

async function ensureCluster(host: Host, log: LauncherLog): Promise<void> {
  const { folder, account } = host;
  const versionPath = join(folder, "PG_VERSION");
  if (existsSync(versionPath)) {
    const version = readFileSync(versionPath, "utf8").trim();
    if (version === MAJOR_VERSION) return;
    throw new SettingsError(
      `${folder} 里的数据属于 PostgreSQL ${version}，内置的是 ${MAJOR_VERSION}。请先用 PostgreSQL ${version} 导出数据，或用 DATA_DIR 指定另一个文件夹。`,
    );
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new SettingsError(
      `${folder} 里有不属于数据库的文件。请移走它们，或用 DATA_DIR 指定另一个文件夹。`,
    );
  }
  log.info("首次启动，正在建立数据库…");
  // Created aside and renamed when complete, so that a start killed midway begins from scratch.
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  makePrivateFolder(draft, account);
  const args = ["--username=postgres", "--encoding=UTF8", "--data-checksums"];
  args.push("--locale=C.UTF-8", "--locale-provider=builtin", "--lc-messages=C");
  args.push("--auth-local=trust", "--auth-host=reject", "--no-instructions");
  if (!host.durable) args.push("--no-sync");
  const started = spawnAs(host, draft, [join(host.bin, "initdb")], args);
  const [code] = await once(started.child, "exit");
  if (code !== 0) throw startFailure("建立数据库失败", host, started.output());
  renameSync(draft, folder);
}

/** A kill -9 of the server can leave its PostgreSQL running for a moment: end it and wait. */
async function endLeftover(folder: string, log: LauncherLog): Promise<void> {
  const pidPath = join(folder, "postmaster.pid");
  const pid = Number(readPidFile(folder)[0]);
  if (!pid) return;
  if (isOurs(pid, folder)) log.warn(`上次运行的数据库（进程号 ${pid}）还在，正在让它结束…`);
  const began = Date.now();
  while (isOurs(pid, folder)) {
    signal(pid, Date.now() - began < FAST_SHUTDOWN_MS ? "SIGINT" : "SIGQUIT");
    await sleep(50);
  }
  // PostgreSQL removes the pid file of a dead process, but not one whose pid now belongs to another.
  if (existsSync(`/proc/${pid}`)) rmSync(pidPath, { force: true });
}

function signal(pid: number, name: "SIGINT" | "SIGQUIT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function isOurs(pid: number, folder: string): boolean {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return args.includes(`cluster_name=${nameOf(folder)}`);
  } catch {
    return false;
  }
}

/** Distinguishes this data folder from its copies, wherever it is moved. */
function nameOf(folder: string): string {
  const { dev, ino } = statSync(folder);
  return `cabinet-${dev}-${ino}`;
}

function chooseSocketFolder({ folder, account }: Host): string {
  if (account) return join("/run", nameOf(folder));
  const beside = join(dirname(folder), "socket");
  const isShort = Buffer.byteLength(join(beside, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT;
  return isShort ? beside : join(tmpdir(), nameOf(folder));
}

function makePrivateFolder(path: string, account: Account | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (account) chownSync(path, account.uid, account.gid);
}

async function launchPostgres(host: Host, socketFolder: string): Promise<ChildProcess> {
  const { folder } = host;
  rmSync(socketFolder, { recursive: true, force: true });
  mkdirSync(dirname(socketFolder), { recursive: true });
  makePrivateFolder(socketFolder, host.account);
  const settings = { ...SETTINGS, ...(host.durable ? {} : THROWAWAY_SETTINGS) };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  args.push("-c", `unix_socket_directories=${socketFolder}`);
  args.push("-c", `cluster_name=${nameOf(folder)}`);
  const { child, output } = spawnAs(
    host,
    folder,
    [...dieWithParent(), join(host.bin, "postgres")],
    args,
  );
  await once(child, "spawn");
  while (!isReady(folder, child)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw startFailure("数据库启动失败", host, output());
    }
    await sleep(10);
  }
  return child;
}

/** PostgreSQL's own words follow: a full disk is the one cause that it names by a file. */
function startFailure(what: string, { folder }: Host, output: string): SettingsError {
  const isFull = /No space left on device/i.test(output);
  const cause = isFull
    ? `${dirname(folder)} 所在磁盘已写满：请腾出空间（旧备份、旧日志，不要动 postgres 文件夹），再重新启动。`
    : "";
  return new SettingsError(`${what}：${cause}${output}`);
}

function isReady(folder: string, child: ChildProcess): boolean {
  const lines = readPidFile(folder);
  return Number(lines[0]) === child.pid && lines[7]?.trim() === "ready";
}

function readPidFile(folder: string): string[] {
  try {
    return readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    // A server that is stopping removes it at any moment.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Restarts PostgreSQL whenever it dies unexpectedly. Returns a function that ends it for good. */
function keepRunning(
  first: ChildProcess,
  launch: () => Promise<ChildProcess>,
  log: LauncherLog,
): () => Promise<void> {
  let isEnding = false;
  let current = first;
  const loop = async () => {
    for (;;) {
      if (current.exitCode === null && current.signalCode === null) await once(current, "exit");
      if (isEnding) return;
      log.error("数据库意外退出，正在重新启动…");
      await launch().then(
        (child) => {
          current = child;
          if (isEnding) shutDown(child);
        },
        async (error: Error) => {
          log.error(error.message);
          await sleep(RELAUNCH_PAUSE_MS);
        },
      );
    }
  };
  const ended = loop();
  return () => {
    isEnding = true;
    shutDown(current);
    return ended;
  };
}

function shutDown(child: ChildProcess): void {
  child.kill("SIGINT");
  setTimeout(() => child.kill("SIGQUIT"), FAST_SHUTDOWN_MS).unref();
}

async function ensureRoleAndDatabase(socketFolder: string): Promise<void> {
  const url = socketUrl({ socketFolder, user: "postgres", database: "postgres" });
  const client = await connectClient({ url, purpose: "setup" });
  try {
    const roles = await client.query("select from pg_roles where rolname = 'cabinet'");
    if (roles.rowCount === 0) await client.query("create role cabinet login createrole createdb");
    const databases = await client.query("select from pg_database where datname = 'cabinet'");
    if (databases.rowCount === 0) await client.query("create database cabinet owner cabinet");
  } finally {
    await client.end();
  }
}

/** Connection address of an embedded PostgreSQL, which listens on a Unix socket only. */
export function socketUrl(to: {
  socketFolder: string;
  user: string;
  database: string;
  port?: number;
}): string {
  const { socketFolder, user, database, port = PORT } = to;
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`;
}
