// Base backup of the running embedded PostgreSQL: its files, then the WAL that makes them consistent.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { connectClient, LONG_ANSWER_MS } from "../platform/db/postgres-client.ts";
import {
  socketUrl,
  startEmbeddedPostgres,
} from "../platform/embedded-postgres/embedded-postgres.ts";
import type { LauncherLog } from "../platform/embedded-postgres/embedded-postgres-host.ts";
import { SettingsError } from "../platform/env.ts";
import { type Copied, copyFile, copyTree } from "./copy.ts";
import { DATABASE_FOLDER } from "./manifest.ts";

export interface OpenCluster {
  /** Connects as the database superuser. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
}

/** Connects to the running database of a data folder, or starts it for this backup only. */
export async function openCluster(dataDir: string, log: LauncherLog): Promise<OpenCluster> {
  const running = await tryRunning(dataDir);
  if (running) return { connect: running, stop: async () => {} };
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const connect = await tryRunning(dataDir);
  if (!connect) throw new Error("the database that was just started does not answer");
  return { connect, stop: postgres.stop };
}

/** Reads postmaster.pid: line 4 is the port, line 5 the socket folder. */
export function runningUrl(dataDir: string): string | null {
  const file = path.join(dataDir, DATABASE_FOLDER, "postmaster.pid");
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, "utf8").split("\n");
  return socketUrl({
    socketFolder: lines[4]?.trim() ?? "",
    port: Number(lines[3]),
    user: "postgres",
    database: "cabinet",
  });
}

async function tryRunning(dataDir: string): Promise<(() => Promise<pg.Client>) | null> {
  const url = runningUrl(dataDir);
  if (!url) return null;
  const connect = () => connectClient({ url, purpose: "backup", answerWithinMs: LONG_ANSWER_MS });
  try {
    await (await connect()).end();
    return connect;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") {
      throw new SettingsError("当前账户不能连接正在运行的数据库：请用运行服务的同一个账户备份。");
    }
    return null;
  }
}

/** Contents rebuilt at every start, which pg_basebackup skips too; pg_control is copied last. */
const LEFT_OUT =
  /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|^postmaster\.(?:pid|opts)$|^global\/pg_control$|(?:^|\/)(?:pgsql_tmp[^/]*|pg_internal\.init[^/]*|backup_label|tablespace_map)$/;

export interface BaseBackup extends Copied {
  startLsn: string;
  stopLsn: string;
}

/** Copies the database `folder` into `root/postgres`. */
export async function copyCluster(
  client: pg.Client,
  folder: string,
  root: string,
): Promise<BaseBackup> {
  // A temporary replication slot keeps the required WAL segments for as long as this session lives.
  await client.query("select pg_create_physical_replication_slot($1, true, true)", [
    `backup_${process.pid}`,
  ]);
  const [start] = (
    await client.query<{ lsn: string }>("select pg_backup_start('backup', true) as lsn")
  ).rows;
  const copied = await copyTree(folder, root, DATABASE_FOLDER, (below) => LEFT_OUT.test(below));
  copied.files.push(await copyControlFile(folder, root));
  const { rows } = await client.query<Stop>(
    `select stop.lsn, stop.labelfile as label, stop.spcmapfile as map,
      pg_walfile_name(stop.lsn) as segment
    from pg_backup_stop(wait_for_archive => false) stop`,
  );
  const stop = rows[0];
  if (!start || !stop) throw new Error("the database did not say where the backup begins and ends");
  if (stop.map)
    throw new SettingsError("数据库使用了表空间，不能用本命令备份：请用 pg_basebackup。");
  const label = path.join(DATABASE_FOLDER, "backup_label");
  await writeFile(path.join(root, label), stop.label, { mode: 0o600 });
  copied.files.push({
    path: label,
    size: Buffer.byteLength(stop.label),
    sha256: sha256(stop.label),
  });
  copied.files.push(...(await copyLog(folder, root, stop)));
  return { ...copied, startLsn: start.lsn, stopLsn: stop.lsn };
}

interface Stop {
  lsn: string;
  label: string;
  map: string;
  /** Last WAL segment that the backup needs. */
  segment: string;
}

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

/** Copies pg_control until two reads agree; its checksum is verified when the copy starts. */
async function copyControlFile(folder: string, root: string) {
  const name = "global/pg_control";
  for (;;) {
    const before = readFileSync(path.join(folder, name));
    const copied = await copyFile(path.join(folder, name), path.join(root, DATABASE_FOLDER, name));
    if (copied?.sha256 === sha256(before)) {
      return { path: path.join(DATABASE_FOLDER, name), ...copied };
    }
  }
}

const SEGMENT = /^[0-9A-F]{24}$/;

async function copyLog(folder: string, root: string, stop: Stop): Promise<Copied["files"]> {
  const first = /START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/.exec(stop.label)?.[1];
  if (!first) throw new Error(`the label of the backup names no log:\n${stop.label}`);
  const files: Copied["files"] = [];
  const names = (await readdir(path.join(folder, "pg_wal"))).filter(
    (name) => SEGMENT.test(name) && name >= first && name <= stop.segment,
  );
  for (const name of names.sort()) {
    const target = path.join(DATABASE_FOLDER, "pg_wal", name);
    const file = await copyFile(path.join(folder, "pg_wal", name), path.join(root, target));
    if (file) files.push({ path: target, ...file });
  }
  if (files.at(0)?.path.endsWith(first) && files.at(-1)?.path.endsWith(stop.segment)) return files;
  throw new Error(`the log from ${first} to ${stop.segment} is not whole`);
}
