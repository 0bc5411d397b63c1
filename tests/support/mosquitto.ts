// Debian's mosquitto as a child process on loopback.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const deployed = path.join(import.meta.dirname, "../../deploy/mosquitto");
const START_MS = 20_000;
/** Debian installs it where only root's PATH leads. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const hasMosquitto = spawnSync("mosquitto", ["-h"], { env }).error === undefined;

export interface Mosquitto {
  pid: number;
  stop(): Promise<void>;
}

/** Starts it with this configuration; resolves when it accepts connections at `port`. */
export async function startMosquitto(
  folder: string,
  { config, port }: { config: string; port: number },
): Promise<Mosquitto> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, "mosquitto.conf");
  const user = process.getuid?.() === 0 ? "user root\n" : "";
  await writeFile(file, `${config}\nlog_type error\n${user}`);
  const child = spawn("mosquitto", ["-c", file], { env, stdio: ["ignore", "inherit", "inherit"] });
  await untilOpen(port, child);
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end && child.exitCode === null) {
    const socket = net.connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error("mosquitto did not start");
}

/**
 * A configuration of deploy/mosquitto with other addresses and files. Cabinets show no certificate: on loopback their
 * user name is trusted.
 */
export function configOf(name: string, changes: Record<string, string>): string {
  let text = readFileSync(path.join(deployed, name), "utf8").replace(
    /^cafile .*\n.*\n.*\n.*\nuse_identity_as_username true$/m,
    "allow_anonymous true",
  );
  const all = { "/etc/mosquitto/cabinets.acl": path.join(deployed, "cabinets.acl"), ...changes };
  for (const [from, to] of Object.entries(all)) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Writes passwords of users of a broker. */
export function writePasswords(file: string, users: Record<string, string>): void {
  writeFileSync(file, "");
  for (const [user, password] of Object.entries(users)) {
    spawnSync("mosquitto_passwd", ["-b", file, user, password], { env });
  }
}
