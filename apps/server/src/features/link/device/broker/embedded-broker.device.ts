// Embedded MQTT 3.1.1 broker over TCP, in this process, for one gateway.
import { type EventEmitter, once } from "node:events";
import net from "node:net";
import { KEEPALIVE_SECONDS, MAX_FRAME_BYTES } from "@cabinet/link";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import type { Log } from "../../../../platform/log.ts";
import type { ConnectGate } from "../gate/connect.gate.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";
import type { Broker, BrokerEvents } from "./broker.port.ts";
import { limitPackets } from "./packet-limit.gate.ts";
import { isConnectGranted, isPublishGranted, isSubscribeGranted } from "./topic.gate.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const DRAIN_TIMEOUT_MS = 10_000;
/** A frame plus its topic and header; a CONNECT with its will is no larger. */
const MAX_PACKET_BYTES = MAX_FRAME_BYTES + 1024;
const LIMITED_PAUSE_MS = 200;
const NOT_AUTHORIZED = 5;
const UNAVAILABLE = 3;

export interface EmbeddedBrokerOptions {
  host: string;
  port: number;
  gate: ConnectGate;
  log: Log;
  events: BrokerEvents & {
    /** The connection opened with this nonce has ended, with or without a will. */
    connectionEnded(sn: string, cabinet: CabinetKey, nonce: string): void;
  };
}

export async function startEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<Broker> {
  const { gate, log, events } = options;
  let isStopping = false;
  /** By serial number: the newest connection and the key that it proved. */
  const connections = new Map<string, { kid: string; client: Client }>();

  const broker = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepaliveLimit: KEEPALIVE_SECONDS,
    // Unlimited: a bounded queue overflows the stack when thousands of cabinets disconnect at once.
    concurrency: 0,
    // Disconnects a cabinet that stops reading: its full buffer would delay the others.
    drainTimeout: DRAIN_TIMEOUT_MS,
    preConnect: (_client, packet, callback) => {
      const isGranted = isConnectGranted(packet.clientId, packet);
      callback(isGranted ? null : new Error("not allowed"), isGranted);
    },
    authenticate: (client, username, password, done) => {
      const attempt = {
        clientId: client.id,
        username: username ?? "",
        password: password?.toString("latin1") ?? "",
        address: (client.conn as net.Socket).remoteAddress ?? "",
      };
      gate.decide(attempt).then(
        (verdict) => {
          if (!verdict.ok) return done(refusal(NOT_AUTHORIZED, verdict.why), null);
          const { cabinet, nonce, kid } = verdict;
          const connection = { kid, client };
          // Register it even if its socket is closed by now: the database records the newest granted connection, and a
          // cabinet with an older one open would stay unknown until that one closes.
          connections.get(client.id)?.client.conn.destroy();
          connections.set(client.id, connection);
          const end = () => {
            if (connections.get(client.id) === connection) connections.delete(client.id);
            if (!isStopping) events.connectionEnded(client.id, cabinet, nonce);
          };
          if (client.conn.destroyed) end();
          else client.conn.once("close", end);
          done(null, true);
        },
        (error) => {
          log.error({ err: error }, "connect could not be decided");
          done(refusal(UNAVAILABLE, "UNAVAILABLE"), null);
        },
      );
    },
    // The broker acknowledges a message after this callback, which is therefore called once it is stored.
    authorizePublish: (client, packet, callback) => {
      if (isStopping) return callback(new Error("stopping"));
      const payload = Buffer.from(packet.payload);
      if (!client || !isPublishGranted(client.id, { ...packet, payload })) {
        return callback(new Error("not allowed"));
      }
      events.receive(packet.topic, payload).then(
        (receipt) => {
          // The socket is read on only after the callback: TCP backpressure slows a cabinet that sends too much.
          if (receipt === "LIMITED") setTimeout(callback, LIMITED_PAUSE_MS, null);
          else callback(null);
        },
        (error) => {
          // The broker ends the connection: only then is the report sent again.
          gate.excuse(client.id);
          callback(error);
        },
      );
    },
    authorizeSubscribe: (client, subscription, callback) => {
      callback(null, isSubscribeGranted(client.id, subscription.topic) ? subscription : null);
    },
    authorizeForward: (client, packet) =>
      isSubscribeGranted(client.id, packet.topic) ? packet : null,
  });
  // An unhandled error event would end the process.
  (broker as EventEmitter).on("error", (error) => log.error({ err: error }, "broker failed"));
  broker.on("clientError", (client, error) =>
    log.debug({ sn: client.id, why: error.message }, "connection failed"),
  );
  broker.on("connectionError", (_client, error) =>
    log.debug({ why: error.message }, "connection failed"),
  );

  const sockets = new Set<net.Socket>();
  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    broker.handle(socket);
    limitPackets(socket, MAX_PACKET_BYTES);
  });
  server.listen(options.port, options.host);
  await once(server, "listening");

  return {
    publish: (message) => broker.publish({ ...message, cmd: "publish", dup: false }, () => {}),
    isReachable: () => true,
    speaksFor: (id) => id === gate.gatewayId,
    drop(sn, kid) {
      const connection = connections.get(sn);
      if (connection?.kid === kid) connection.client.conn.destroy();
    },
    async stop() {
      isStopping = true;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await new Promise<void>((resolve) => broker.close(resolve));
    },
  };
}

function refusal(returnCode: number, why: string): AuthenticateError {
  return Object.assign(new Error(why), { returnCode });
}
