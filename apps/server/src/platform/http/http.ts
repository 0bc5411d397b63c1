// HTTP layer of mounted routes: access first, then validation, one transaction, one envelope.
import { randomUUID } from "node:crypto";
import { parse as parseForm } from "node:querystring";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type EndpointSpec,
  isReading,
  loadOf,
  type StoredFile,
  Success,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { SERVER_TIME_HEADER } from "@cabinet/contract/kit/press.rules.ts";
import { REPLAYED_HEADER } from "@cabinet/contract/kit/repeat.rules.ts";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  LogController,
} from "fastify";
import type { Database } from "../db/db.ts";
import type { Replica } from "../db/replica.ts";
import type { TlsFiles } from "../env.ts";
import { Refusal, refuse } from "../errors.ts";
import type { FileStore } from "../files/file-store.ts";
import type { ClamdAddress } from "../files/virus-scan.ts";
import { RefusalPace } from "../limits/refusal-pace.rules.ts";
import type { TenantUse } from "../limits/tenant-use.rules.ts";
import { addTenantUse } from "../limits/tenant-use.runner.ts";
import type { Log } from "../log.ts";
import { observeRequests } from "../metrics.ts";
import {
  type AppGatekeeper,
  type Gatekeeper,
  mediaTypes,
  type RecalledSession,
  recallSession,
  requireAccess,
  requireContentType,
  signIn,
  signInEndUser,
} from "./http-access.ts";
import { runCall, runUpload, SessionChanged, sendFile } from "./http-call.ts";
import { closeInTime } from "./http-drain.ts";
import { answerClientError, dataHeaders, sendError } from "./http-error.ts";
import {
  addPartnerRoutes,
  jsonParser,
  type PartnerGatekeeper,
  REQUESTS_PER_MINUTE,
} from "./http-partner.ts";
import { traceRequests } from "./http-tracing.ts";
import type { Route } from "./mount.ts";
import { networkOf } from "./network.rules.ts";
import { compileSerializer, type Serialize } from "./serializer.ts";
import {
  alignWithHttp1,
  endStalled,
  isGone,
  readCertificate,
  renewCertificate,
  secureOptions,
  streamOf,
} from "./tls.ts";
import { compileSchema } from "./validation.ts";
import {
  requireDecodable,
  requireDecodableQuery,
  requireOneHost,
  textOf,
} from "./well-formed.gate.ts";

export const BODY_LIMIT = 256 * 1024;
/** Rate limit per address and minute: public calls cost work before authentication. */
const PUBLIC_CALLS_PER_MINUTE = 240;
/** Per address and minute: a photo of an app user is decoded before the day's limit counts it. */
const APP_UPLOADS_PER_MINUTE = 30;
/** requestTimeout: long enough for the largest upload on a slow link; also drops half-sent requests. */
const REQUEST_MS = 10 * 60_000;
const KEEP_ALIVE_MS = 72_000;
/** All other bodies: 256 KB on a slow link. */
export const BODY_MS = 20_000;
/** Deadlines nest (promise O3): clients wait for 10 s. */
const HANDLER_MS = 8_000;

export interface HttpOptions {
  log: Log;
  database: Database;
  /** Answers some reads of consoles. */
  replica?: Replica;
  gatekeeper: Gatekeeper;
  appGatekeeper: AppGatekeeper;
  /** Set where third parties may call. */
  partnerGatekeeper?: PartnerGatekeeper;
  files: FileStore;
  /** Scans uploads for viruses; absent: nothing does. */
  clamd?: ClamdAddress | null;
  /** Proxies whose X-Forwarded-For is trusted; default: this machine only. */
  trustedProxies?: string[];
  /** Serves HTTPS with HTTP/2; absent: plain HTTP. */
  tls?: TlsFiles | null;
  routes: Route[];
  sharedSchemas: readonly object[];
  /** Sees every answer of a call before it is sent. */
  onAnswer?: AnswerObserver;
  /** Default: the pace of strangers and of accounts. */
  refusalPace?: RefusalPace;
}

