// Simulated cabinets at a broker that demands a certificate of each cabinet.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer, type TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { lacks } from "../../../tests/support/lacks.ts";
import { NO_FAULTS } from "./faults.ts";
import { createFleet } from "./fleet.ts";
import { makeCabinets, startTestServer, until } from "./testing/test-broker.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A folder with `ca.crt`, and certificate and key of each name, signed by that authority. */
async function certify(names: string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "certificates-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const openssl = (line: string) =>
    execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "pipe" });
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  openssl(`req -x509 ${key} -keyout ca.key -out ca.crt -subj /CN=authority -days 2`);
  for (const name of names) {
    openssl(
      `req -x509 ${key} -keyout ${name}.key -out ${name}.crt -subj /CN=${name} -days 2 ` +
        "-CA ca.crt -CAkey ca.key -addext subjectAltName=IP:127.0.0.1",
    );
  }
  return folder;
}

const lacksOpenssl = lacks("模拟设备的证书", !hasOpenssl && "没有安装 openssl");

/** A broker that demands certificates of the authority in `folder`. */
async function startTlsBroker(
  folder: string,
  onSocket: (socket: TLSSocket) => void,
): Promise<string> {
  const read = (file: string) => readFile(path.join(folder, file));
  const tls = createServer(
    {
      ca: await read("ca.crt"),
      cert: await read("broker.crt"),
      key: await read("broker.key"),
      requestCert: true,
      rejectUnauthorized: true,
    },
    onSocket,
  );
  await new Promise<void>((resolve) => tls.listen(0, "127.0.0.1", resolve));
  ends.push(async () => tls.close());
  return `mqtts://127.0.0.1:${(tls.address() as AddressInfo).port}`;
}

test.skipIf(lacksOpenssl)("without --cert: the cause is the missing certificate", async () => {
  const cabinets = makeCabinets(1);
  const folder = await certify(["broker"]);
  const server = await startTestServer(cabinets);
  ends.push(() => server.close());
  const troubles: string[] = [];
  const fleet = createFleet({
    server: server.server,
    mqtt: await startTlsBroker(folder, (socket) => server.broker.handle(socket)),
    cabinets,
    journalDir: path.join(folder, "journal"),
    faults: NO_FAULTS,
    seed: 1,
    autoCloseMs: 400,
    onTrouble: (message) => troubles.push(message),
  });
  ends.push(() => fleet.stop());
  await fleet.start();
  await until("it says why it is not online", () => troubles.length > 0);
  expect(troubles.join()).toMatch(/没有证书.*--cert/);
});

test.skipIf(lacksOpenssl)("--cert: a cabinet proves itself with its own certificate", async () => {
  const cabinets = makeCabinets(2);
  const [certified] = cabinets.map(({ cabinetId }) => cabinetId) as [string, string];
  const folder = await certify(["broker", certified]);
  const server = await startTestServer(cabinets);
  ends.push(() => server.close());
  const names: string[] = [];
  const mqtt = await startTlsBroker(folder, (socket) => {
    names.push(String(socket.getPeerCertificate().subject.CN));
    server.broker.handle(socket);
  });
  const troubles: string[] = [];
  const fleet = createFleet({
    server: server.server,
    mqtt,
    certificates: folder,
    cabinets,
    journalDir: path.join(folder, "journal"),
    faults: NO_FAULTS,
    seed: 1,
    autoCloseMs: 400,
    onTrouble: (message) => troubles.push(message),
  });
  ends.push(() => fleet.stop());
  await fleet.start();
  await until("the certified one is online", () => fleet.online() === 1);
  await until("the other one says why it is not", () => troubles.length > 0);
  expect(names).toEqual([certified]);
  expect(troubles.join()).toMatch(/读不了证书.*TEST000002\.crt/);
});
