// HTTP routes for cabinets, and the authentication hooks that an outside broker calls.
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
import ipaddr from "ipaddr.js";
import type { Database } from "../../../../platform/db/db.ts";
import { refuse } from "../../../../platform/errors.ts";
import { mount } from "../../../../platform/http/mount.ts";
import { plainAddress } from "../../../../platform/http/network.rules.ts";
import { isGrantedByAcl } from "../broker/topic.gate.ts";
import { Challenges } from "./challenge.sql.ts";
import type { ConnectGate } from "./connect.gate.ts";

export function deviceRoutes(database: Database) {
  const challenges = new Challenges(database, CHALLENGE_TTL_SECONDS);
  return mount(deviceContract, {
    async challenge() {
      const nonce = newNonce();
      const serverTime = await challenges.issue(nonce);
      return { nonce, serverTime, exp: CHALLENGE_TTL_SECONDS };
    },
  });
}

const neighbourRanges = ["loopback", "private", "uniqueLocal"];

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
  const address = plainAddress(request.socket.remoteAddress);
  const isForwarded = "x-forwarded-for" in request.headers || "forwarded" in request.headers;
  const isNeighbour = address && neighbourRanges.includes(ipaddr.parse(address).range());
  if (isForwarded || !isNeighbour) refuse("NO_PERMISSION");
}
