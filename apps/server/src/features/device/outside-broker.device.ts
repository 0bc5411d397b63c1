// A client of a broker cluster (EMQX, VerneMQ, mosquitto): reports are shared among all gateways.
import { Socket } from "node:net";
import { ALL_UP_FILTER } from "@cabinet/link";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import type { Log } from "../../platform/log.ts";
import type { Broker, BrokerEvents } from "./broker.ts";

/** A client takes its messages one by one, so several share the work. */
const RECEIVERS = 4;
const RETRY_MS = 500;
/** Heartbeats that may be under way at a time. */
const MAX_HEARTBEATS = 2_000;
const FILTER = `$share/gateway/${ALL_UP_FILTER}`;

export interface OutsideBrokerOptions {
  url: string;
  /** The same after a restart, another for every gateway: the broker keeps reports for it meanwhile. */
  clientId: string;
  log: Log;
  events: BrokerEvents;
}

export async function connectOutsideBroker(options: OutsideBrokerOptions): Promise<Broker> {
  const { url, clientId, log, events } = options;
  let isStopping = false;

  const connect = (name: string, more: IClientOptions): MqttClient => {
    const client = mqtt.connect(url, {
      protocolVersion: 4,
      clientId: `${clientId}-${name}`,
      keepalive: 30,
      reconnectPeriod: 1_000,
      ...more,
    });
    client.on("error", (error) => log.warn({ why: error.message, name }, "broker refused us"));
    client.on("close", () => isStopping || log.warn({ name }, "broker connection lost"));
    client.on("connect", () => {
      // A command right behind a PUBACK must not wait for its TCP ACK.
      if (client.stream instanceof Socket) client.stream.setNoDelay(true);
      log.info({ name }, "connected to the broker");
    });
    return client;
  };

  /** Until it is stored: what is not acknowledged blocks what follows, and so slows the broker down. */
  async function receive(topic: string, payload: Uint8Array): Promise<void> {
    while (!isStopping) {
      try {
        return await events.receive(topic, payload);
      } catch (error) {
        log.warn({ err: error }, "report not stored, trying again");
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    throw new Error("stopping");
  }

  let heartbeats = 0;

  /** Nobody waits for an acknowledgement of these, so what follows need not wait either. */
  async function receiveHeartbeat(topic: string, payload: Uint8Array): Promise<void> {
    heartbeats++;
    await events
      .receive(topic, payload)
      .catch((error) => log.warn({ err: error }, "heartbeat not stored"));
    heartbeats--;
  }

  const receivers = Array.from({ length: RECEIVERS }, (_, at) => {
    const client = connect(`up${at}`, { clean: false, resubscribe: false });
    // The client sends PUBACK when the callback is called without an error.
    client.handleMessage = (packet, callback) => {
      if (packet.qos === 0 && heartbeats < MAX_HEARTBEATS) {
        void receiveHeartbeat(packet.topic, Buffer.from(packet.payload));
        return callback();
      }
      receive(packet.topic, Buffer.from(packet.payload)).then(
        () => callback(),
        (error) => callback(error),
      );
    };
    client.on("connect", () => {
      client.subscribe(FILTER, { qos: 1 }, (error, granted) => {
        if (!error && granted?.every(({ qos }) => qos < 128)) return;
        log.error({ filter: FILTER, why: error?.message }, "broker refused our subscription");
      });
    });
    return client;
  });
  const sender = connect("dn", { clean: true, queueQoSZero: false });

  return {
    publish({ topic, payload, qos, retain }) {
      if (!sender.connected) {
        log.warn({ topic }, "not sent: no connection to the broker");
        return;
      }
      sender.publish(topic, payload, { qos, retain });
    },
    // What stands there says nothing more: its reports are not taken and it is sent nothing.
    drop() {},
    async stop() {
      isStopping = true;
      await Promise.all([...receivers, sender].map((client) => client.endAsync(true)));
    },
  };
}
