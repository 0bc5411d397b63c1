// Bare MQTT client with a cabinet's credentials, for tests that send exact frames.
import {
  type CabinetKeys,
  deriveKeys,
  downTopics,
  openDown,
  type SealedMessage,
  sealUp,
  type Unversioned,
  type UpMessages,
} from "@cabinet/link";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import type { DeviceFleet, FleetCabinet } from "./device-fleet.ts";
import { until } from "./device-fleet.ts";

/** Connects without reconnecting; rejects when the broker refuses. */
export async function connectRaw(port: number, options: IClientOptions): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: 5_000,
    ...options,
  });
  await new Promise<void>((resolve, reject) => {
    client.once("connect", () => resolve());
    client.on("error", reject);
    client.once("close", () => reject(new Error("closed")));
  }).catch((error) => {
    client.end(true);
    throw error;
  });
  return client;
}

type Received = Extract<ReturnType<typeof openDown>, { ok: true }>;

export class RawCabinet {
  readonly received: Received[] = [];
  readonly keys: CabinetKeys;
  readonly client: MqttClient;
  readonly nonce: string;
  readonly #sn: string;
  n = 0;

  static async connect(
    fleet: DeviceFleet,
    cabinet: FleetCabinet,
    more: IClientOptions & { port?: number } = {},
  ): Promise<RawCabinet> {
    const { port = fleet.mqttPort, ...options } = more;
    const nonce = await fleet.nonce();
    const password = fleet.password(cabinet, nonce);
    const name = { clientId: cabinet.sn, username: cabinet.sn, password };
    const client = await connectRaw(port, { ...name, ...options });
    const raw = new RawCabinet(cabinet, nonce, client);
    await client.subscribeAsync(downTopics(cabinet.sn), { qos: 1 });
    return raw;
  }

  private constructor(cabinet: FleetCabinet, nonce: string, client: MqttClient) {
    this.#sn = cabinet.sn;
    this.keys = deriveKeys(cabinet.identity.secret);
    this.nonce = nonce;
    this.client = client;
    client.on("message", (topic, bytes) => {
      const opened = openDown(this.keys, this.#sn, topic, bytes);
      if (opened.ok) this.received.push(opened);
    });
  }

  seal<K extends keyof UpMessages>(kind: K, message: Unversioned<UpMessages[K]>): SealedMessage {
    return sealUp(this.keys, this.#sn, kind, message);
  }

  /** Resolves when the broker has acknowledged the message. */
  async send({ topic, payload, qos }: SealedMessage): Promise<void> {
    await this.client.publishAsync(topic, payload, { qos });
  }

  birth(more: Partial<Unversioned<UpMessages["birth"]>> = {}): SealedMessage {
    const birth: Unversioned<UpMessages["birth"]> = {
      bootNo: 1,
      n: ++this.n,
      mono: this.n * 1_000,
      nonce: this.nonce,
      part: 1,
      parts: 1,
      lastSeq: 0,
      side: "SINGLE",
      appVersion: "raw-1",
      capabilities: ["OPEN"],
      configVersion: 1,
      journal: [],
      compartments: [],
      ...more,
    };
    return this.seal("birth", birth);
  }

  heard<K extends Received["kind"]>(kind: K): Extract<Received, { kind: K }>[] {
    return this.received.filter((message): message is Extract<Received, { kind: K }> => {
      return message.kind === kind;
    });
  }

  /** Sends a birth and waits for its hello. */
  async greet(more: Partial<Unversioned<UpMessages["birth"]>> = {}) {
    const before = this.heard("hello").length;
    await this.send(this.birth(more));
    return until("a hello", () => this.heard("hello")[before]?.message);
  }

  /** Destroys the socket without an MQTT DISCONNECT. */
  cut(): void {
    this.client.stream.destroy();
  }
}
