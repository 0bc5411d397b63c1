// Virus scanners for tests: a stand-in that speaks clamd's INSTREAM, and Debian's clamd with one signature.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** Anti-malware test string, in two parts: scanners would refuse this file, too. */
export const EICAR = [
  "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR",
  "STANDARD-ANTIVIRUS-TEST-FILE!$H+H*",
].join("-");

const COMMAND = "zINSTREAM\0";

export class ClamdStandIn {
  /** Contents of all streams that ended, in order. */
  readonly scanned: Buffer[] = [];
  /** Answers this before the stream ends and hangs up; empty: hangs up without a word. */
  early: string | null = null;
  readonly #server = createServer((socket) => this.#serve(socket));

  async open(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get address() {
    return { host: "127.0.0.1", port: (this.#server.address() as AddressInfo).port };
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }

  #serve(socket: Socket): void {
    let received = Buffer.alloc(0);
    socket.on("error", () => {});
    if (this.early !== null) {
      socket.resume();
      socket.end(this.early && `${this.early}\0`);
      return;
    }
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      const content = contentOf(received);
      if (!content) return;
      this.scanned.push(content);
      const verdict = content.includes(EICAR) ? "Eicar-Test FOUND" : "OK";
      socket.end(`stream: ${verdict}\0`);
    });
  }
}

/** Null until the stream has ended. */
function contentOf(received: Buffer): Buffer | null {
  if (received.toString("latin1", 0, COMMAND.length) !== COMMAND) return null;
  const chunks: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= received.length; ) {
    const size = received.readUInt32BE(at);
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return null;
}

const CLAMD = "/usr/sbin/clamd";
const START_MS = 20_000;
export const hasClamd = existsSync(CLAMD);

/** Debian's clamd on a socket of its own, whose only signature is the test string. */
export class Clamd {
  readonly path: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = path.join(folder, "clamd.sock");
    this.#process = spawn(CLAMD, ["--config-file", path.join(folder, "clamd.conf")], {
      stdio: "ignore",
    });
  }

  static async open(): Promise<Clamd> {
    const folder = await mkdtemp(path.join(os.tmpdir(), "clamd-"));
    const signature = `Eicar-Test:0:*:${Buffer.from(EICAR).toString("hex")}\n`;
    await writeFile(path.join(folder, "eicar.ndb"), signature);
    const lines = [
      ...["Foreground yes", "StreamMaxLength 64M", "MaxScanSize 64M", "MaxFileSize 64M"],
      ...[`DatabaseDirectory ${folder}`, `LocalSocket ${path.join(folder, "clamd.sock")}`],
    ];
    await writeFile(path.join(folder, "clamd.conf"), `${lines.join("\n")}\n`);
    const clamd = new Clamd(folder);
    const end = performance.now() + START_MS;
    while (!(await clamd.#answers())) {
      if (performance.now() > end) throw new Error("clamd did not start");
      await sleep(50);
    }
    return clamd;
  }

  async #answers(): Promise<boolean> {
    const socket = connect(this.path);
    const answer = text(socket).catch(() => "");
    socket.on("connect", () => socket.write("zPING\0"));
    return (await answer) === "PONG\0";
  }

  async close(): Promise<void> {
    const exit = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exit;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