export type AnswerObserver = (spec: EndpointSpec, status: number, payload: unknown) => void;

declare module "fastify" {
  interface FastifyInstance {
    tenantUse: TenantUse;
  }
}

/** Former address of 广告管理, which ad blockers stop: clients still use it. */
const FORMER_PATH = /^\/api\/admin\/v1\/advert\//;

export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { tls } = options;
  const app: FastifyInstance = Fastify({
    ...((tls && secureOptions(readCertificate(tls))) as object),
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "requestId",
    }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    trustProxy: options.trustedProxies ?? ["loopback"],
    // Never the caller's: entries of the audit log could be given the id of another request.
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = "" }) => url.replace(FORMER_PATH, "/api/admin/v1/screen-content/"),
    forceCloseConnections: "idle",
    // Errors before routing, and 503 while closing, would otherwise have the framework's own bodies.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
    return503OnClosing: false,
  });
  if (tls) {
    alignWithHttp1(app, { requestMs: REQUEST_MS, keepAliveMs: KEEP_ALIVE_MS });
    renewCertificate(app, tls, options);
    endStalled(app);
  }
  const use = addTenantUse(app, options);
  app.decorate("tenantUse", use);
  app.decorateRequest("session", null);
  app.decorateRequest("recalled", null);
  app.decorateRequest("endUser", null);
  app.decorateRequest("partnerCall", null);
  app.decorateRequest("refusalCode", null);
  app.decorateRequest("isReplayed", false);
  traceRequests(app);
  app.addHook("onSend", async (request, reply, payload) => {
    const { spec } = request.routeOptions.config as { spec?: EndpointSpec };
    if (spec) options.onAnswer?.(spec, reply.statusCode, payload);
    reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
    reply.header(SERVER_TIME_HEADER, Date.now());
    if (request.isReplayed && reply.statusCode === 200) reply.header(REPLAYED_HEADER, "true");
    // Files and documents set their own; other answers hold tokens and personal data.
    if (reply.hasHeader("cache-control")) return;
    const isDocument = String(reply.getHeader("content-type")).startsWith("text/html");
    reply.headers(isDocument ? { "cache-control": "no-store" } : dataHeaders);
  });
  app.addHook("onResponse", async (request, reply) => logRequest(request, reply));
  app.addHook("onRequest", async (request) => requireOneHost(request));
  app.addHook("preParsing", async (request, reply) => limitBodyTime(request, reply));
  observeRequests(app);
  closeInTime(app);
  await app.register(multipart);
  await app.register(rateLimit, {
    global: false,
    keyGenerator: (request) => networkOf(request.ip),
    errorResponseBuilder: (_request, context) =>
      new Refusal("RATE_LIMITED", { seconds: Math.ceil(context.ttl / 1000) }),
  });
  const { refusalPace: pace = new RefusalPace() } = options;
  const parseJson = jsonParser(app);
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      const text = textOf(body);
      return text === "" ? undefined : parseJson(request, text);
    },
  );
  app.addContentTypeParser(
    mediaTypes.form,
    { parseAs: "buffer" },
    async (_: unknown, body: Buffer) => {
      const text = textOf(body);
      requireDecodable(text);
      return parseForm(text);
    },
  );
  app.setErrorHandler(async (error, request, reply) => {
    const failure = request.recalled
      ? await confirmedRefusal(request, options.gatekeeper, error)
      : error;
    await waitBeforeRefusal(pace, request, reply);
    return sendError(failure, request, reply);
  });
  for (const schema of options.sharedSchemas) app.addSchema(schema);
  app.setSerializerCompiler(({ schema }) => lazySerializer(schema, options.sharedSchemas));
  const isPartners = ({ spec }: Route) => spec.access === "partner";
  for (const route of options.routes) if (!isPartners(route)) addRoute(app, route, options, use);
  if (options.partnerGatekeeper) {
    await addPartnerRoutes(app, options.partnerGatekeeper, (scope) => {
      for (const route of options.routes)
        if (isPartners(route)) addRoute(scope, route, options, use);
    });
  }
  return app;
}

