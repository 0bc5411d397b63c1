// Runs Debian's mosquitto as a child process on loopback, with the ACL of deploy/mosquitto.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../e2e/support/free-port.ts";

const PROGRAM = "/usr/sbin/mosquitto";
const rules = path.join(import.meta.dirname, "../deploy/mosquitto/cabinets.acl");
const START_MS = 5_000;

export interface Mosquitto {
  pid: number;
  /** URL for the gateway. */
  gatewayUrl: string;
  /** URL for cabinets. */
  url: string;
  stop(): Promise<void>;
}

/** Throws with installation instructions if mosquitto is missing. */
export async function startMosquitto(folder: string): Promise<Mosquitto> {
  if (!existsSync(PROGRAM)) {
    throw new Error("没有找到 mosquitto：请先运行 apt-get install mosquitto，再测 scale");
  }
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const acl = path.join(folder, "cabinets.acl");
  const config = path.join(folder, "mosquitto.conf");
  await copyFile(rules, acl);
  // Production authenticates clients by certificate; on loopback the user name is trusted.
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    `acl_file ${acl}`,
    "persistence false",
    "retain_available false",
    "max_connections -1",
    "max_packet_size 10240",
    "max_queued_messages 0",
    "set_tcp_nodelay true",
    "log_type error",
    ...(process.getuid?.() === 0 ? ["user root"] : []),
  ];
  await writeFile(config, `${lines.join("\n")}\n`);
  const child: ChildProcess = spawn(PROGRAM, ["-c", config], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  await untilOpen(port, child);
  return {
    pid: child.pid ?? 0,
    url: `mqtt://127.0.0.1:${port}`,
    gatewayUrl: `mqtt://gateway:gateway@127.0.0.1:${port}`,
    async stop() {
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
