// Calls of third parties: authenticated by a signature over the raw bytes, and each recorded.
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CallSubject, Partner } from "../context.ts";
import { refuse } from "../errors.ts";
import { requireContentType } from "./http-access.ts";
import { plainAddress } from "./network.rules.ts";
import { textOf } from "./well-formed.gate.ts";

/** A request as received, before its body. */
export interface PartnerRequest {
  spec: EndpointSpec;
  method: string;
  /** As sent; null where a signed header is repeated or not printable ASCII. */
  headers: {
    authorization: string;
    host: string;
    contentType: string;
    idempotencyKey: string;
  } | null;
  target: string;
  /** Null where a proxy named none. */
  address: string | null;
  requestId: string;
}

export interface PartnerAnswer {
  status: number;
  body: string;
  ms: number;
  subject: CallSubject;
}

/** An application's requests in the current minute. */
export interface RateQuota {
  limit: number;
  /** Negative: this request is one too many. */
  remaining: number;
  resetSeconds: number;
}

export interface PartnerProof {
  partner: Partner;
  quota: RateQuota;
}

/** One call of a third party, from authentication to its record. */
export interface PartnerVisit {
  /** Authenticates the caller or refuses; counts the request. */
  prove(body: Buffer): Promise<PartnerProof>;
  /** Records the request and its answer. */
  record(answer: PartnerAnswer): Promise<void>;
}

/** Authentication of applications, implemented by the feature that owns them. */
export interface PartnerGatekeeper {
  receive(request: PartnerRequest): Promise<PartnerVisit>;
}

export interface PartnerCall {
  visit: PartnerVisit;
  partner: Partner | null;
  subject: CallSubject;
}

declare module "fastify" {
  interface FastifyRequest {
    partnerCall: PartnerCall | null;
  }
  interface FastifyContextConfig {
    spec?: EndpointSpec;
  }
}

/** Rate limit per address and minute before authentication, which costs work for unknown callers. */
export const REQUESTS_PER_MINUTE = 6_000;

/**
 * Routes of third parties have a Fastify scope of their own: a body stays raw bytes until its signature is verified.
 */
export async function addPartnerRoutes(
  app: FastifyInstance,
  gatekeeper: PartnerGatekeeper,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  const parseJson = jsonParser(app);

  async function believe(request: FastifyRequest, reply: FastifyReply) {
    const spec = specOf(request);
    const call = request.partnerCall as PartnerCall;
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { partner, quota } = await call.visit.prove(raw);
    reply.headers(quotaHeaders(quota));
    if (quota.remaining < 0) refuse("RATE_LIMITED", { seconds: quota.resetSeconds });
    call.partner = partner;
    requireScope(partner, spec.scope);
    requireContentType(request, spec);
    request.body = await bodyOf(request, spec, raw);
    if (spec.once && request.headers["idempotency-key"] === undefined) {
      refuse("IDEMPOTENCY_KEY_REQUIRED");
    }
  }

  async function bodyOf(request: FastifyRequest, spec: EndpointSpec, raw: Buffer) {
    const text = textOf(raw);
    if (spec.body) return text === "" ? undefined : parseJson(request, text);
    if (text !== "" && text !== "{}") refuse("BODY_NOT_EMPTY");
    return undefined;
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook("preParsing", async (request) => {
      const visit = await gatekeeper.receive(requestOf(request));
      request.partnerCall = { visit, partner: null, subject: {} };
    });
    scope.addHook("preValidation", believe);
    scope.addHook("onSend", async (request, reply, payload) => {
      await record(request, reply, payload);
      return payload;
    });
    addRoutes(scope);
  });
}

/** The framework's parser; it refuses `__proto__`. */
export function jsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser("error", "error");
  return (request: FastifyRequest, body: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      parse(request, body, (error, value) => (error ? reject(error) : resolve(value)));
    });
}

/** Rate limit headers of the IETF draft (draft-ietf-httpapi-ratelimit-headers-07), as GitHub and others send them. */
function quotaHeaders({ limit, remaining, resetSeconds }: RateQuota): Record<string, number> {
  return {
    "ratelimit-limit": limit,
    "ratelimit-remaining": Math.max(0, remaining),
    "ratelimit-reset": resetSeconds,
  };
}

/** Only a proven caller is told which scope its application lacks. */
export function requireScope({ scopes }: Partner, scope: string | undefined): void {
  if (scope && !scopes.has(scope)) refuse("NO_PERMISSION", { scope });
}

/** Every route of this scope sets its own. */
function specOf(request: FastifyRequest): EndpointSpec {
  return request.routeOptions.config.spec as EndpointSpec;
}

/** Signed headers must appear once and be printable ASCII, so that every program reads them alike. */
function requestOf(request: FastifyRequest): PartnerRequest {
  const { rawHeaders, url = "" } = request.raw;
  // HTTP/2 names the host in a header of its own.
  const nameOf = (given = "") => (given === ":authority" ? "host" : given.toLowerCase());
  const valuesOf = (name: string) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && nameOf(rawHeaders[at - 1]) === name);
  const given = ["authorization", "host", "content-type", "idempotency-key"].map(valuesOf);
  const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);
  const isReadable =
    given.every((values) => values.length <= 1 && values.every(isPlain)) && isPlain(url);
  const [authorization = "", host = "", contentType = "", idempotencyKey = ""] = given.map(
    ([value = ""]) => value,
  );
  return {
    spec: specOf(request),
    method: request.method,
    headers: isReadable ? { authorization, host, contentType, idempotencyKey } : null,
    target: url,
    address: plainAddress(request.ip),
    requestId: request.id,
  };
}

/** A failure to record the call does not fail its answer. */
async function record(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const call = request.partnerCall;
  if (!call) return;
  const answer = {
    status: reply.statusCode,
    body: typeof payload === "string" ? payload : "",
    ms: Math.round(reply.elapsedTime),
    subject: call.subject,
  };
  try {
    await call.visit.record(answer);
  } catch (error) {
    request.log.error({ err: error }, "open call not recorded");
  }
}