/** Refused work costs the caller: who is refused often waits for each answer. */
async function waitBeforeRefusal(
  pace: RefusalPace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { session, endUser, partnerCall } = request;
  const partner = partnerCall?.partner;
  const account =
    (session && `operator ${session.operatorId}`) ??
    (endUser && `user ${endUser.endUserId}`) ??
    (partner && `app ${partner.appId}`);
  const now = performance.now();
  const ms = account ? pace.ofAccount(account, now) : pace.ofAddress(request.ip, now);
  if (ms > 0) await sleep(ms, undefined, { signal: goneSignal(reply) }).catch(() => {});
}

/** Refused before the read that confirms the session: one that has ended learns nothing else. */
async function confirmedRefusal(
  request: FastifyRequest,
  gatekeeper: Gatekeeper,
  error: unknown,
): Promise<unknown> {
  const { spec } = request.routeOptions.config as { spec?: EndpointSpec };
  try {
    const session = await signIn(request, gatekeeper);
    if (spec) requireAccess(session, spec);
    return error;
  } catch (refusal) {
    return refusal;
  }
}

/** Compiled with the first reply: together, the serializers of all calls take half a second. */
function lazySerializer(schema: object, shared: readonly object[]): Serialize {
  let serialize: Serialize | undefined;
  return (data) => {
    serialize ??= compileSerializer(schema, shared);
    return serialize(data);
  };
}

/** Successful reads are frequent and uninformative: logged at debug level, everything else at info. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const isQuiet = request.method === "GET" && reply.statusCode < 400;
  request.log[isQuiet ? "debug" : "info"](
    {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      code: request.refusalCode ?? undefined,
      address: request.ip,
      tenantId: (request.session ?? request.endUser ?? request.partnerCall?.partner)?.tenantId,
      operatorId: request.session?.operatorId,
      endUserId: request.endUser?.endUserId,
      appId: request.partnerCall?.partner?.appId,
      givenRequestId: givenIdOf(request),
    },
    "request",
  );
}

/** The caller's own id of the request, with which a proxy's log is found. */
function givenIdOf({ headers }: FastifyRequest): string | undefined {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w-]{8,64}$/.test(given) ? given : undefined;
}

/** Counts a call of a tenant's console or third parties. Doors and the app are never refused: goods come out. */
function countCall(use: TenantUse, tenantId: number, spec: EndpointSpec): void {
  if (loadOf(spec) === "critical") return;
  const excess = use.countRequest(tenantId, performance.now());
  if (excess) refuse("TENANT_REQUESTS_USED_UP", { ...excess });
}

