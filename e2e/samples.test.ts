// Runs the sample callers of /doc/sdk against the demo, whose first cabinets take no orders.
import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  makeSampleFolder,
  placeSample,
  runSample,
  type SampleCaller,
} from "../tests/docs/sample-runner.ts";
import { callApiAs } from "./support/api.ts";
import { signIn } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

/** Simulated cabinets connect slowly on a busy machine. */
const CABINETS_MS = 40_000;

const demo = useDemo();
let folder: string;
const callers: { name: string; caller: SampleCaller }[] = [];

beforeAll(async () => {
  folder = await makeSampleFolder();
  for (const tenantId of [1, 2]) {
    const { context, page } = await demo.visit();
    await signIn(page, demo.server.account(tenantId, 1));
    const online = { query: { connectivity: "ONLINE", lifecycle: "ACTIVE" } };
    const isOneOnline = async () =>
      (await callApiAs(page, cabinetContract.list, online)).data.total > 0;
    await vi.waitUntil(isOneOnline, { timeout: CABINETS_MS, interval: 500 });
    const name = `示例 ${tenantId}`;
    const scopes = ["order:read", "order:write", "cabinet:read"];
    const draft = { name, scopes, networks: [], ratePerMinute: 60, isSettling: false, remark: "" };
    const created = await callApiAs(page, openAppContract.create, { body: draft });
    const issued = await callApiAs(page, openAppContract.issue, {
      params: { id: created.data.id },
      body: { overlapHours: 1 },
    });
    const { kid, secret, app } = issued.data;
    callers.push({ name, caller: { origin: demo.server.origin, app, kid, secret } });
    await context.close();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("order.mjs: places and cancels an order at each tenant of the demo", async () => {
  const file = await placeSample(folder, "03-open-api-calls.md", "order.mjs");
  for (const { name, caller } of callers) {
    const { code, output } = await runSample(process.execPath, file, caller);
    expect(code, output).toBe(0);
    expect(output).toMatch(new RegExp(`^${name}\nPENDING \\d+\n409 ORDER_NO_TAKEN\nCANCELLED\n$`));
  }
});

test.skipIf(spawnSync("python3", ["--version"]).status !== 0)(
  "cabinet_open.py: places, finds and cancels an order at each tenant of the demo",
  async () => {
    const file = await placeSample(folder, "02-open-api-signing.md", "cabinet_open.py");
    for (const { name, caller } of callers) {
      const { code, output } = await runSample("python3", file, caller);
      expect(code, output).toBe(0);
      expect(output).toMatch(new RegExp(`^${name}\nPENDING \\d+\nTrue\nCANCELLED\n$`));
    }
  },
);
