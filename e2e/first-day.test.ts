// An integrator's first day: all samples, in the order of the document, from an empty folder with only what the server publishes.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID, verify } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { WEBHOOK_EVENTS } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { OPEN_SCOPES } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { parseUp } from "@cabinet/link";
import type { OpenApiClient } from "@cabinet/open-api-client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { lacks } from "../tests/support/lacks.ts";
import { callApiAs } from "./support/api.ts";
import { storeSession } from "./support/browser.ts";
import { freePort } from "./support/free-port.ts";
import { useDemo } from "./support/test-server.ts";

/** Simulated cabinets connect slowly on a busy machine. */
const WAIT = { timeout: 60_000, interval: 200 };
const TENANTS = [1, 2];
const SN = "FIRSTDAY01";

const demo = useDemo({ env: { CALLBACK_LOOPBACK: "on" } });
let folder: string;
/** All chapters, as published. */
let guide: string;
/** One application at each tenant of the demo: the first cabinets of one take no orders. */
const applications: { id: number; name: string; env: Record<string, string> }[] = [];
const running: ChildProcess[] = [];

const has = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;
const languages = {
  Node: true,
  Shell: has("bash", "--version") && has("curl", "--version") && has("openssl", "version"),
  Python: has("python3", "--version"),
  Java: has("javac", "-version"),
};

const get = async (target: string) => {
  const response = await fetch(new URL(target, demo.server.origin));
  expect(response.status, target).toBe(200);
  return response;
};
const titlesOf = (text: string) => [...text.matchAll(/^```\w+ title=(\S+)$/gm)].map(([, it]) => it);
const published = (title: string) => path.join(folder, title);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "first-day-"));
  guide = await (await get("/sdk/integration.en.md")).text();
  for (const title of titlesOf(guide)) {
    const file = await get(`/sdk/samples/${title}`);
    await writeFile(published(title ?? ""), Buffer.from(await file.arrayBuffer()));
  }
  const client = /\]\((\/\S+\/open-api-client\.mjs)\)/.exec(guide)?.[1] ?? "";
  await writeFile(published("open-api-client.mjs"), await (await get(client)).text());
  for (const tenantId of TENANTS) applications.push(await makeApplication(tenantId));
});
afterAll(async () => {
  for (const child of running.filter(isRunning)) await stop(child);
  await rm(folder, { recursive: true, force: true });
});

/** The tenant's part: an application with all permissions, and its secret. */
async function makeApplication(tenantId: number) {
  return asOperator(tenantId, async (page) => {
    const online = { query: { connectivity: "ONLINE", lifecycle: "ACTIVE" } };
    const isOneOnline = async () =>
      (await callApiAs(page, cabinetContract.list, online)).data.total > 0;
    await vi.waitUntil(isOneOnline, WAIT);
    const name = `First day ${tenantId}`;
    const draft = { name, scopes: OPEN_SCOPES, networks: [], remark: "" };
    const { data: made } = await callApiAs(page, openAppContract.create, {
      body: { ...draft, ratePerMinute: 600, reserveSharePercent: 33, isSettling: true },
    });
    const { data } = await callApiAs(page, openAppContract.issue, {
      params: { id: made.id },
      body: { overlapHours: 1 },
    });
    const env = {
      ...{ CABINET_URL: demo.server.origin, CABINET_APP: data.app },
      ...{ CABINET_KID: data.kid, CABINET_SECRET: data.secret },
    };
    return { id: made.id, name, env };
  });
}

async function asOperator<Result>(
  tenantId: number,
  work: (page: Page) => Promise<Result>,
  userType: 0 | 1 = 1,
): Promise<Result> {
  const { context, page } = await demo.visit();
  await storeSession(page, demo.server.account(tenantId, userType));
  const result = await work(page);
  await context.close();
  return result;
}

interface Started {
  child: ChildProcess;
  output: () => string;
}

function start(command: string[], env: Record<string, string> = {}): Started {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env } });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  return { child, output: () => output };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode === null && signalCode === null;

async function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function run(command: string[], env?: Record<string, string>) {
  const { child, output } = start(command, env);
  const [code] = await once(child, "close");
  return { code, output: output() };
}

async function expectOutput({ output }: Started, text: string | RegExp): Promise<void> {
  const isThere = () => (typeof text === "string" ? output().includes(text) : text.test(output()));
  await vi.waitUntil(isThere, WAIT).catch(() => expect(output()).toMatch(text));
}

/** Registers an address of this machine for the application, then starts the receiver there. */
async function startReceiver(command: string[]): Promise<Started> {
  const [tenantId = 0] = TENANTS;
  const appId = applications[0]?.id ?? 0;
  const port = await freePort();
  const secret = await asOperator(tenantId, async (page) => {
    const types = WEBHOOK_EVENTS.filter((type) => type.startsWith("order."));
    const url = `http://127.0.0.1:${port}/${randomUUID()}`;
    const body = { name: url.slice(-30), url, types, appId };
    const { data } = await callApiAs(page, webhookContract.create, { body });
    return data.secret;
  });
  const receiver = start(command, { PORT: String(port), CALLBACK_SECRET: secret });
  // A delivery that it is too late for is repeated a minute later.
  await vi.waitUntil(() => isListening(port), WAIT);
  return receiver;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

