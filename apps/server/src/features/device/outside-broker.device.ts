// A client of a broker cluster (EMQX, VerneMQ, mosquitto): reports are shared among all gateways.
import { Socket } from "node:net";
import { ALL_UP_FILTER } from "@cabinet/link";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import type { Log } from "../../platform/log.ts";
import type { Broker, BrokerEvents } from "./broker.ts";
import { receiversOf, speaksFor } from "./receiver-share.rules.ts";
import { startTicking } from "./ticker.ts";

const RETRY_MS = 500;
const SHARE_EVERY_MS = 1_000;
/** Heartbeats that may be under way at a time. */
const MAX_HEARTBEATS = 2_000;

export interface OutsideBrokerOptions {
  url: string;
  gatewayId: string;
  /**
   * All gateways have it and nobody else knows it: the broker gives a report to one client of a group, so
   * that whoever could join, or connect in the name of a receiver, would make reports disappear.
   */
  group: string;
  /** Tells that we are alive, and learns who is. */
  reportAlive(): Promise<string[]>;
  reportGone(): Promise<void>;
  log: Log;
  events: BrokerEvents;
}

interface Receiver {
  client: MqttClient;
  isOurs: boolean;
}

export function connectOutsideBroker(options: OutsideBrokerOptions): Broker {
  const { url, gatewayId, group, log, events } = options;
  const filter = `$share/${group}/${ALL_UP_FILTER}`;
  const receivers = new Map<number, Receiver>();
  let isStopping = false;

  const connect = (name: string, more: IClientOptions): MqttClient => {
    const client = mqtt.connect(url, {
      protocolVersion: 4,
      clientId: `gateway-${group}-${name}`,
      keepalive: 30,
      reconnectPeriod: 1_000,
      ...more,
    });
    client.on("error", (error) => log.warn({ why: error.message, name }, "broker refused us"));
    client.on("close", () => client.disconnecting || log.warn({ name }, "broker connection lost"));
    client.on("connect", () => {
      // A command right behind a PUBACK must not wait for its TCP ACK.
      if (client.stream instanceof Socket) client.stream.setNoDelay(true);
      log.info({ name }, "connected to the broker");
    });
    return client;
  };

  /** Until it is stored: what is not acknowledged blocks what follows, and so slows the broker down. */
  async function receive(of: Receiver, topic: string, payload: Uint8Array): Promise<void> {
    while (of.isOurs) {
      try {
        await events.receive(topic, payload);
        return;
      } catch (error) {
        log.warn({ err: error }, "report not stored, trying again");
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    throw new Error("another gateway receives it");
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

  /** The same name after a restart and in every gateway: what the broker kept for it is not lost. */
  function startReceiver(no: number): void {
    const kept = { clean: false, resubscribe: false };
    // Thrown out it does not come back by itself, but when we have learnt that it is still ours.
    const client = connect(`up${no}`, { ...kept, reconnectPeriod: 0 });
    const receiver = { client, isOurs: true };
    receivers.set(no, receiver);
    client.on("close", () => {
      if (receiver.isOurs) void stopReceiver(no, receiver);
    });
    // The client sends PUBACK when the callback is called without an error.
    client.handleMessage = (packet, callback) => {
      if (packet.qos === 0 && heartbeats < MAX_HEARTBEATS) {
        void receiveHeartbeat(packet.topic, Buffer.from(packet.payload));
        return callback();
      }
      receive(receiver, packet.topic, Buffer.from(packet.payload)).then(
        () => callback(),
        (error) => callback(error),
      );
    };
    client.on("connect", () => {
      client.subscribe(filter, { qos: 1 }, (error, granted) => {
        if (!receiver.isOurs) return;
        if (!error && granted?.every(({ qos }) => qos < 128)) return;
        log.error({ why: error?.message }, "broker refused our subscription");
      });
    });
  }

  async function stopReceiver(no: number, receiver: Receiver): Promise<void> {
    receiver.isOurs = false;
    if (receivers.get(no) === receiver) receivers.delete(no);
    await receiver.client.endAsync(true);
  }

  const sender = connect(gatewayId, { clean: true, queueQoSZero: false });
  let alive: string[] = [];
  let wanted = new Set<number>();

  async function share(): Promise<void> {
    // Whoever does not reach the broker is not counted on.
    if (!sender.connected || isStopping) return;
    alive = await options.reportAlive();
    if (isStopping) return;
    const before = wanted;
    wanted = new Set(receiversOf(gatewayId, alive));
    for (const [no, receiver] of receivers) {
      if (!wanted.has(no)) void stopReceiver(no, receiver);
    }
    for (const no of wanted) {
      // Whoever has it now notices meanwhile: otherwise the two would throw each other out.
      const isFree = alive.length === 1 || before.has(no);
      if (isFree && !receivers.has(no)) startReceiver(no);
    }
  }
  const ticker = startTicking(SHARE_EVERY_MS, share, log);

  return {
    publish({ topic, payload, qos, retain }) {
      if (!sender.connected) {
        log.warn({ topic }, "not sent: no connection to the broker");
        return;
      }
      sender.publish(topic, payload, { qos, retain });
    },
    isReachable: () => sender.connected,
    speaksFor: (id) => speaksFor(gatewayId, id, alive),
    // What stands there says nothing more: its reports are not taken and it is sent nothing.
    drop() {},
    async stop() {
      isStopping = true;
      await ticker.stop();
      await Promise.all([...receivers].map(([no, receiver]) => stopReceiver(no, receiver)));
      await sender.endAsync(true);
      await options
        .reportGone()
        .catch((error) => log.warn({ err: error }, "the other gateways could not be told"));
    },
  };
}
