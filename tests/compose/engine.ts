// Docker Engine of its own for a test, in a network namespace of its own: its ports, networks and rules touch nothing else.
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const PROGRAMS = [
  "dockerd",
  "docker",
  "docker-compose",
  "debootstrap",
  "nsenter",
  "ip",
  "iptables",
  "curl",
  "openssl",
];
const START_MS = 60_000;
const STOP_MS = 60_000;

/** A sentence if an engine cannot be started here: why its tests are skipped. */
export function missingForEngine(): string | null {
  if (process.getuid?.() !== 0) return "当前账户不是 root";
  const missing = PROGRAMS.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status);
  return missing.length > 0 ? `没有安装 ${missing.join("、")}` : null;
}

export class Engine {
  readonly socket: string;
  readonly #name: string;
  readonly #folder: string;
  #daemon: ChildProcess | undefined;

  /** `name`: of the network namespace, unique on this machine. */
  constructor(name: string, folder: string) {
    this.#name = name;
    this.#folder = folder;
    this.socket = `unix://${folder}/docker.sock`;
  }

  /** The command in the engine's network, outside of its containers. */
  inNetwork(...command: string[]): [string, string[]] {
    return ["nsenter", [`--net=/run/netns/${this.#name}`, ...command]];
  }

  docker(...args: string[]): Promise<string> {
    return promisify(execFile)("docker", [`--host=${this.socket}`, ...args]).then(
      ({ stdout }) => stdout,
    );
  }

  async start(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    await promisify(execFile)("ip", ["netns", "add", this.#name]);
    await promisify(execFile)(...this.inNetwork("ip", "link", "set", "lo", "up"));
    const [command, args] = this.inNetwork(
      ...["dockerd", `--host=${this.socket}`, `--data-root=${this.#folder}/root`],
      ...[`--exec-root=${this.#folder}/exec`, `--pidfile=${this.#folder}/pid`, "--log-level=error"],
    );
    // Ends with the test, also with one that is killed.
    this.#daemon = spawn("setpriv", ["--pdeathsig=TERM", command, ...args], { stdio: "ignore" });
    for (const end = Date.now() + START_MS; ; await sleep(200)) {
      const { status } = spawnSync("docker", [`--host=${this.socket}`, "info"]);
      if (status === 0) return;
      if (Date.now() > end) throw new Error("the engine did not start");
    }
  }

  async stop(): Promise<void> {
    const daemon = this.#daemon;
    if (daemon && daemon.exitCode === null) {
      const ended = once(daemon, "exit");
      daemon.kill("SIGTERM");
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    }
    spawnSync("ip", ["netns", "del", this.#name]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Debian with these packages as an image; its files are kept in `cache` for the next run. */
export async function importDebian(
  engine: Engine,
  { image, packages, cache }: { image: string; packages: string[]; cache: string },
): Promise<void> {
  const tar = path.join(cache, `debian-${packages.join("-")}.tar`);
  if (!existsSync(tar)) {
    const root = `${tar}.root`;
    rmSync(root, { recursive: true, force: true });
    const include = `--include=${packages.join(",")}`;
    await promisify(execFile)("debootstrap", ["--variant=minbase", include, "bookworm", root], {
      maxBuffer: 64 * 1_048_576,
    });
    await promisify(execFile)("tar", ["--create", `--file=${tar}.new`, `--directory=${root}`, "."]);
    rmSync(root, { recursive: true });
    await promisify(execFile)("mv", [`${tar}.new`, tar]);
  }
  await engine.docker("import", tar, image);
}
