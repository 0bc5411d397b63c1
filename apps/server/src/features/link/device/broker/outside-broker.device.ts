// Client of an outside broker cluster (EMQX, VerneMQ, mosquitto): all gateways share the reports.
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { ALL_UP_FILTER } from "@cabinet/link";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { startTurns } from "../../../../platform/jobs/turns.ts";
import type { Log } from "../../../../platform/log.ts";
import type { Broker, BrokerEvents } from "./broker.port.ts";
import { receiversOf, speaksFor } from "./receiver-share.rules.ts";

const RETRY_MS = 500;
const SHARE_EVERY_MS = 1_000;
/** The broker counts as unreachable when it has not answered for this long. */
const ANSWERS_WITHIN_MS = 1_000;
/** The sender's connection is given up after this time without an answer. */
const SILENT_MS = 3_000;
const WATCH_EVERY_MS = 250;
/** Longest wait of a stop for the broker's acknowledgements of what was sent. */
const GOODBYE_MS = 2_000;
/** Maximum number of heartbeats being processed at a time. */
const MAX_HEARTBEATS = 2_000;

export interface OutsideBrokerOptions {
  url: string;
  gatewayId: string;
  /**
   * Shared-subscription group, a secret of the gateways: the broker delivers a report to one client of the group, so a
   * stranger that joins it, or connects under a receiver's name, would swallow reports.
   */
  group: string;
  /** Records that this gateway is alive and returns the ids of all that are. */
  reportAlive(): Promise<string[]>;
  /** Records that the broker does not answer this gateway. */
  reportCutOff(): Promise<void>;
  reportGone(): Promise<void>;
  log: Log;
  events: BrokerEvents;
}

