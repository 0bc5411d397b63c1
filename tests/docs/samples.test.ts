// The samples of /doc/sdk, run verbatim: as callers of the real server, and as receivers of webhooks.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { freePort } from "../../e2e/support/free-port.ts";
import { makeCabinet } from "../support/cabinets.ts";
import { makeOpenApp, type OpenCaller } from "../support/open-apps.ts";
import { useTestServer } from "../support/test-server.ts";
import { makeSampleFolder, placeSample, runSample } from "./sample-runner.ts";

const testServer = useTestServer();
let folder: string;
let caller: OpenCaller;
let origin: string;

const has = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** Node is always there, the other two are not; the test prints which ones ran. */
const languages = {
  node: true,
  shell: has("bash", "--version") && has("curl", "--version") && has("openssl", "version"),
  python: has("python3", "--version"),
};
process.stdout.write(
  `samples of /doc/sdk run here: ${Object.entries(languages)
    .filter(([, isThere]) => isThere)
    .map(([name]) => name)
    .join(", ")}\n`,
);

beforeAll(async () => {
  const { id: tenantId } = await testServer.makeTenant();
  // Sorted first, as in the demo: cabinets that take no orders, and a full one.
  await makeCabinet(testServer, { tenantId, lifecycle: "PAUSED" });
  await makeCabinet(testServer, { tenantId, connectivity: "OFFLINE" });
  const full = await makeCabinet(testServer, { tenantId, cells: [{ occupancy: "OCCUPIED" }] });
  const cabinet = await makeCabinet(testServer, { tenantId });
  await testServer.database.transaction("platform", (db) =>
    db.run(sql`
      update cabinet set is_greeted = true, sn = case when id = ${cabinet.id} then 'Z' else '' end || sn
      where id in (${full.id}, ${cabinet.id})`),
  );
  caller = await makeOpenApp(testServer, { tenantId, name: "快递驿站" });
  origin = await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  folder = await makeSampleFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const place = (file: string, title: string) => placeSample(folder, file, title);
const run = (program: string, file: string, other: { secret?: string } = {}) =>
  runSample(program, file, {
    ...{ origin, app: caller.code, kid: caller.kid, secret: caller.secret },
    ...other,
  });

describe("API client samples", () => {
  it("Node: places an order, gets ORDER_NO_TAKEN for the same number, cancels it", async () => {
    const file = await place("03-open-api-calls.md", "order.mjs");
    const { code, output } = await run(process.execPath, file);
    expect(code, output).toBe(0);
    expect(output).toBe("快递驿站\nPENDING 1\n409 ORDER_NO_TAKEN\nCANCELLED\n");
  });

  if (languages.python)
    it("Python: places an order, finds it, cancels it", async () => {
      const file = await place("02-open-api-signing.md", "cabinet_open.py");
      const { code, output } = await run("python3", file);
      expect(code, output).toBe(0);
      expect(output).toBe("快递驿站\nPENDING 1\nTrue\nCANCELLED\n");
    });

  if (languages.shell)
    it("Shell: authenticates; a wrong key gets PARTNER_UNPROVEN", async () => {
      const file = await place("02-open-api-signing.md", "whoami.sh");
      const { code, output } = await run("bash", file);
      expect(code, output).toBe(0);
      expect(JSON.parse(output)).toMatchObject({ code: 0, data: { app: caller.code } });
      const wrong = await run("bash", file, { secret: "cabsk_wrong" });
      expect(wrong.code).not.toBe(0);
      expect(wrong.output).toContain("PARTNER_UNPROVEN");
    });
});

describe("webhook receiver samples", () => {
  const programs = [
    ["Node", process.execPath, "receiver.mjs"] as const,
    ...(languages.python ? [["Python", "python3", "receiver.py"] as const] : []),
  ];

  it.each(programs)(
    "%s: handles each event once; forged, old and changed requests get 401",
    async (_, program, title) => {
      const file = await place("04-callbacks.md", title);
      const port = await freePort();
      const secret = randomBytes(32);
      const child: ChildProcess = spawn(program, [file], {
        env: {
          ...process.env,
          PORT: String(port),
          CALLBACK_SECRET: `whsec_${secret.toString("base64")}`,
        },
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
      }
      const exited = once(child, "exit");
      const body = JSON.stringify({
        ...{ type: "order.stored", timestamp: new Date().toISOString(), apiVersion: "1" },
        ...{ tenantSeq: 1, data: { orderId: 42, state: "STORED" } },
      });
      const send = async (id: string, { key = secret, agoSeconds = 0, text = body } = {}) => {
        const ts = String(Math.floor(Date.now() / 1000) - agoSeconds);
        const sig = createHmac("sha256", key).update(`${id}.${ts}.${body}`).digest("base64");
        const response = await fetch(`http://127.0.0.1:${port}/`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": ts,
            "webhook-signature": `v1a,xyz v1,${sig}`,
          },
          body: text,
        });
        return response.status;
      };
      try {
        await expect.poll(() => send("evt_before").catch(() => 0), { timeout: 10_000 }).toBe(204);
        const id = `evt_${randomUUID()}`;
        expect(await send(id)).toBe(204);
        expect(await send(id)).toBe(204);
        expect(await send("evt_forged", { key: randomBytes(32) })).toBe(401);
        expect(await send("evt_old", { agoSeconds: 400 })).toBe(401);
        expect(await send("evt_changed", { text: body.replace("42", "43") })).toBe(401);
        await expect.poll(() => output).toBe("order.stored 42\norder.stored 42\n");
      } finally {
        child.kill("SIGTERM");
        await exited;
      }
    },
  );
});
