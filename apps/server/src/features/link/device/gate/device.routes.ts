// HTTP routes for cabinets, and the authentication hooks that an outside broker calls.
import { BlockList, isIPv6 } from "node:net";
import {
  BROKER_ACL_PATH,
  BROKER_AUTH_PATH,
  BrokerAclRequest,
  BrokerAuthRequest,
  type BrokerResult,
  deviceContract,
} from "@cabinet/contract/link/device/device.contract.ts";
import { CHALLENGE_TTL_SECONDS, isCabinetId, newNonce } from "@cabinet/link";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../../../../platform/errors.ts";
import { mount } from "../../../../platform/http/mount.ts";
import { isGrantedByAcl } from "../broker/topic.gate.ts";
import { insertChallenge } from "./challenge.sql.ts";
import type { ConnectGate } from "./connect.gate.ts";

export const deviceRoutes = mount(deviceContract, {
  async challenge({ database }) {
    const nonce = newNonce();
    const serverTime = await insertChallenge(database, nonce, CHALLENGE_TTL_SECONDS);
    return { nonce, serverTime, exp: CHALLENGE_TTL_SECONDS };
  },
});

const neighbours = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  neighbours.addSubnet(network, prefix, "ipv4");
}
neighbours.addAddress("::1", "ipv6");
neighbours.addSubnet("fc00::", 7, "ipv6");

/** Registered only where an outside broker is used (docs/decisions/0006). */
export function addBrokerHooks(app: FastifyInstance, gate: ConnectGate): void {
  const reply = (result: BrokerResult) => ({ result });

  app.post<{ Body: BrokerAuthRequest }>(
    BROKER_AUTH_PATH,
    { schema: { body: BrokerAuthRequest }, onRequest: requireNeighbour },
    async ({ body }) => {
      const { clientid: clientId, username = "", password = "", peerhost: address = "" } = body;
      if (!isCabinetId(clientId)) return reply("ignore");
      const verdict = await gate.decide({ clientId, username, password, address });
      return reply(verdict.ok ? "allow" : "deny");
    },
  );

  app.post<{ Body: BrokerAclRequest }>(
    BROKER_ACL_PATH,
    { schema: { body: BrokerAclRequest }, onRequest: requireNeighbour },
    async ({ body }) => {
      const { clientid: clientId, username = clientId } = body;
      if (!isCabinetId(clientId)) return reply("ignore");
      const isGranted = username === clientId && isGrantedByAcl({ ...body, clientId });
      return reply(isGranted ? "allow" : "deny");
    },
  );
}

/** Accepts only direct calls, without a proxy, from the loopback or a private network. */
async function requireNeighbour(request: FastifyRequest): Promise<void> {
  const address = (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const isForwarded = "x-forwarded-for" in request.headers || "forwarded" in request.headers;
  if (isForwarded || !neighbours.check(address, isIPv6(address) ? "ipv6" : "ipv4")) {
    refuse("NO_PERMISSION");
  }
}
