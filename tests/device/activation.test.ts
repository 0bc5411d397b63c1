// Device activation end to end: one code, one claim, one secret; lost answers, races, guessing,
// kills.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { activationContract } from "@cabinet/contract/equipment/device-stock/activation.contract.ts";
import { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  deriveKeys,
  makeConnectPassword,
  newActivationClaim,
  newActivationCode,
  parseActivationReply,
  type SimulatedCabinet,
} from "@cabinet/link";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { Person } from "../support/test-server.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import { connectRaw } from "./raw-cabinet.ts";

const fleet = useDeviceFleet();
let staff: Person;
let tenant: { id: number; people: Record<0 | 1 | 2, Person> };
let modelId: number;

beforeAll(async () => {
  await fleet.startGateway();
  staff = (await fleet.testServer.makeTenant(1)).people[0];
  tenant = await fleet.testServer.makeTenant();
  const layout = [1, 2].map((no) => {
    return { no, size: "S", column: 1, row: no, rowSpan: 1, boardAddress: `01-0${no}` };
  });
  ({ id: modelId } = await run((db) =>
    db.one<{ id: number }>(sql`
      insert into cabinet_model (name, side, layout)
      values ('激活柜 2 格', 'DOUBLE', ${JSON.stringify(layout)}) returning id`),
  ));
});
// Each test counts its failed attempts from zero.
beforeEach(() => run((db) => db.run(sql`delete from sign_in_throttle`)));

type Work = Parameters<typeof fleet.testServer.database.transaction>[1];
function run<Result>(work: (db: Parameters<Work>[0]) => Promise<Result>): Promise<Result> {
  return fleet.testServer.database.transaction("platform", work);
}

interface Device {
  id: number;
  sn: string;
  code: string;
}

async function stock(isAssigned = true): Promise<Device> {
  const { call } = fleet.testServer;
  const sn = `ACT${randomUUID().replaceAll("-", "").slice(0, 12).toUpperCase()}`;
  const added = await call(deviceStockContract.add, staff, { body: { sn, modelId } });
  const id = (await look(sn)).id;
  if (isAssigned) {
    const body = { stockIds: [id], tenantId: tenant.id };
    expect(await call(deviceStockContract.assign, staff, { body })).toMatchObject({ code: 0 });
  }
  return { id, sn, code: added.data.activationCode };
}

async function look(sn: string) {
  const query = { keyword: sn };
  const { data } = await fleet.testServer.call(deviceStockContract.list, staff, { query });
  const [device] = data.list;
  if (!device) throw new Error(`no device ${sn}`);
  return device;
}

const renew = (id: number) =>
  fleet.testServer.call(deviceStockContract.renewCodes, staff, {
    body: { stockIds: [id], reason: "更换主板" },
  });

function activate(sn: string, code: string, claim: string, address = "198.51.100.7") {
  return fleet.testServer.call(activationContract.activate, null, {
    body: { sn, code, claim },
    headers: { "x-forwarded-for": address },
  });
}

/** Connects to the broker with the credentials of an activation, as a cabinet does. */
async function signIn(sn: string, { kid, secret }: { kid: string; secret: string }) {
  const nonce = await fleet.nonce();
  const password = makeConnectPassword({ cabinetId: sn, kid, nonce, keys: deriveKeys(secret) });
  const client = await connectRaw(fleet.mqttPort, { clientId: sn, username: sn, password });
  client.end(true);
}

const refused = { status: 403, code: 1, data: null };

