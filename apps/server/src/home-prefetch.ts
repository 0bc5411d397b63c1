// Prefetches for the sign-in what 首页 shows first, by the same calls that the console would make.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { homeScreenContract } from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import type { FastifyInstance } from "fastify";
import type { PrefetchHome } from "./features/identity/auth/index.ts";

/** A cold, busy server takes over half a second; whoever waits longer is better served without figures. */
const MOST_WAIT_MS = 2_000;

/** The calls pass through HTTP, so that session, rights, limits and schemas apply as to a request from outside. */
export function homePrefetch(app: () => FastifyInstance): PrefetchHome {
  return async ({ token, tenantId }, day, { origin, log }) => {
    const signal = AbortSignal.timeout(MOST_WAIT_MS);
    const dataOf = async (spec: EndpointSpec, query: Record<string, string>) => {
      const reply = await app().inject({
        method: spec.method,
        url: urlPath(spec),
        query,
        headers: { "auth-token": token, "auth-id": "cupboard", tenantid: String(tenantId) },
        remoteAddress: origin.address,
        signal,
      });
      const { code, data } = reply.json<{ code: number; data: unknown }>();
      if (code !== 0) throw new Error(`${spec.path} answers ${reply.statusCode}, code ${code}`);
      return data;
    };
    try {
      const [menu, home] = await Promise.all([
        dataOf(accessContract.menu, {}),
        dataOf(homeScreenContract.read, { day }),
      ]);
      return { menu, home };
    } catch (error) {
      log.warn({ err: error }, "first answers of 首页 were not prefetched");
      return null;
    }
  };
}