function addRoute(app: FastifyInstance, route: Route, options: HttpOptions, use: TenantUse): void {
  const { spec } = route;
  const isText = (part: string | undefined) => part !== "body" || spec.bodyForm === "form";
  const isUpload = spec.bodyForm === "multipart";
  const isFile = spec.replyForm === "file";
  const { gatekeeper, replica } = options;
  // Elsewhere the session is found first: before a file, before slow work, before a read at another database.
  const mayRecall = isReading(spec) && !isFile && !route.prepare && !replica;
  const schema: FastifySchema = isFile ? {} : { response: { 200: Success(spec.reply) } };
  if (spec.params) schema.params = spec.params;
  if (spec.query) schema.querystring = spec.query;
  // The fields of an upload are known only after it has been read.
  if (spec.body && !isUpload) schema.body = spec.body;
  app.route({
    method: spec.method,
    url: urlPath(spec).replace(/\{(\w+)\}/g, ":$1"),
    schema,
    validatorCompiler: ({ schema: part, httpPart }) =>
      compileSchema(part as object, isText(httpPart)),
    config: { spec, ...limitOf(spec) },
    onRequest: async (request) => {
      requireDecodableQuery(request);
      // Third parties are authenticated in the hooks of their own scope, together with the body.
      if (spec.access === "partner") return;
      if (spec.access === "end-user") {
        request.endUser = await signInEndUser(request, options.appGatekeeper, spec);
      } else if (spec.access !== "public") {
        const recalled = mayRecall ? recallSession(request, gatekeeper, spec) : null;
        request.session = recalled?.session ?? (await signIn(request, gatekeeper));
        if (!recalled) requireAccess(request.session, spec);
        countCall(use, request.session.homeTenantId, spec);
        request.recalled = recalled;
      }
      requireContentType(request, spec);
    },
    preValidation: async ({ partnerCall }) => {
      if (partnerCall?.partner) countCall(use, partnerCall.partner.tenantId, spec);
    },
    handler: async (request, reply) => {
      const signal = goneSignal(reply);
      const { recalled } = request;
      request.recalled = null;
      const run = (more: { recalled?: RecalledSession | null }) =>
        runCall(route, request, request.body, {
          database: options.database,
          appGatekeeper: options.appGatekeeper,
          replica,
          untilMs: performance.now() - reply.elapsedTime + HANDLER_MS,
          signal,
          ...more,
        });
      const again = async (error: unknown) => {
        if (!(error instanceof SessionChanged)) throw error;
        request.session = await signIn(request, gatekeeper);
        requireAccess(request.session, spec);
        return run({});
      };
      const result = isUpload
        ? await runUpload(route, request, { ...options, signal })
        : await run({ recalled }).catch(again);
      if (result instanceof Refusal) throw result;
      if (isFile) return sendFile(reply, result as StoredFile, options.files);
      return reply.send({ code: 0, data: result, errMsg: "" });
    },
  });
}

/** Refuses a body that does not arrive in time. Uploads have the whole request's time, which HTTP/2 does not limit. */
function limitBodyTime({ raw, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  const { spec } = routeOptions.config as { spec?: EndpointSpec };
  const stream = streamOf(raw);
  const hasBody = stream
    ? !stream.endAfterHeaders
    : "content-length" in raw.headers || "transfer-encoding" in raw.headers;
  if (!hasBody) return;
  const timeMs = spec?.bodyForm === "multipart" ? REQUEST_MS : BODY_MS;
  const timer = setTimeout(() => {
    // With HTTP/2 the rest of the body would keep its stream open. A reset sent at once would overtake the answer.
    if (stream) stream.once("finish", () => setImmediate(() => stream.close()));
    else reply.header("connection", "close");
    // The parser listens while it reads; nobody does where a body is not read.
    if (raw.listenerCount("error") > 0) raw.emit("error", new Refusal("REQUEST_TIMEOUT"));
    else raw.destroy();
  }, timeMs);
  for (const event of ["end", "close"]) raw.once(event, () => clearTimeout(timer));
}

/** Aborted when the client closes the connection before its answer. Fastify's own signal ends with the request's body. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (isGone(raw)) gone.abort();
  raw.once("close", () => {
    if (!raw.writableEnded) gone.abort();
  });
  return gone.signal;
}

const noRateHeaders = {
  "x-ratelimit-limit": false,
  "x-ratelimit-remaining": false,
  "x-ratelimit-reset": false,
};

/** Rate limit per address, for calls that cost work before authentication. */
function limitOf({ access, base, bodyForm }: EndpointSpec) {
  // Its headers would tell the limit of the address: those of the application are set with its proof.
  if (access === "partner") {
    return {
      rateLimit: {
        ...{ max: REQUESTS_PER_MINUTE, timeWindow: 60_000 },
        ...{ addHeaders: noRateHeaders, addHeadersOnExceeding: noRateHeaders },
      },
    };
  }
  if (access === "end-user" && bodyForm === "multipart") {
    return { rateLimit: { max: APP_UPLOADS_PER_MINUTE, timeWindow: 60_000 } };
  }
  if (access !== "public" || base === "") return {};
  return { rateLimit: { max: PUBLIC_CALLS_PER_MINUTE, timeWindow: 60_000 } };
}
