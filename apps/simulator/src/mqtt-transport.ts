// The real transport: a nonce over HTTP, then MQTT 3.1.1 over TCP or TLS.
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import path from "node:path";
import {
  CHALLENGE_TTL_SECONDS,
  downTopics,
  KEEPALIVE_SECONDS,
  type SealedMessage,
} from "@cabinet/link";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { fetchNonce } from "./nonce.ts";
import { ConnectError, type Session, type Transport } from "./transport.ts";

const CONNECT_TIMEOUT_MS = 10_000;
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === 4 || error.code === 5);
}

function publish(client: MqttClient, message: SealedMessage): Promise<void> {
  const { topic, payload, qos, retain } = message;
  return new Promise((resolve, reject) => {
    client.publish(topic, payload, { qos, retain }, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * `ca.crt`, `SN.crt` and `SN.key` of a folder. Read at each connection, so that a renewed certificate is used without a
 * restart.
 */
async function readCertificates(folder: string, cabinetId: string) {
  const read = (file: string) => readFile(path.resolve(folder, file));
  try {
    return {
      ca: await read("ca.crt"),
      cert: await read(`${cabinetId}.crt`),
      key: await read(`${cabinetId}.key`),
    };
  } catch (error) {
    throw new ConnectError("REFUSED", `读不了证书（${(error as Error).message}）`);
  }
}

/**
 * `server` is the origin of the API, `broker` an `mqtt://` or `mqtts://` address. With a folder of
 * certificates each cabinet proves itself to the broker with its own.
 */
export function mqttTransport(
  server: string,
  broker: string,
  certificates?: string | undefined,
): Transport {
  return {
    async connect(request, events) {
      const certified =
        certificates === undefined ? {} : await readCertificates(certificates, request.cabinetId);
      const nonce = await fetchNonce(server);
      const { topic, payload, qos, retain } = request.will(nonce);
      const options: IClientOptions = {
        protocolVersion: 4,
        clientId: request.cabinetId,
        username: request.cabinetId,
        password: request.password(nonce),
        clean: true,
        keepalive: KEEPALIVE_SECONDS,
        // No automatic reconnect: a nonce is valid for one connection only.
        reconnectPeriod: 0,
        resubscribe: false,
        connectTimeout: Math.min(CONNECT_TIMEOUT_MS, CHALLENGE_TTL_SECONDS * 1_000),
        will: { topic, payload, qos, retain },
        ...certified,
      };
      const client = mqtt.connect(broker, options);
      let isTlsRefused = false;
      client.on("error", (error) => {
        isTlsRefused = isAboutCertificate(error);
      });
      const lost = new Promise<void>((resolve) => {
        client.once("close", () => {
          client.end(true);
          resolve();
        });
      });
      const refused = lost.then(() => {
        if (!isTlsRefused) return unreachable(lost, broker);
        throw new ConnectError("REFUSED", `${broker} ${certificateHint(certificates)}`);
      });
      await Promise.race([greeting(client, broker), refused]);
      // A report right behind a PUBACK must not wait for its TCP ACK, which takes 40 ms.
      if (client.stream instanceof Socket) client.stream.setNoDelay(true);
      client.on("message", (from, bytes) => events.onMessage(from, bytes));
      const topics = downTopics(request.cabinetId);
      await Promise.race([subscription(client, topics, broker), unreachable(lost, broker)]);
      void lost.then(() => events.onClose());
      const session: Session = {
        publish: (message) => publish(client, message),
        close: () => client.endAsync(),
        abort: () => client.stream.destroy(),
      };
      return { nonce, session };
    },
  };
}

/** Either side refuses the other's certificate, or misses one. */
function isAboutCertificate(error: Error): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return /^(ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

const certificateHint = (certificates: string | undefined) =>
  certificates === undefined
    ? "用证书核对柜机，而模拟柜机没有证书：请用 ./storage simulate --cert 目录 启动它们（--demo 的没有）"
    : "与模拟柜机互不承认证书：请检查 --cert 目录里的 ca.crt 和柜机的证书";

async function unreachable(lost: Promise<void>, broker: string): Promise<never> {
  await lost;
  throw new ConnectError("UNREACHABLE", `连不上消息服务 ${broker}`);
}

/** Resolves when the broker accepts the connection. */
function greeting(client: MqttClient, broker: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once("connect", () => resolve());
    // Keep the listener for the client's lifetime: an unhandled "error" event ends the process.
    client.on("error", (error) => {
      if (isRefusal(error)) {
        reject(new ConnectError("REFUSED", `${broker} 拒绝了连接：编号或密钥不对`));
      }
      client.end(true);
    });
  });
}

async function subscription(client: MqttClient, topics: string[], broker: string): Promise<void> {
  try {
    await client.subscribeAsync(topics, { qos: 1 });
  } catch (error) {
    client.end(true);
    const isDenied = error instanceof Error && "code" in error && error.code === 128;
    throw isDenied
      ? new ConnectError("REFUSED", `${broker} 拒绝了订阅`)
      : new ConnectError("UNREACHABLE", `连不上消息服务 ${broker}`);
  }
}
