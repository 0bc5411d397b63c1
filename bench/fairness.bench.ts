// Measures a tenant's calls while another tenant floods the server with every kind of call.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { makeToken } from "../apps/server/src/platform/access-token.ts";
import { sql } from "../apps/server/src/platform/db/sql.ts";
import type { BenchServer } from "./bench-server.ts";
import { type Figure, percentile } from "./figures.ts";
import { flood } from "./flood.ts";
import { type LoadRequest, type LoadResult, openLoad } from "./open-load.ts";

const SECONDS = 60;
/** Connections of the flood, shared equally by its kinds of calls; and without an excess. */
const FLOOD = 300;
const MODERATE = 18;
const DAYS = 90;
export const MOST_RATIO = 2;
export const MOST_MORE_MS = 50;
const LEAST_GOODPUT = 0.8;
/** Promise O2: so many times the peak arrive, on schedule. */
const OVERLOAD = 3;

export interface Caller {
  tenantId: number;
  headers: Record<string, string>;
  doors: { cabinetId: number; no: number }[];
}

/** Kinds of calls of the other tenant: requests a second and the percentile that counts. */
const kinds = {
  list: { title: "列表", perSecond: 10, share: 0.95 },
  statistics: { title: "统计", perSecond: 1, share: 0.95 },
  door: { title: "开门", perSecond: 4, share: 0.99 },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

export async function benchFairness(benchServer: BenchServer): Promise<Figure[]> {
  const [flooder, neighbour] = await signInTenants(benchServer);
  const { origin } = benchServer.server;
  const idle = await measure(origin, neighbour);
  const moderateOf = await floodAll(origin, flooder, MODERATE);
  const moderate = sumOf(moderateOf);
  const [loaded, floodedOf] = await Promise.all([
    measure(origin, neighbour),
    floodAll(origin, flooder, FLOOD),
  ]);
  const flooded = sumOf(floodedOf);
  const [peakOf, peak] = flooded > moderate ? [floodedOf, flooded] : [moderateOf, moderate];
  const overloaded = await overload(origin, flooder, peakOf);
  const part = `一个租户用 ${FLOOD} 个连接占满各类请求，${SECONDS} 秒；另一个租户照常使用`;
  return [
    ...kindNames.flatMap((kind): Figure[] => {
      const { title, share } = kinds[kind];
      const [before, after] = [idle, loaded].map((results) =>
        percentile(results[kind].took, share),
      );
      const name = `${title}（p${share * 100}）`;
      return [
        { part, name: `${name}，空闲时`, value: before ?? Number.NaN, unit: "毫秒" },
        {
          part,
          name,
          value: after ?? Number.NaN,
          unit: "毫秒",
          goal: { atMost: (before ?? 0) * MOST_RATIO + MOST_MORE_MS },
        },
      ];
    }),
    {
      part,
      name: "另一个租户收到的 5xx 和 429",
      value: kindNames.reduce((sum, kind) => sum + refusedOf(loaded[kind]), 0),
      unit: "次",
      goal: { atMost: 0 },
    },
    { part, name: `占满者成功的请求，${MODERATE} 个连接时`, value: moderate, unit: "次/秒" },
    { part, name: `占满者成功的请求，${FLOOD} 个连接时`, value: flooded, unit: "次/秒" },
    {
      part,
      name: "成功的请求之比",
      value: flooded / moderate,
      unit: "倍",
      goal: { atLeast: LEAST_GOODPUT },
    },
    {
      part,
      name: `到达 ${OVERLOAD} 倍于最高的请求（${Math.round(peak * OVERLOAD)} 次/秒）时，成功的之比`,
      value: overloaded / peak,
      unit: "倍",
      goal: { atLeast: LEAST_GOODPUT },
    },
  ];
}

/** The two demo tenants with the most orders, each with a signed-in administrator. */
export function signInTenants({ database }: BenchServer): Promise<[Caller, Caller]> {
  return database.transaction("platform", async (db) => {
    const tenants = await db.many<{ tenantId: number; operatorId: number }>(sql`
      select tenant_id, min(id) as operator_id from operator
      where user_type = 1 and disabled_at is null
        and exists (select from cabinet where cabinet.tenant_id = operator.tenant_id)
      group by tenant_id
      order by (select count(*) from storage_order where storage_order.tenant_id = operator.tenant_id)
        desc limit 2`);
    const callers = await Promise.all(
      tenants.map(async ({ tenantId, operatorId }): Promise<Caller> => {
        const { token, tokenHash } = makeToken(db.vault, "session");
        await db.run(sql`
          insert into session (token_hash, tenant_id, operator_id, expires_at, has_mac)
          values (${tokenHash}, ${tenantId}, ${operatorId}, now() + interval '8 hours', true)`);
        const doors = await db.many<Caller["doors"][number]>(sql`
          select cabinet_id, no from compartment
          where tenant_id = ${tenantId} and occupancy = 'FREE' and admin_state = 'ENABLED'`);
        const headers = { "auth-token": token, tenantid: String(tenantId), "auth-id": "cupboard" };
        return { tenantId, headers, doors };
      }),
    );
    // The flood is to meet the shares of the connections, not the limit of its tenant.
    await db.run(sql`
      update tenant set max_requests = null
      where id = any(${tenants.map(({ tenantId }) => tenantId)}::int[])`);
    const [flooder, neighbour] = callers;
    if (!flooder || !neighbour) throw new Error("the demo has fewer than two tenants");
    return [flooder, neighbour];
  });
}

export function requestsOf(kind: Kind, { doors }: Caller): LoadRequest[] {
  const pathOf = (spec: EndpointSpec) => urlPath(spec);
  switch (kind) {
    case "list":
      return [{ method: "GET", path: `${pathOf(cabinetContract.list)}?page=1&pageSize=20` }];
    case "statistics": {
      const [from, to] = [DAYS, 1].map((days) => shanghaiDay(Date.now() - days * 86_400_000));
      return [{ method: "GET", path: `${pathOf(statisticsContract.sizes)}?from=${from}&to=${to}` }];
    }
    case "door":
      return doors.map(({ cabinetId, no }) => ({
        method: "POST",
        path: pathOf(commandContract.open).replace("{id}", String(cabinetId)),
        body: { no, reason: "压测开门" },
      }));
  }
}

async function measure(origin: string, caller: Caller): Promise<Record<Kind, LoadResult>> {
  const results = await Promise.all(
    kindNames.map((kind) =>
      openLoad({
        origins: [origin],
        headers: caller.headers,
        perSecond: kinds[kind].perSecond,
        seconds: SECONDS,
        requests: requestsOf(kind, caller),
      }),
    ),
  );
  return Object.fromEntries(kindNames.map((kind, at) => [kind, results[at]])) as Record<
    Kind,
    LoadResult
  >;
}

/** Business refusals (status 200) are answers; what counts is that nobody was turned away. */
export function refusedOf({ failures }: LoadResult): number {
  return Object.entries(failures)
    .filter(([failure]) => !failure.startsWith("200 "))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Sends `OVERLOAD` times the peak of each kind, answered or not; returns the answers with status 200 a second. */
async function overload(
  origin: string,
  caller: Caller,
  peakOf: Record<Kind, number>,
): Promise<number> {
  const started = performance.now();
  const results = await Promise.all(
    kindNames.map((kind) =>
      openLoad({
        origins: [origin],
        headers: caller.headers,
        perSecond: Math.ceil(peakOf[kind] * OVERLOAD),
        seconds: SECONDS,
        requests: requestsOf(kind, caller).slice(0, 1),
      }),
    ),
  );
  // Answers that come after the last request was due count against it.
  const seconds = (performance.now() - started) / 1_000;
  const successes = results.map((result) => result.took.length - refusedOf(result));
  return successes.reduce((sum, count) => sum + count, 0) / seconds;
}

const sumOf = (rates: Record<Kind, number>) =>
  kindNames.reduce((sum, kind) => sum + rates[kind], 0);

/** Sends as fast as it is answered; returns the answers with status 200 a second, by kind. */
async function floodAll(
  origin: string,
  caller: Caller,
  connections: number,
): Promise<Record<Kind, number>> {
  const rates = await Promise.all(
    kindNames.map(async (kind) => {
      const [request] = requestsOf(kind, caller);
      if (!request) throw new Error(`no request of ${kind}`);
      const { method, path, body } = request;
      const headers = { ...caller.headers, ...(body && { "content-type": "application/json" }) };
      const { successes } = await flood({
        ...{ url: `${origin}${path}`, method, headers, body },
        ...{ connections: connections / kindNames.length, seconds: SECONDS },
      });
      return [kind, successes] as const;
    }),
  );
  return Object.fromEntries(rates) as Record<Kind, number>;
}
