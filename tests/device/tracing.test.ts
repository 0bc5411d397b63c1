// One trace from the call that opens a door, through its statements and MQTT, to the cabinet's ack in another process.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTracing } from "../../apps/server/src/platform/tracing.ts";
import { credentialsOf, type Person } from "../support/test-server.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  service: string;
  attributes: Record<string, string>;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}
type OtlpValue = Record<string, string | number>;
interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: OtlpValue }[] };
    scopeSpans: {
      spans: (Omit<OtlpSpan, "attributes" | "service"> & {
        attributes: { key: string; value: OtlpValue }[];
      })[];
    }[];
  }[];
}

const received: { path: string; token: string | undefined; text: string }[] = [];
const spans: OtlpSpan[] = [];
let collector: Server;
let tracing: { stop(): Promise<void> };

const valuesOf = (attributes: { key: string; value: OtlpValue }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));

/** Keeps the spans of one OTLP request, in its JSON form. */
function keep(text: string): void {
  for (const { resource, scopeSpans } of (JSON.parse(text) as OtlpRequest).resourceSpans) {
    const service = valuesOf(resource.attributes)["service.name"] ?? "";
    for (const span of scopeSpans.flatMap((each) => each.spans)) {
      spans.push({ ...span, service, attributes: valuesOf(span.attributes) });
    }
  }
}

// Before the server is built: it decides then whether it traces.
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    received.push({
      path: request.url ?? "",
      token: request.headers.authorization,
      text,
    });
    keep(text);
    response.setHeader("content-type", "application/json").end("{}");
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  // For the gateway, which runs in a process of its own.
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20collector");
  const headers = { authorization: "Bearer collector" };
  tracing = await startTracing(
    { endpoint, headers, ratio: 1 },
    "cabinet-api",
    pino({ level: "silent" }),
  );
});

const fleet = useDeviceFleet();
let person: Person;
beforeAll(async () => {
  person = (await fleet.testServer.makeTenant()).people[1];
  await fleet.forkGateway();
});
afterAll(async () => {
  await tracing.stop();
  collector.closeAllConnections();
  collector.close();
  vi.unstubAllEnvs();
});

test("opening a door: one trace of call, statements, publication and ack, across processes", async () => {
  const cabinet = await fleet.addCabinet({ tenantId: person.tenantId });
  const machine = await fleet.switchOn(cabinet, { autoCloseMs: 250 });
  await until("a session", () => machine.hasSession());
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const reason = "客户来电 13812345678";
  const reply = await fetch(
    `${fleet.origin}${urlPath(commandContract.open).replace("{id}", String(cabinet.id))}`,
    {
      method: "POST",
      headers: {
        ...credentialsOf(person),
        "content-type": "application/json",
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({ no: 1, reason, side: "FRONT" }),
    },
  );
  expect(await reply.json()).toMatchObject({ code: 0 });
  const ofTrace = () => spans.filter((span) => span.traceId === traceId);
  const find = (name: string) => ofTrace().find((span) => span.name === name);
  await until("the last span", () => find("command CONFIRMED") !== undefined);
  await until("the call's span", () => ofTrace().some(({ kind }) => kind === 2));

  const call = find("POST /api/admin/v1/locker/:id/open");
  expect(call).toMatchObject({
    parentSpanId: "b7ad6b7169203331",
    service: "cabinet-api",
    attributes: {
      "http.response.status_code": "200",
      "request.id": reply.headers.get("x-request-id"),
      "tenant.id": String(person.tenantId),
    },
  });
  const insert = find("INSERT command");
  expect(insert).toMatchObject({ parentSpanId: call?.spanId, service: "cabinet-api" });
  expect(find("SELECT find_session")).toMatchObject({ parentSpanId: call?.spanId });
  const published = find("publish dn/cmd");
  expect(published).toMatchObject({
    ...{ parentSpanId: call?.spanId, service: "cabinet-gateway", kind: 4 },
    attributes: { "cabinet.sn": cabinet.sn },
  });
  const noted = ofTrace().filter(({ parentSpanId }) => parentSpanId === published?.spanId);
  expect(noted.map(({ name }) => name)).toContain("UPDATE command");
  const acked = find("command CONFIRMED");
  expect(acked).toMatchObject({ parentSpanId: call?.spanId, service: "cabinet-gateway", kind: 5 });
  expect(acked?.attributes["command.id"]).toBe(published?.attributes["command.id"]);
  expect(Number(acked?.endTimeUnixNano)).toBeGreaterThan(Number(published?.startTimeUnixNano));

  expect(
    received.every(({ path, token }) => path === "/v1/traces" && token === "Bearer collector"),
  ).toBe(true);
  // Names and ids alone: no value of a statement, no phone number, no token.
  const sent = received.map(({ text }) => text).join();
  for (const secret of [
    reason,
    "13812345678",
    credentialsOf(person)["auth-token"],
    "$1",
    "select ",
  ]) {
    expect(sent).not.toContain(secret);
  }
});

test("a call without or with a broken traceparent begins a trace; background work makes none", async () => {
  const before = spans.length;
  for (const traceparent of [undefined, "00-zz-b7ad6b7169203331-01"]) {
    const reply = await fetch(`${fleet.origin}/api/admin/v1/menu`, {
      headers: { ...credentialsOf(person), ...(traceparent && { traceparent }) },
    });
    const requestId = reply.headers.get("x-request-id");
    const find = () => spans.find(({ attributes }) => attributes["request.id"] === requestId);
    await until("the span", () => find() !== undefined);
    expect(find()?.parentSpanId ?? "").toBe("");
    expect(find()?.traceId).toMatch(/^[0-9a-f]{32}$/);
  }
  const roots = spans.slice(before).filter(({ parentSpanId }) => !parentSpanId);
  expect(roots.map(({ name }) => name)).toEqual([
    "GET /api/admin/v1/menu",
    "GET /api/admin/v1/menu",
  ]);
});
