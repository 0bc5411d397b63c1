// Command line of the simulator: help, usage errors, kill -9, single instance, quick stop.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  deriveKeys,
  newCabinetSecret,
  SIMULATED_CABINETS_FILE,
  type SimulatedCabinets,
} from "@cabinet/link";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseFaults } from "./faults.ts";
import { makeCabinets, startTestServer, until } from "./testing/test-broker.ts";
import type { Issued } from "./testing/test-gateway.ts";

const MAIN = path.join(import.meta.dirname, "main.ts");
const children: ChildProcess[] = [];
let dataDir = "";

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "simulate-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

const simulate = (...args: string[]) => run(args, { npm_lifecycle_event: "simulate" });

function run(args: string[], others: NodeJS.ProcessEnv) {
  const env = { ...process.env, DATA_DIR: dataDir, ...others };
  const child = spawn(process.execPath, [MAIN, ...args], { env });
  children.push(child);
  let said = "";
  child.stdout.on("data", (bytes) => {
    said += bytes;
  });
  child.stderr.on("data", (bytes) => {
    said += bytes;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, ended, said: () => said };
}

test("simulate --help: explains every option in Chinese", async () => {
  const { ended, said } = simulate("--help");
  expect(await ended).toBe(0);
  for (const option of ["--cabinets", "--credentials", "--journal", "--faults", "--seed"]) {
    expect(said()).toContain(option);
  }
});

test("simulate in a release: names the release's own commands", async () => {
  const { ended, said } = run(["--help"], { npm_lifecycle_event: undefined });
  await ended;
  expect(said()).toContain("./storage simulate [选项]");
  expect(said()).not.toContain("npm");
});

test.each([
  [[], "请先运行 npm start -- --demo"],
  [["--cabinets", "0"], "--cabinets 的值“0”不对"],
  [["--faults", "fire=1"], "不认识的故障“fire”"],
  [["--faults", "drop=2"], "故障 drop 的值“2”不对"],
  [["--server", "127.0.0.1:8080"], "--server 的值“127.0.0.1:8080”不是地址"],
  [["--colour"], "看不懂选项 --colour"],
])("simulate %j: reports the usage error", async (args, sentence) => {
  const { ended, said } = simulate(...args);
  expect(await ended).toBe(2);
  expect(said()).toContain(sentence);
  expect(said().trim().split("\n")).toHaveLength(1);
});

test("parseFaults: reads every fault", () => {
  const line = { drop: 0.1, silence: 0.02, delay: 500, duplicate: 0.2, jam: 0.05, reboot: 0.01 };
  const plan = { ...line, badFile: 0.5, slowFile: 1, badInstall: 0.2, bootLoop: 0.3 };
  const written =
    "drop=0.1,silence=0.02,delay=500,duplicate=0.2,jam=0.05,reboot=0.01,badFile=0.5,slowFile=1,badInstall=0.2,bootLoop=0.3";
  expect(parseFaults(written)).toEqual(plan);
});

test("simulate: opens once despite kill -9, starts again, ends within 2 s on SIGTERM", async () => {
  const cabinets = makeCabinets(2);
  const server = await startTestServer(cabinets);
  const { gateway, mqtt } = server;
  const credentials: SimulatedCabinets = { server: server.server, mqtt, cabinets };
  const file = path.join(dataDir, SIMULATED_CABINETS_FILE);
  await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
  const id = cabinets[0]?.cabinetId ?? "";
  const issued: Issued[] = [];
  for (let round = 0; round < 4; round++) {
    const births = gateway.births.length;
    const { child, ended } = simulate("--auto-close", "100");
    await until("online", () => gateway.births.length >= births + 2);
    for (const earlier of issued) gateway.send(earlier);
    const command = gateway.open(id, 1 + round);
    issued.push(command);
    await new Promise((resolve) => setTimeout(resolve, round * 4));
    child.kill("SIGKILL");
    await ended;
  }
  const { child, ended, said } = simulate();
  await until("online", () => gateway.births.filter(({ bootNo }) => bootNo === 5).length >= 2);
  for (const earlier of issued) gateway.send(earlier);
  await until("answers", () => issued.every((each) => gateway.stagesOf(each).length > 0));
  const second = simulate();
  expect(await second.ended).toBe(2);
  expect(second.said()).toContain("已经在运行");
  const began = Date.now();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(Date.now() - began).toBeLessThan(2_000);
  expect(said()).toContain("已全部下线");
  for (const { cmdId } of issued) {
    const acks = gateway.acks.get(cmdId) ?? [];
    const pulsedIn = new Set(acks.filter((ack) => ack.stage === "ACKED").map((ack) => ack.bootNo));
    expect(pulsedIn.size).toBeLessThanOrEqual(1);
    const opened = gateway.events.filter((event) => event.cmdId === cmdId);
    expect(opened.length).toBeLessThanOrEqual(1);
  }
  await server.close();
});

test("credentials file: a rotated secret is applied without a restart", async () => {
  const [first, second] = makeCabinets(2);
  if (!first || !second) throw new Error("no cabinets");
  const server = await startTestServer([first, second]);
  const file = path.join(dataDir, SIMULATED_CABINETS_FILE);
  const write = (cabinets: SimulatedCabinets["cabinets"]) =>
    writeFile(file, JSON.stringify({ server: server.server, mqtt: server.mqtt, cabinets }));
  await write([first, second]);
  const { child, said } = simulate();
  await until("online", () => said().includes("在线 2/2"));
  await writeFile(file, "{");
  await until("the complaint", () => said().includes("仍用原来的密钥"));
  expect(said()).not.toContain("换用新密钥");
  const rotated = { ...second, kid: "k2", secret: newCabinetSecret() };
  const { gateway } = server;
  Object.assign(gateway.known(second.cabinetId).keys, deriveKeys(rotated.secret));
  await write([first, rotated]);
  child.kill("SIGHUP");
  await until("the new secret", () => gateway.births.length === 3);
  expect(said()).toContain(`换用新密钥 1 台：${second.cabinetId}`);
  expect(gateway.hasSession(first.cabinetId)).toBe(true);
  expect(gateway.hasSession(second.cabinetId)).toBe(true);
  await server.close();
});