describe("activation code", () => {
  it("valid code: returns a working secret, the broker's address and the doors", async () => {
    const { sn, code } = await stock();
    const typed = code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    const reply = await activate(sn, typed, newActivationClaim());
    expect(reply).toMatchObject({
      status: 200,
      data: {
        mqtt: "mqtt://localhost:1883",
        side: "DOUBLE",
        compartments: [
          { no: 1, boardAddress: "01-01" },
          { no: 2, boardAddress: "01-02" },
        ],
      },
    });
    expect(parseActivationReply(reply.data)).toEqual(reply.data);
    expect(Math.abs(reply.data.serverTime - Date.now())).toBeLessThan(5_000);
    expect(await look(sn)).toMatchObject({ state: "ACTIVATED", codeState: "CLAIMED" });
    await signIn(sn, reply.data);
    expect(await look(sn)).toMatchObject({ codeState: "USED" });
  });

  it("repeated by the same claim: the unused secret is replaced", async () => {
    const { sn, code } = await stock();
    const claim = newActivationClaim();
    const first = await activate(sn, code, claim);
    const second = await activate(sn, code, claim);
    expect(second.data.kid).not.toBe(first.data.kid);
    await expect(signIn(sn, first.data)).rejects.toThrow();
    await signIn(sn, second.data);
  });

  it("bound to a claim: refused for every other claim", async () => {
    const { sn, code } = await stock();
    const claim = newActivationClaim();
    const mine = await activate(sn, code, claim);
    expect(await activate(sn, code, newActivationClaim())).toMatchObject(refused);
    await signIn(sn, mine.data);
  });

  it("four devices at once: exactly one gets a secret", async () => {
    for (let round = 0; round < 5; round++) {
      const { sn, code } = await stock();
      const claims = Array.from({ length: 4 }, newActivationClaim);
      const replies = await Promise.all(
        claims.map((claim, nth) => activate(sn, code, claim, `203.0.113.${nth + 1}`)),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const secrets = await run((db) =>
        db.many(sql`select kid from cabinet_secret secret
          join cabinet on cabinet.tenant_id = secret.tenant_id and cabinet.id = secret.cabinet_id
          where cabinet.sn = ${sn}`),
      );
      expect(secrets).toHaveLength(1);
    }
  });

  it("first connection: uses the code up, also for its own claim", async () => {
    const { sn, code } = await stock();
    const claim = newActivationClaim();
    const given = await activate(sn, code, claim);
    await signIn(sn, given.data);
    expect(await activate(sn, code, claim)).toMatchObject(refused);
    await signIn(sn, given.data);
  });

  it("repeated while the cabinet signs in: one valid secret remains, and it works", async () => {
    for (let round = 0; round < 8; round++) {
      const { sn, code } = await stock();
      const claim = newActivationClaim();
      const first = await activate(sn, code, claim);
      const [signedIn, again] = await Promise.all([
        signIn(sn, first.data).then(
          () => true,
          () => false,
        ),
        activate(sn, code, claim),
      ]);
      const { issuedBut } = await run((db) =>
        db.one<{ issuedBut: number }>(sql`
          select count(*)::int as issued_but from cabinet_secret secret
          join cabinet on cabinet.tenant_id = secret.tenant_id and cabinet.id = secret.cabinet_id
          where cabinet.sn = ${sn} and (secret.expires_at is null or secret.expires_at > now())`),
      );
      expect(issuedBut).toBe(1);
      const good = again.status === 200 ? again.data : first.data;
      if (again.status !== 200) expect(signedIn).toBe(true);
      // The gateway learns of the new secret only after the answer; a real cabinet retries, too.
      await until("signed in", async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return signIn(sn, good).then(
          () => true,
          () => false,
        );
      });
    }
  });

  it("expired, replaced or unassigned code: same refusal as for a wrong one", async () => {
    const [expired, replaced, unassigned, right] = [
      await stock(),
      await stock(),
      await stock(false),
      await stock(),
    ];
    await run((db) =>
      db.run(sql`
        update device_stock set code_expires_at = now() - interval '1 second'
        where id = ${expired.id}`),
    );
    await renew(replaced.id);
    const claim = newActivationClaim();
    const answers = [
      await activate(expired.sn, expired.code, claim, "192.0.2.1"),
      await activate(replaced.sn, replaced.code, claim, "192.0.2.2"),
      await activate(unassigned.sn, unassigned.code, claim, "192.0.2.3"),
      await activate(right.sn, newActivationCode(), claim, "192.0.2.4"),
      await activate(right.sn, "no code", claim, "192.0.2.5"),
      await activate(`NOBODY${randomUUID().slice(0, 8).toUpperCase()}`, right.code, claim),
    ].map(({ status, code, data, errMsg }) => ({ status, code, data, errMsg }));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject(refused);
    const { data } = await fleet.testServer.call(deviceStockContract.history, staff, {
      params: { id: expired.id },
    });
    expect(data[0]).toMatchObject({
      kind: "ACTIVATION_REFUSED",
      detail: "激活码已过期（来自 192.0.2.1）",
    });
    expect(JSON.stringify(data)).not.toContain(expired.code);
  });

  it("malformed: 400, which firmware goes by, and no failure that counts", async () => {
    const { sn, code } = await stock();
    const claim = newActivationClaim();
    const url = new URL("/device/v1/activate", fleet.origin);
    const bodies = [
      JSON.stringify({ sn }),
      JSON.stringify({ sn, code, claim: "short" }),
      JSON.stringify({ sn: "?", code, claim }),
      `{"sn":"${sn}","co`,
      "",
      "[]",
    ];
    for (const body of bodies) {
      const headers = { "content-type": "application/json", "x-forwarded-for": "192.0.2.9" };
      const reply = await fetch(url, { method: "POST", headers, body });
      expect({ body, status: reply.status, answer: await reply.json() }).toMatchObject({
        ...{ body, status: 400 },
        answer: { code: 1, data: null, errCode: "VALIDATION" },
      });
    }
    expect(await activate(sn, code, claim, "192.0.2.9")).toMatchObject({ status: 200 });
  });

  it.each([
    ["text", { "content-type": "text/plain" }, "sn"],
    ["form", { "content-type": "application/x-www-form-urlencoded" }, "sn=1&code=2"],
    ["no type", {}, new Uint8Array([123, 125])],
    ["XML", { "content-type": "application/xml" }, "<sn/>"],
    ["unknown charset", { "content-type": "application/json; charset=utf-99" }, "{}"],
    ["packed", { "content-type": "application/json", "content-encoding": "gzip" }, "{}"],
    ["too long", { "content-type": "application/json" }, `"${"x".repeat(3_000_000)}"`],
    [
      "NUL",
      { "content-type": "application/json" },
      '{"sn":"\\u0000","code":"\\u0000","claim":"\\u0000"}',
    ],
    ["prototype", { "content-type": "application/json" }, '{"__proto__":{"sn":"1"}}'],
  ] as const)("body that firmware got wrong (%s): a 4xx", async (_, headers, body) => {
    const url = new URL("/device/v1/activate", fleet.origin);
    const reply = await fetch(url, { method: "POST", headers, body });
    const answer = await reply.text();
    expect(reply.status, answer).toBeGreaterThanOrEqual(400);
    expect(reply.status, answer).toBeLessThan(500);
  });

  it("renewed code: revokes the secret that the old code issued and nobody used", async () => {
    const { id, sn, code } = await stock();
    const stranger = await activate(sn, code, newActivationClaim());
    const fresh = (await renew(id)).data[0];
    await expect(signIn(sn, stranger.data)).rejects.toThrow();
    const mine = await activate(sn, fresh?.activationCode ?? "", newActivationClaim());
    expect(mine).toMatchObject({ status: 200 });
    await signIn(sn, mine.data);
  });

  it("renewed code of a cabinet in service: the old secret ends when the new one is first used", async () => {
    const { id, sn, code } = await stock();
    const old = await activate(sn, code, newActivationClaim());
    await signIn(sn, old.data);
    const fresh = (await renew(id)).data[0];
    await signIn(sn, old.data);
    const mine = await activate(sn, fresh?.activationCode ?? "", newActivationClaim());
    await signIn(sn, mine.data);
    await expect(signIn(sn, old.data)).rejects.toThrow();
  });
});