const appEnv = () => applications[0]?.env ?? {};

async function openClient(): Promise<OpenApiClient> {
  const { OpenApiClient: Client } = await import(
    pathToFileURL(published("open-api-client.mjs")).href
  );
  const { CABINET_URL, CABINET_APP, CABINET_KID, CABINET_SECRET } = appEnv();
  const [origin, app, kid, secret] = [CABINET_URL, CABINET_APP, CABINET_KID, CABINET_SECRET];
  return new Client({ origin, app, kid, secret });
}

/** Runs the sample at each tenant. */
async function runForEach(command: string[], expected: (name: string) => RegExp) {
  for (const { name, env } of applications) {
    const { code, output } = await run(command, env);
    expect(code, output).toBe(0);
    expect(output).toMatch(expected(name));
  }
}

const RUN_JAVA = `public class Run {
  public static void main(String[] args) throws Exception {
    var signer = new CabinetSigner(System.getenv("CABINET_APP"), System.getenv("CABINET_KID"), System.getenv("CABINET_SECRET"));
    String host = java.net.URI.create(System.getenv("CABINET_URL")).getAuthority();
    System.out.print(signer.authorization("GET", host, "/open/v1/app", "", "", new byte[0]));
  }
}`;

interface Step {
  title: string;
  language: keyof typeof languages;
  work: () => Promise<void>;
}

/** In the order of the document. */
const steps: Step[] = [
  {
    title: "whoami.sh",
    language: "Shell",
    work: async () => {
      const { code, output } = await run(["bash", "whoami.sh"], appEnv());
      expect(code, output).toBe(0);
      const app = appEnv().CABINET_APP;
      expect(JSON.parse(output)).toMatchObject({ code: 0, data: { app, name: "First day 1" } });
      const forged = { ...appEnv(), CABINET_SECRET: "cabsk_wrong" };
      const wrong = await run(["bash", "whoami.sh"], forged);
      expect(wrong.code).not.toBe(0);
      expect(wrong.output).toContain("PARTNER_UNPROVEN");
    },
  },
  {
    title: "cabinet_open.py",
    language: "Python",
    work: () =>
      runForEach(
        ["python3", "cabinet_open.py"],
        (name) => new RegExp(`^${name}\nPENDING \\d+\nTrue\nCANCELLED\n$`),
      ),
  },
  {
    title: "CabinetSigner.java",
    language: "Java",
    work: async () => {
      await writeFile(published("Run.java"), RUN_JAVA);
      const compiled = await run(["javac", "CabinetSigner.java", "Run.java"]);
      expect(compiled.code, compiled.output).toBe(0);
      const { output } = await run(["java", "-XX:TieredStopAtLevel=1", "Run"], appEnv());
      const response = await fetch(new URL("/open/v1/app", demo.server.origin), {
        headers: { authorization: output },
      });
      expect(response.status, await response.text()).toBe(200);
    },
  },
  {
    title: "order.mjs",
    language: "Node",
    work: () =>
      runForEach(
        [process.execPath, "order.mjs"],
        (name) => new RegExp(`^${name}\nPENDING \\d+\n409 ORDER_NO_TAKEN\nCANCELLED\n$`),
      ),
  },
  ...(
    [
      ["receiver.mjs", "Node", process.execPath],
      ["receiver.py", "Python", "python3"],
    ] as const
  ).map(
    ([title, language, program]): Step => ({
      title,
      language,
      work: async () => {
        const receiver = await startReceiver([program, title]);
        const { output } = await run([process.execPath, "order.mjs"], appEnv());
        await expectOutput(receiver, /^order\.created \d+$/m);
        await expectOutput(receiver, /^order\.cancelled \d+$/m).catch((error) => {
          throw new Error(`${output}\n${error}`);
        });
        await stop(receiver.child);
      },
    }),
  ),
  {
    title: "sign-firmware.sh",
    language: "Shell",
    work: async () => {
      await writeFile(published("firmware.bin"), "a firmware image");
      const { code, output } = await run(["bash", "sign-firmware.sh"]);
      expect(code, output).toBe(0);
      const key = await readFile(published("maker.pub.pem"));
      const digest = await readFile(published("digest"));
      // openssl says which algorithm it generates on a line before the signature.
      const signature = output.trim().split("\n").at(-1) ?? "";
      expect(verify(null, digest, key, Buffer.from(signature, "base64url"))).toBe(true);
    },
  },
  { title: "cabinet.py", language: "Python", work: runCabinet },
  {
    title: "state-one-compartment.json",
    language: "Node",
    work: async () => {
      const state = JSON.parse(await readFile(published("state-one-compartment.json"), "utf8"));
      expect(parseUp("state", state)).toMatchObject({ ok: true });
    },
  },
];