interface Receiver {
  client: MqttClient;
  isOurs: boolean;
  /** A report is being stored. */
  isBusy: boolean;
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
      // Finds a half-dead connection within six seconds.
      keepalive: 4,
      reconnectPeriod: 1_000,
      ...more,
    });
    client.on("error", (error) => log.warn({ why: error.message, name }, "broker refused us"));
    client.on("close", () => client.disconnecting || log.warn({ name }, "broker connection lost"));
    client.on("connect", () => {
      // A command sent right behind a PUBACK must not wait for its TCP ACK (Nagle's algorithm).
      if (client.stream instanceof Socket) client.stream.setNoDelay(true);
      log.info({ name }, "connected to the broker");
    });
    return client;
  };

  /** Retries until stored: an unacknowledged report blocks those behind it and so slows the broker down. */
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

  /** Heartbeats (QoS 0) need no acknowledgement, so the reports behind them need not wait. */
  async function receiveHeartbeat(topic: string, payload: Uint8Array): Promise<void> {
    heartbeats++;
    await events
      .receive(topic, payload)
      .catch((error) => log.warn({ err: error }, "heartbeat not stored"));
    heartbeats--;
  }

  /** Client name is the same after a restart and in every gateway: what the broker queued for it is not lost. */
  function startReceiver(no: number): void {
    const kept = { clean: false, resubscribe: false };
    // No automatic reconnect after a takeover: it restarts only once `share` finds the receiver is still ours.
    const client = connect(`up${no}`, { ...kept, reconnectPeriod: 0 });
    const receiver = { client, isOurs: true, isBusy: false };
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
      receiver.isBusy = true;
      receive(receiver, packet.topic, Buffer.from(packet.payload))
        .finally(() => {
          receiver.isBusy = false;
        })
        .then(
          () => callback(),
          (error) => callback(error),
        );
    };
    // PINGRESP waits behind the reports: while they are slow to store, its absence does not prove a dead connection.
    client.on("packetsend", ({ cmd }) => {
      if (cmd === "pingreq" && receiver.isBusy) client.reschedulePing(true);
    });
    client.on("connect", () => {
      client.subscribe(filter, { qos: 1 }, (error, granted) => {
        if (!receiver.isOurs) return;
        if (!error && granted?.every(({ qos }) => qos < 128)) return;
        log.error({ why: error?.message }, "broker refused our subscription");
        // Connected without it, the receiver would get no reports; `share` connects it anew.
        void stopReceiver(no, receiver);
      });
    });
  }

  async function stopReceiver(no: number, receiver: Receiver): Promise<void> {
    receiver.isOurs = false;
    if (receivers.get(no) === receiver) receivers.delete(no);
    await receiver.client.endAsync(true);
  }

  const sender = connect(gatewayId, { clean: true, queueQoSZero: false });
  const sending = new Set<Promise<unknown>>();
  /** When each request without an answer was sent, and when its connection must be given up. */
  const unanswered = new Map<object, { sinceMs: number; untilMs: number }>();
  const ping = {};
  let alive: string[] = [];
  let wanted = new Set<number>();
  let isReported = false;

  function expectAnswer(request: object, untilMs = Number.POSITIVE_INFINITY): void {
    const sinceMs = performance.now();
    unanswered.set(request, { sinceMs, untilMs: Math.min(untilMs, sinceMs + SILENT_MS) });
  }

  function isReachable(): boolean {
    const [oldest] = unanswered.values();
    return (
      sender.connected && performance.now() < (oldest?.sinceMs ?? Infinity) + ANSWERS_WITHIN_MS
    );
  }

  sender.on("packetreceive", ({ cmd }) => {
    if (cmd === "pingresp") unanswered.delete(ping);
  });
  sender.on("close", () => {
    unanswered.clear();
    // The client would send them again on its next connection, and a door would open late.
    for (const id of Object.keys(sender.outgoing)) sender.removeOutgoingMessage(Number(id));
    ticker.wake();
  });
  let wasReachable = false;
  const watch = setInterval(() => {
    if (!sender.connected) return;
    if (isReachable() !== wasReachable) ticker.wake();
    wasReachable = isReachable();
    if (!unanswered.has(ping)) {
      expectAnswer(ping);
      sender.sendPing();
    }
    if (isOverdue()) {
      // After a pause of this process, the answers are read first.
      setImmediate(() => isOverdue() && cutOff(sender.stream));
    }
  }, WATCH_EVERY_MS);
  const isOverdue = () => {
    const now = performance.now();
    return [...unanswered.values()].some(({ untilMs }) => untilMs < now);
  };

  async function share(): Promise<void> {
    if (isStopping) return;
    if (!isReachable()) {
      // Do not report alive while the broker is unreachable: the others must not rely on this gateway.
      if (isReported) await options.reportCutOff();
      isReported = false;
      return;
    }
    isReported = true;
    alive = await options.reportAlive();
    if (isStopping) return;
    const before = wanted;
    wanted = new Set(receiversOf(gatewayId, alive));
    for (const [no, receiver] of receivers) {
      if (!wanted.has(no)) void stopReceiver(no, receiver);
    }
    for (const no of wanted) {
      // Waits one round, in which the present owner notices: otherwise the two would evict each other.
      const isFree = alive.length === 1 || before.has(no);
      if (isFree && !receivers.has(no)) startReceiver(no);
    }
  }
  const ticker = startTurns(log, SHARE_EVERY_MS, share);

  return {
    publish({ topic, payload, qos, retain }, untilMs) {
      if (!sender.connected) {
        log.warn({ topic }, "not sent: no connection to the broker");
        return;
      }
      const request = {};
      const isOver = () => {
        unanswered.delete(request);
        sending.delete(sent);
      };
      if (qos > 0) expectAnswer(request, untilMs);
      const sent: Promise<unknown> = sender
        .publishAsync(topic, payload, { qos, retain })
        .then(isOver, isOver);
      sending.add(sent);
    },
    isReachable,
    speaksFor: (id) => speaksFor(gatewayId, id, alive),
    // Nothing to cut: reports over an ended key are refused, and nothing is sent to it.
    drop() {},
    async stop() {
      isStopping = true;
      await ticker.stop();
      await Promise.all([...receivers].map(([no, receiver]) => stopReceiver(no, receiver)));
      // Closing the connection could cut off a command on its way.
      await Promise.race([Promise.all(sending), sleep(GOODBYE_MS, undefined, { ref: false })]);
      clearInterval(watch);
      await sender.endAsync(true);
      await options
        .reportGone()
        .catch((error) => log.warn({ err: error }, "the other gateways could not be told"));
    },
  };
}

/**
 * Ends a connection with what the kernel still holds of it: after `destroy` it would go on sending that, for minutes, until
 * the broker acknowledges it. TLS has no such end; there the command's own expiry is the limit.
 */
function cutOff(stream: MqttClient["stream"]): void {
  if (stream instanceof Socket && !(stream instanceof TLSSocket)) stream.resetAndDestroy();
  else stream.destroy();
}
