// Samples of every call of the open API in each language, generated from the API document and run against the server.
import { spawnSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { contracts } from "@cabinet/contract/contracts.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type SampleRequest,
  sampleLanguages,
  sampleRequestOf,
} from "../../apps/console/src/features/partners/doc/call-samples.rules.ts";
import type { CallName, CallRow } from "../support/call-row.ts";
import { callRows } from "../support/call-rows.ts";
import { type Operation, operationOf } from "../support/document-check.ts";
import { lacks } from "../support/lacks.ts";
import { type OpenCaller, openCallerOf } from "../support/open-apps.ts";
import { makeWorld, type World } from "../support/tenant-world.ts";
import { useTestServer } from "../support/test-server.ts";
import { makeSampleFolder, runSample } from "./sample-runner.ts";

const testServer = useTestServer();
let world: World;
let caller: OpenCaller;
let origin: string;
let folder: string;

const programs: Record<string, string[]> = {
  cURL: ["bash"],
  Python: ["python3"],
  Node: [process.execPath],
  Java: ["java", "-XX:TieredStopAtLevel=1"],
  Go: ["go", "run"],
  PHP: ["php"],
};
const neededFor = (name: string) =>
  name === "cURL" ? ["bash", "curl", "openssl"] : [programs[name]?.[0] ?? ""];
const isThere = (name: string) =>
  neededFor(name).every((program) => {
    const { error } = spawnSync(program, ["--version"], { stdio: "ignore" });
    return !error;
  });

const calls = Object.entries(contracts["open-api"]).map(([call, spec]) => {
  const name = `open-api.${call}` as CallName;
  return { name, spec: spec as EndpointSpec, row: callRows[name] as CallRow };
});

beforeAll(async () => {
  // The platform owns files of each world.
  await testServer.makeTenant(1);
  origin = await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  folder = await makeSampleFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The sample of the document, with records that exist in place of the examples. */
function requestOf({ spec, row }: (typeof calls)[number]): SampleRequest {
  const operation = operationOf(spec) as Operation;
  const { params, query, body } = row.input(world.ids);
  const known = { ...params, ...query } as Record<string, unknown>;
  const parameters = operation.parameters.map((parameter) => ({
    ...parameter,
    example: known[parameter.name] ?? parameter.example,
  }));
  const requestBody = body && { content: { "application/json": { example: body } } };
  return sampleRequestOf(spec.method, urlPath(spec), {
    parameters,
    ...(requestBody && { requestBody }),
  });
}

describe.each(sampleLanguages)("$name", ({ name, file, write }) => {
  // Calls of one language change the order that those of another expect.
  beforeAll(async () => {
    const { id } = await testServer.makeTenant();
    world = await makeWorld(testServer, id, null);
    caller = await openCallerOf(testServer, world.ids);
  });

  const isSkipped = lacks(
    `${name} 示例`,
    !isThere(name) && `没有安装 ${neededFor(name).join("、")}`,
  );

  it.skipIf(isSkipped).each(calls)("$name: runs", async (call) => {
    const target = path.join(folder, file);
    await writeFile(target, write(requestOf(call)));
    const { kid, secret, code: app } = caller;
    const [program = "", ...args] = programs[name] ?? [];
    const { code, output } = await runSample(program, target, { origin, app, kid, secret }, args);
    // curl adds a line of its own about a refusal.
    const answer = JSON.parse(/^\{.*$/m.exec(output)?.[0] ?? "null");
    // The signature was accepted: some rows are refused for the state of their order.
    const expected = call.row.refusal
      ? { code: 1, errMsg: expect.stringContaining(call.row.refusal) }
      : { code: 0 };
    expect(answer, output).toMatchObject(expected);
    expect(code === 0).toBe(!call.row.refusal);
  });
});