describe("guessing activation codes", () => {
  it("one network: blocked for longer and longer, even with the right code", async () => {
    const { sn, code } = await stock();
    const statuses: number[] = [];
    for (let nth = 1; nth <= 8; nth++) {
      const guess = await activate(sn, newActivationCode(), newActivationClaim(), "10.9.8.1");
      statuses.push(guess.status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    expect((await activate(sn, code, newActivationClaim(), "10.9.8.1")).status).toBe(429);
    const end = () =>
      run((db) =>
        db.run(sql`update sign_in_throttle set blocked_until = now() where key like 'activation%'`),
      );
    await end();
    const again = await activate(sn, newActivationCode(), newActivationClaim(), "10.9.8.1");
    expect(again.status).toBe(403);
    const held = await activate(sn, code, newActivationClaim(), "10.9.8.1");
    expect(held.errMsg).toMatch(/请 (5\d|60) 秒后再试/);
    await end();
    expect(await activate(sn, code, newActivationClaim(), "10.9.8.1")).toMatchObject({ code: 0 });
  });

  it("N2: guesses from many networks do not hold up the installation of the device", async () => {
    const { sn, code } = await stock();
    for (let nth = 1; nth <= 12; nth++) {
      await activate(sn, newActivationCode(), newActivationClaim(), `10.9.7.${nth}`);
    }
    expect(await activate(sn, code, newActivationClaim(), "10.9.8.98")).toMatchObject({ code: 0 });
  });

  it("one address: blocked for every device, known or not", async () => {
    const { sn, code } = await stock();
    for (let nth = 0; nth < 5; nth++) {
      const name = `GUESS${randomUUID().slice(0, 8).toUpperCase()}`;
      const guess = await activate(name, newActivationCode(), newActivationClaim(), "10.1.1.1");
      expect(guess.status).toBe(403);
    }
    const claim = newActivationClaim();
    expect((await activate(sn, code, claim, "10.1.1.1")).status).toBe(429);
    expect((await activate(sn, code, claim, "10.1.1.2")).status).toBe(200);
  });

  it("neither code nor secret is stored in clear text anywhere", async () => {
    const { sn, code } = await stock();
    const { data } = await activate(sn, code, newActivationClaim());
    const [found] = await run((db) =>
      db.many<{ everything: string }>(sql`
        select (select string_agg(audit::text, '') from audit_log audit)
          || (select string_agg(stock_event::text, '') from device_stock_event stock_event)
          || (select string_agg(stock::text, '') from device_stock stock)
          || (select string_agg(secret::text, '') from cabinet_secret secret)
          || coalesce((select string_agg(sign_in_throttle::text, '') from sign_in_throttle),
            '') as everything`),
    );
    for (const word of [code, code.replaceAll("-", ""), data.secret]) {
      expect(found?.everything.includes(word)).toBe(false);
    }
    expect(found?.everything).toContain(`设备 ${sn}`);
  });
});

/** Starts a process per cabinet, which takes long on a busy machine. */
describe("simulated cabinet", () => {
  let dataDir: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), "activate-"));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  });

  function simulate(server: string, ...activations: string[]) {
    const main = path.join(import.meta.dirname, "../../apps/simulator/src/main.ts");
    const words = activations.flatMap((word) => ["--activate", word]);
    const mqtt = `mqtt://127.0.0.1:${fleet.mqttPort}`;
    const child = spawn(process.execPath, [main, "--server", server, "--mqtt", mqtt, ...words], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    children.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (bytes: Buffer) => {
        output += bytes.toString();
      });
    }
    return { child, ended: once(child, "exit"), output: () => output };
  }

  const START_MS = 40_000;
  const isOnline = async (sn: string) => (await look(sn)).connectivity === "ONLINE";
  const fileOf = (sn: string) => path.join(dataDir, "simulator", `${sn}.activation`);

  it("activates, stores its secret with mode 600, connects and begins service", async () => {
    const { sn, code } = await stock();
    const first = simulate(fleet.origin, `${sn}:${code}`);
    await until("online", () => isOnline(sn), START_MS);
    expect((await stat(fileOf(sn))).mode & 0o777).toBe(0o600);
    expect(first.output()).not.toContain(code);
    const running = await run((db) =>
      db.one(sql`
        select cabinet.lifecycle, (select count(*)::int from cabinet_event
          where cabinet_event.cabinet_id = cabinet.id and cabinet_event.kind = 'ACTIVATED') as begun
        from cabinet where cabinet.sn = ${sn}`),
    );
    expect(running).toEqual({ lifecycle: "ACTIVE", begun: 1 });
    expect(await look(sn)).toMatchObject({ state: "ACTIVATED", codeState: "USED" });
    first.child.kill("SIGTERM");
    await first.ended;
    await until("offline", async () => !(await isOnline(sn)), START_MS);
    // Same command line again: the cabinet already has its secret.
    simulate(fleet.origin, `${sn}:${code}`);
    await until("online again", () => isOnline(sn), START_MS);
  });

  it("reads several activations from a file", async () => {
    const devices = [await stock(), await stock()];
    const list = path.join(dataDir, "codes.txt");
    await writeFile(list, devices.map(({ sn, code }) => `${sn}:${code}\n`).join(""));
    simulate(fleet.origin, `@${list}`);
    for (const { sn } of devices) await until(`${sn} online`, () => isOnline(sn), START_MS);
  });

  it("wrong code: prints the refusal without the code and exits with 2", async () => {
    const { sn } = await stock();
    const wrong = newActivationCode();
    const { ended, output } = simulate(fleet.origin, `${sn}:${wrong}`);
    const [exitCode] = await ended;
    expect(exitCode).toBe(2);
    expect(output()).toContain("激活未成功");
    expect(output()).not.toContain(wrong);
  });

  it("lost answer, or a kill before it arrives: the next start activates with the same claim", async () => {
    const { sn, code } = await stock();
    const lossy = await openLossyLine(fleet.origin, 1);
    const first = simulate(lossy.origin, `${sn}:${code}`);
    await until("the server has answered into nothing", () => lossy.lost() === 1, START_MS);
    await until("a secret was given", async () => (await look(sn)).codeState === "CLAIMED");
    first.child.kill("SIGKILL");
    await first.ended;
    const kept = JSON.parse(await readFile(fileOf(sn), "utf8"));
    expect(Object.keys(kept)).toEqual(["claim"]);
    simulate(lossy.origin, `${sn}:${code}`);
    await until("online", () => isOnline(sn), START_MS);
    const identity = JSON.parse(await readFile(fileOf(sn), "utf8")).identity;
    const [cabinet] = identity.cabinets as SimulatedCabinet[];
    // The first may have repeated its call before it was killed.
    expect(cabinet?.kid).toMatch(/^a[23]$/);
    await lossy.close();
  });
});

/** A TCP proxy to the server that drops the answer of the first `losses` activations. */
async function openLossyLine(origin: string, losses: number) {
  const { hostname, port } = new URL(origin);
  let lost = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    let isActivation = false;
    near.on("data", (bytes) => {
      isActivation ||= bytes.includes("/device/v1/activate");
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (isActivation && lost < losses) {
        lost++;
        near.destroy();
        far.destroy();
      } else near.write(bytes);
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
