// Webhook receivers of /doc/sdk, run verbatim; e2e/first-day.test.ts runs all samples against a server.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../e2e/support/free-port.ts";
import { makeSampleFolder, placeSample } from "./sample-runner.ts";

let folder: string;

beforeAll(async () => {
  folder = await makeSampleFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const hasPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0;

describe("webhook receiver samples", () => {
  const programs = [
    ["Node", process.execPath, "receiver.mjs"] as const,
    ...(hasPython ? [["Python", "python3", "receiver.py"] as const] : []),
  ];

  it.each(programs)(
    "%s: handles each event once; forged, old and changed requests get 401",
    async (_, program, title) => {
      const file = await placeSample(folder, "04-callbacks.md", title);
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
        await expect.poll(() => send("evt_before").catch(() => 0)).toBe(204);
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