/** The platform's and the tenant's part: register a device, assign it, give it a store. */
async function makeActivationCode(): Promise<string> {
  const [tenantId = 0] = TENANTS;
  const code = await asOperator(
    1,
    async (page) => {
      const { data: models } = await callApiAs(page, cabinetModelContract.options, {});
      const modelId = models.find(({ side }) => side === "SINGLE")?.id;
      const added = await callApiAs(page, deviceStockContract.add, { body: { sn: SN, modelId } });
      const query = { keyword: SN };
      const { data } = await callApiAs(page, deviceStockContract.list, { query });
      const stockIds = data.list.map(({ id }) => id);
      await callApiAs(page, deviceStockContract.assign, { body: { stockIds, tenantId } });
      return added.data.activationCode;
    },
    0,
  );
  await asOperator(tenantId, async (page) => {
    const { data: stores } = await callApiAs(page, storeContract.options, {});
    const { data } = await callApiAs(page, cabinetContract.list, { query: { keyword: SN } });
    const cabinetIds = data.list.map(({ id }) => id);
    const body = { cabinetIds, storeId: stores[0]?.id };
    await callApiAs(page, cabinetContract.assignStore, { body });
  });
  return code;
}

/** Connect, hello, state, open: and an order of a third party from the deposit to the pickup. */
async function runCabinet(): Promise<void> {
  const receiver = await startReceiver([process.execPath, "receiver.mjs"]);
  const env = { CABINET_URL: demo.server.origin, CABINET_SN: SN };
  const code = (await makeActivationCode()).toLowerCase();
  const first = start(["python3", "cabinet.py"], { ...env, CABINET_CODE: code });
  await expectOutput(first, "activated");
  await expectOutput(first, /^session \d+$/m);

  const client = await openClient();
  const isReady = async () => (await client.cabinet(SN)).refusal === null;
  await vi.waitUntil(isReady, WAIT).catch(async () => {
    expect(await client.cabinet(SN), first.output()).toMatchObject({ refusal: null });
  });
  const { sizes } = await client.cabinet(SN);
  const size = sizes.find(({ free }) => free > 0)?.size;
  if (!size) throw new Error("no free compartment");
  const order = await client.createOrder({
    ...{ thirdPartyNo: `DAY-${randomUUID()}`, cabinetSn: SN, size },
    recipientPhone: "13812345678",
  });
  const open = async (purpose: "DEPOSIT" | "PICKUP", state: string) => {
    const { id } = await client.openDoor(order.id, purpose);
    await vi.waitUntil(async () => (await client.opening(id)).isSettled, WAIT);
    expect(await client.opening(id), first.output()).toMatchObject({ state: "CONFIRMED" });
    const isThere = async () => (await client.order(order.id)).state === state;
    await vi.waitUntil(isThere, WAIT);
  };
  await open("DEPOSIT", "STORED");

  // Power is lost with the goods inside: no code is needed again.
  await stop(first.child, "SIGKILL");
  const second = start(["python3", "cabinet.py"], env);
  await expectOutput(second, /^session \d+$/m);
  expect(second.output()).not.toContain("activated");
  await vi.waitUntil(isReady, WAIT);
  await open("PICKUP", "COMPLETED");
  for (const type of ["created", "depositing", "stored", "picking", "completed"]) {
    await expectOutput(receiver, `order.${type} ${order.id}`);
  }
  await stop(second.child);
  await stop(receiver.child);
}

describe("first day", () => {
  test("document: the samples are these, in this order, in both languages", async () => {
    const titles = steps.map(({ title }) => title);
    expect(titlesOf(guide)).toEqual(titles);
    expect(titlesOf(await (await get("/sdk/integration.zh.md")).text())).toEqual(titles);
    for (const title of titles) {
      const code = guide.split(` title=${title}\n`)[1]?.split(/^```$/m)[0];
      expect(await readFile(published(title), "utf8"), title).toBe(code);
    }
  });

  test("document: every link of it leads to a page or a file", async () => {
    const links = [...guide.matchAll(/\]\((\/[^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(15);
    for (const link of new Set(links)) {
      const type = (await get(link)).headers.get("content-type");
      if (!link.startsWith("/doc/")) expect(type, link).not.toContain("text/html");
    }
    const answer = await get("/api/openapi/partner.json?lang=en");
    expect(await answer.json()).toMatchObject({ info: { title: "Smart Storage: open API" } });
  });

  for (const { title, language, work } of steps) {
    const missing = !languages[language] && `没有安装 ${language}`;
    test.skipIf(lacks(`接入第一天的 ${language}`, missing))(title, work);
  }
});
