// A validator and a client generator of others take the API document: the client compiles and places an order.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { CALLERS } from "@cabinet/contract/kit/endpoint.ts";
import { authorize, newNonce } from "@cabinet/open-api-client";
import { Validator } from "@seriousme/openapi-schema-validator";
import { generate } from "openapi-typescript-codegen";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { makeCabinet } from "../support/cabinets.ts";
import { makeOpenApp, type OpenCaller } from "../support/open-apps.ts";
import { useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
const read = async (url: string) => (await testServer.app.inject({ url })).json();
const files = ["/api/openapi.json", ...CALLERS.map((caller) => `/api/openapi/${caller}.json`)];

it.each(files)("%s: valid by the schema of OpenAPI 3.1", async (url) => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(await read(url));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe("3.1");
});

describe("client of openapi-typescript-codegen", () => {
  let folder: string;
  let caller: OpenCaller;
  let origin: string;
  let sn: string;

  beforeAll(async () => {
    const { id: tenantId } = await testServer.makeTenant();
    const cabinet = await makeCabinet(testServer, { tenantId });
    await testServer.database.transaction("platform", (db) =>
      db.run(sql`update cabinet set is_greeted = true where id = ${cabinet.id}`),
    );
    sn = cabinet.sn;
    caller = await makeOpenApp(testServer, { tenantId });
    origin = await testServer.app.listen({ port: 0, host: "127.0.0.1" });
    folder = await mkdtemp(path.join(os.tmpdir(), "storage-client-"));
    const input = await read("/api/openapi/partner.json");
    // Without it, the types of the named shapes take members of TypeScript enums in place of plain strings.
    await generate({ input, output: folder, useUnionTypes: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Compiles a program that uses the generated client; returns what the compiler reports. */
  async function compile(program: string): Promise<string> {
    const file = path.join(folder, "program.ts");
    const imports = 'import { type NewOrder, OpenApiService, type Order } from "./index";';
    await writeFile(file, `${imports}\nexport async function run() {\n${program}\n}\n`);
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "esnext"];
    const resolution = ["--moduleResolution", "bundler", "--types", "", "--lib", "es2022,dom"];
    const tsc = path.resolve("node_modules/.bin/tsc");
    return spawnSync(tsc, [...options, ...resolution, file], { cwd: folder, encoding: "utf8" })
      .stdout;
  }

  it("compiles; a wrong name or a forgotten field does not", async () => {
    const order = 'thirdPartyNo: "SF1", cabinetSn: "A1", size: "M"';
    const create = (fields: string, result: string) =>
      compile(`const draft: NewOrder = { ${fields} };
        const { data } = await OpenApiService.openApiCreateOrder("k", draft);
        const order: Order = data;
        return order.${result};`);
    // A field with a default may be left out.
    expect(await create(`${order}, recipientPhone: "13812345678"`, "opening?.state")).toBe("");
    expect(await create(order, "state")).toContain("recipientPhone");
    expect(await create(`${order}, recipientPhone: "13812345678"`, "status")).toContain("status");
  });

  it("places an order, and reads the code of a refusal", async () => {
    const { OpenAPI, OpenApiService, ApiError } = await import(path.join(folder, "index.ts"));
    OpenAPI.BASE = origin;
    OpenAPI.HEADERS = async (options: GeneratedRequest) => {
      const body = options.body === undefined ? "" : JSON.stringify(options.body);
      const target = options.url.replace(/\{(\w+)\}/g, (_, name) => String(options.path?.[name]));
      const request = {
        ...{ method: options.method, host: new URL(origin).host, target, body },
        contentType: body && "application/json",
        idempotencyKey: options.headers?.["Idempotency-Key"] ?? "",
      };
      const ts = Math.floor(Date.now() / 1000);
      const claim = { app: caller.code, kid: caller.kid, ts, nonce: newNonce() };
      return { Authorization: authorize(request, claim, caller.secret) };
    };
    const draft = {
      ...{ thirdPartyNo: `GEN-${randomUUID()}`, cabinetSn: sn, size: "S" },
      recipientPhone: "13812345678",
    };
    const { data } = await OpenApiService.openApiCreateOrder(randomUUID(), draft);
    expect(data).toMatchObject({ state: "PENDING", thirdPartyNo: draft.thirdPartyNo });
    const refused = await OpenApiService.openApiCreateOrder(randomUUID(), draft).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 409, body: { errCode: "ORDER_NO_TAKEN" } });
    const { data: found } = await OpenApiService.openApiOrder(data.id);
    expect(found.id).toBe(data.id);
  });
});

interface GeneratedRequest {
  method: string;
  url: string;
  path?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
}
