// Outside broker that calls our auth hooks as EMQX does, and shares reports among subscribers as
// MQTT allows.
import { createHash } from "node:crypto";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import {
  BROKER_ACL_PATH,
  BROKER_AUTH_PATH,
} from "@cabinet/contract/link/device/device.contract.ts";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import { RECEIVERS } from "../../apps/server/src/features/link/device/broker/receiver-share.rules.ts";

const REPORT = /^c1\/[^/]+\/up\//;
const plainTopic = (topic: string) => topic.replace(/^\d+\//, "");

export interface OutsideBroker {
  url: string;
  port: number;
  /** Topics of messages that gateways acknowledged. */
  acknowledged: string[];
  /** Gateway clients ready for work, by the last part of their names: a receiver, such as `up3`, has subscribed. */
  gateways(): string[];
  /** Number of client connections so far. */
  connects(): number;
  close(): Promise<void>;
}

/** Calls the hooks at `origin`. Any client whose name begins with `gateway-` is a gateway. */
export async function startOutsideBroker(origin: string | (() => string)): Promise<OutsideBroker> {
  const acknowledged: string[] = [];
  const gateways = new Map<string, string>();
  const nameOf = ({ id }: Client) => id.slice(id.lastIndexOf("-") + 1);
  const receiverOf = ({ id }: Client) => /^up(\d+)$/.exec(gateways.get(id) ?? "")?.[1];
  // A hook that does not answer refuses.
  const ask = (path: string, body: object): Promise<string> =>
    fetch(new URL(path, typeof origin === "string" ? origin : origin()), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
      .then((reply) => reply.json() as Promise<{ result: string }>)
      .then(
        ({ result }) => result,
        () => "deny",
      );
  // Clients that are not cabinets are authorized by the broker itself.
  const mayUse = (client: Client, action: string, topic: string) =>
    ask(BROKER_ACL_PATH, { clientid: client.id, username: client.id, action, topic }).then(
      (result) => result === "allow" || (result === "ignore" && gateways.has(client.id)),
    );
  const broker = await Aedes.createBroker({
    maxClientsIdLength: 64,
    authenticate: (client, username, password, done) => {
      const body = { clientid: client.id, username, password: String(password), peerhost: "::1" };
      ask(BROKER_AUTH_PATH, body).then((result) => {
        if (result === "ignore" && client.id.startsWith("gateway-")) {
          gateways.set(client.id, nameOf(client));
        }
        const isIn = result === "allow" || gateways.has(client.id);
        const no: AuthenticateError = Object.assign(new Error("no"), { returnCode: 5 });
        done(isIn ? null : no, isIn);
      });
    },
    // Each report of a shared group goes to one session, even if it is disconnected, as in
    // mosquitto: it gets the receiver's number in front of its topic until it is delivered.
    authorizePublish: (client, packet, done) => {
      if (!client) return done(new Error("no client"));
      mayUse(client, "publish", packet.topic).then((isIn) => {
        if (isIn && REPORT.test(packet.topic)) {
          const [place = 0] = createHash("sha1").update(packet.payload).digest();
          packet.topic = `${place % RECEIVERS}/${packet.topic}`;
        }
        done(isIn ? null : new Error("no"));
      });
    },
    authorizeSubscribe: (client, subscription, done) => {
      const shared = /^\$share\/[^/]+\/(.*)$/.exec(subscription.topic);
      if (shared?.[1]) subscription.topic = shared[1];
      mayUse(client, "subscribe", subscription.topic).then((isIn) => {
        const receiver = receiverOf(client);
        if (receiver) subscription.topic = `${receiver}/${subscription.topic}`;
        done(null, isIn ? subscription : null);
      });
    },
    // Changed in place: what is redelivered is this packet, not the one that is returned.
    authorizeForward: (_client, packet) =>
      Object.assign(packet, { topic: plainTopic(packet.topic) }),
  });
  broker.on("ack", (packet, client) => {
    if (packet && gateways.has(client.id)) {
      acknowledged.push(plainTopic((packet as { topic: string }).topic));
    }
  });
  const ready = new Set<string>();
  let connects = 0;
  broker.on("clientReady", (client) => {
    // A report for a receiver that has never subscribed is lost.
    if (!receiverOf(client)) ready.add(client.id);
    connects++;
  });
  broker.on("subscribe", (subscriptions, client) => {
    if (subscriptions.some(({ qos }) => qos < 128)) ready.add(client.id);
  });
  broker.on("clientDisconnect", (client) => ready.delete(client.id));
  const server = net.createServer((socket) => void broker.handle(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    acknowledged,
    gateways: () => [...gateways].filter(([id]) => ready.has(id)).map(([, name]) => name),
    connects: () => connects,
    async close() {
      server.close();
      await new Promise<void>((resolve) => broker.close(resolve));
    },
  };
}
