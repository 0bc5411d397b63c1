// The real server as a child process with its own data folder and ports, optionally with the demo.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import { writeTlsFiles } from "../../tests/support/certificate.ts";
import { freePort } from "./free-port.ts";

const root = path.join(import.meta.dirname, "../..");
/** On a busy machine creating the demo takes far longer than its usual 20 s. */
const START_MS = 600_000;
/** Characters of the server's log that a failed test prints. */
export const LOG_TAIL = 4_000;

export interface Account {
  username: string;
  password: string;
  userType: UserType;
  tenantId: number;
}

export interface Server {
  origin: string;
  port: number;
  mqttPort: number;
  dataDir: string;
  /** Output printed so far. */
  output(): string;
  account(tenantId: number, userType: UserType): Account;
  process: ChildProcess;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Root of the code to run; by default this repository. */
  code?: string;
  args?: string[];
  env?: Record<string, string>;
  /** Serves HTTPS with a certificate made for it, which its own processes trust. */
  isSecure?: boolean;
  /** Kept after the stop; by default a temporary folder that is deleted on stop. */
  dataDir?: string;
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(os.tmpdir(), "storage-e2e-")));
  await mkdir(dataDir, { recursive: true });
  const tls = options.isSecure ? writeTlsFiles(dataDir) : null;
  const [port, mqttPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ["apps/server/src/main.ts", ...(options.args ?? [])], {
    cwd: options.code ?? root,
    env: {
      ...process.env,
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      ...(tls && {
        TLS_CERT_FILE: tls.certFile,
        TLS_KEY_FILE: tls.keyFile,
        NODE_EXTRA_CA_CERTS: tls.certFile,
      }),
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      // A server left behind keeps its database from being removed.
      child.kill("SIGKILL");
      reject(new Error(`no start in time:\n${output}`));
    }, START_MS);
    const look = setInterval(() => {
      if (!output.includes("按 Ctrl-C 停止")) return;
      clearInterval(look);
      clearTimeout(timer);
      resolve();
    }, 50);
    void exited.then(() => {
      clearInterval(look);
      clearTimeout(timer);
      reject(new Error(`the server ended:\n${output}`));
    });
  });
  const isDemo = options.args?.includes("--demo");
  const accounts: Account[] = isDemo
    ? JSON.parse(await readFile(path.join(dataDir, "demo-accounts.json"), "utf8"))
    : [];
  return {
    origin: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    mqttPort,
    dataDir,
    process: child,
    output: () => output,
    account(tenantId, userType) {
      const found = accounts.find(
        (account) => account.tenantId === tenantId && account.userType === userType,
      );
      if (!found) throw new Error(`no demo account of tenant ${tenantId}, userType ${userType}`);
      return found;
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
