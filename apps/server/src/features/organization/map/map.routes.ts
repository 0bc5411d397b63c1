// Routes of the map, and the proxy to the map service that keeps its security code on the server.
import { mapContract } from "@cabinet/contract/organization/map/map.contract.ts";
import { MAP_SERVICE_PATH, mapServicePath } from "@cabinet/contract/organization/map/map.rules.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { mount } from "../../../platform/http/mount.ts";
import { isServiceMedia, serviceUrl } from "./map-service.rules.ts";
import type { MapSetting } from "./map-setting.service.ts";

const SERVICE_TIMEOUT_MS = 8_000;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** Rate limit per account; a person who types and drags makes far fewer calls. */
const CALLS_PER_MINUTE = 180;

export function mapRoutes(setting: MapSetting) {
  return mount(mapContract, {
    async setting({ db, session }) {
      const amap = await setting.keyOf(db, session.tenantId);
      return amap && { key: amap.key, servicePath: mapServicePath(setting.issueTicket(session)) };
    },
  });
}

/** HTTP client for the map service; tests inject their own. */
export type Ask = (url: URL, init: RequestInit) => Promise<Response>;

interface ServiceRequest {
  Params: { ticket: string; "*": string };
}

/** See docs/decisions/0012 for the allowed calls and the reasons. */
export function addMapService(
  app: FastifyInstance,
  { setting, database, ask = fetch }: { setting: MapSetting; database: Database; ask?: Ask },
): void {
  const keyFor = (tenantId: number) =>
    database.read({ tenantId }, (db) => setting.keyOf(db, tenantId));
  app.get<ServiceRequest>(
    `${MAP_SERVICE_PATH.replace("{ticket}", ":ticket")}/*`,
    {
      config: {
        rateLimit: {
          max: CALLS_PER_MINUTE,
          timeWindow: 60_000,
          // Limits by account: one account can hold any number of tickets.
          keyGenerator: ({ params, ip }) => {
            const claims = setting.readTicket((params as ServiceRequest["Params"]).ticket);
            return claims ? `${claims.tenantId}.${claims.operatorId}` : ip;
          },
        },
      },
    },
    async (request, reply) => {
      const claims = setting.readTicket(request.params.ticket);
      const amap = claims && (await keyFor(claims.tenantId));
      if (!amap) return refuse("NO_PERMISSION");
      const [, query = ""] = request.url.split("?", 2);
      const url = serviceUrl(`/${request.params["*"]}`, query, amap.securityCode);
      if (!url) return refuse("ROUTE_NOT_FOUND");
      return pass(request, reply, await answerOf(request, url, ask));
    },
  );
}

/** Forwards nothing of the request. The Referer is our own origin: a key may be restricted to it, and the frame sends none. */
async function answerOf(request: FastifyRequest, url: URL, ask: Ask): Promise<Response | null> {
  try {
    return await ask(url, {
      redirect: "error",
      signal: AbortSignal.timeout(SERVICE_TIMEOUT_MS),
      headers: { referer: `${request.protocol}://${request.host}/` },
    });
  } catch (error) {
    // Neither URL nor cause is logged: both contain the security code.
    request.log.warn({ name: (error as Error).name }, "map service not reached");
    return null;
  }
}

async function pass(request: FastifyRequest, reply: FastifyReply, answer: Response | null) {
  const body = answer?.ok ? await bodyOf(answer) : null;
  const contentType = answer?.headers.get("content-type") ?? null;
  if (!body || !isServiceMedia(contentType)) {
    if (answer) request.log.warn({ status: answer.status, contentType }, "map service refused");
    return refuse("MAP_UNREACHABLE");
  }
  // The frame has an opaque origin; the ticket in the path is what authorises it.
  reply.header("cache-control", "no-store").header("access-control-allow-origin", "*");
  return reply.type(String(contentType)).send(body);
}

/** Null if the answer breaks off or exceeds the size limit. */
async function bodyOf(answer: Response): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of answer.body ?? []) {
      bytes += part.byteLength;
      if (bytes > MAX_ANSWER_BYTES) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  return Buffer.concat(parts);
}
