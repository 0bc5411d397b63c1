// In-process MQTT broker and HTTP challenge endpoint around the test gateway.
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import {
  mayPublish,
  maySubscribe,
  mayWill,
  newCabinetSecret,
  newNonce,
  parseConnectPassword,
  type SimulatedCabinet,
  verifyConnectPassword,
} from "@cabinet/link";
import { Aedes, type AuthenticateError } from "aedes";
import { TestGateway } from "./test-gateway.ts";

/** Cabinets with fresh secrets and `doors` compartments each. */
export function makeCabinets(count: number, doors = 4, isDouble = false): SimulatedCabinet[] {
  const sides: SimulatedCabinet["compartments"][number]["sides"] = isDouble
    ? ["FRONT", "BACK"]
    : ["FRONT"];
  return Array.from({ length: count }, (_, index) => ({
    cabinetId: `TEST${String(index + 1).padStart(6, "0")}`,
    kid: "k1",
    secret: newCabinetSecret(),
    side: isDouble ? ("DOUBLE" as const) : ("SINGLE" as const),
    compartments: Array.from({ length: doors }, (_, at) => ({ no: at + 1, sides })),
  }));
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function refuse(message: string): AuthenticateError {
  return Object.assign(new Error(message), { returnCode: 4 });
}

/** Starts broker and HTTP server on free loopback ports; `close` stops them. */
export async function startTestServer(cabinets: readonly SimulatedCabinet[]) {
  // No limit: with one the broker drains its queue recursively, 5,000 goodbyes overflow the stack.
  const broker = await Aedes.createBroker({ concurrency: 0 });
  const publish: ConstructorParameters<typeof TestGateway>[2] = (message) =>
    broker.publish({ cmd: "publish", dup: false, ...message }, () => {});
  /** Offset of the server's clock. */
  const clock = { aheadMs: 0 };
  const gateway = new TestGateway(cabinets, () => Date.now() + clock.aheadMs, publish);
  const nonces = new Set<string>();
  broker.authenticate = (client, username, password, done) => {
    const parsed = parseConnectPassword(String(password ?? ""));
    const cabinetId = String(username);
    const isKnown = cabinets.some((cabinet) => cabinet.cabinetId === cabinetId);
    if (!parsed || !isKnown || client.id !== cabinetId) return done(refuse("form"), false);
    if (!verifyConnectPassword(cabinetId, parsed, gateway.known(cabinetId).keys)) {
      return done(refuse("signature"), false);
    }
    if (!nonces.delete(parsed.nonce)) return done(refuse("nonce"), false);
    done(null, true);
  };
  broker.authorizePublish = (client, packet, done) => {
    const isAllowed = client
      ? mayPublish(client.id, packet.topic) && !packet.retain
      : mayWill(packet.topic.split("/")[1] ?? "", packet.topic);
    done(isAllowed ? null : new Error("not allowed"));
  };
  broker.authorizeSubscribe = (client, subscription, done) =>
    done(null, maySubscribe(client.id, subscription.topic) ? subscription : null);
  await new Promise<void>((resolve) =>
    broker.subscribe(
      "c1/+/up/+",
      (packet, done) => {
        gateway.receive(packet.topic, Buffer.from(packet.payload));
        setImmediate(done);
      },
      resolve,
    ),
  );
  const tcp = createTcpServer(broker.handle);
  const http = createHttpServer((_request, reply) => {
    const nonce = newNonce();
    nonces.add(nonce);
    const data = { nonce, serverTime: Date.now(), exp: 60 };
    reply.setHeader("content-type", "application/json");
    reply.end(JSON.stringify({ code: 0, data, errMsg: "" }));
  });
  const mqtt = `mqtt://127.0.0.1:${await listen(tcp)}`;
  const server = `http://127.0.0.1:${await listen(http)}`;
  return {
    gateway,
    broker,
    clock,
    mqtt,
    server,
    async close() {
      await new Promise<void>((resolve) => broker.close(resolve));
      tcp.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

/** Longest wait for a state, which a busy machine may need. */
const WITHIN_MS = 30_000;

/** Polls every 10 ms until `isSo()`; throws after 30 s. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`not within ${WITHIN_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
