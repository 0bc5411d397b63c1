// The HTTP side of mount: access first, then validation, one transaction, one envelope.
import { randomUUID } from "node:crypto";
import {
  type EndpointSpec,
  Envelope,
  type StoredFile,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { errorTable, errorText } from "@cabinet/contract/kit/errors.ts";
import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import type { ErrorObject } from "ajv";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  LogController,
} from "fastify";
import { insertAuditEntry } from "./audit.sql.ts";
import type { AuditNote, Ctx, Origin, PublicCtx, Session } from "./context.ts";
import { isPlatformStaff, mayDo, scopeOf } from "./context.ts";
import type { Database, Db } from "./db.ts";
import { Refusal, refuse } from "./errors.ts";
import type { FileStore } from "./file-store.ts";
import type { Log } from "./log.ts";
import { observeRequests } from "./metrics.ts";
import type { Route } from "./mount.ts";
import { discardUpload, receiveUpload } from "./upload.ts";
import { compileSchema, explainValidation } from "./validation.ts";

const BODY_LIMIT = 256 * 1024;
/** Public calls cost work before anybody is known; per address and minute. */
const PUBLIC_CALLS_PER_MINUTE = 240;

const mediaTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

/** What the HTTP side must be told by the feature that knows accounts. */
export interface Gatekeeper {
  /** The session of a token; null when it is unknown, expired or revoked. Refuses an expired tenant. */
  findSession(token: string): Promise<Session | null>;
  /** Whether `findSession` would find it, without counting as activity. */
  isSessionAlive(token: string): Promise<boolean>;
  /** Records a `tenantId` header that is not the session's. */
  recordTenantMismatch(session: Session, claimed: string, origin: Origin): Promise<void>;
}

declare module "fastify" {
  interface FastifyRequest {
    session: Session | null;
  }
}

export interface HttpOptions {
  log: Log;
  database: Database;
  gatekeeper: Gatekeeper;
  files: FileStore;
  routes: Route[];
  sharedSchemas: readonly object[];
}

export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "requestId",
    }),
    bodyLimit: BODY_LIMIT,
    trustProxy: "loopback",
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    },
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: "idle",
  });
  app.decorateRequest("session", null);
  app.addHook("onSend", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => logRequest(request, reply));
  observeRequests(app);
  await app.register(formbody, { bodyLimit: BODY_LIMIT });
  await app.register(multipart);
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, context) =>
      new Refusal("RATE_LIMITED", { seconds: Math.ceil(context.ttl / 1000) }),
  });
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else parseJson(request, body as string, done);
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  for (const schema of options.sharedSchemas) app.addSchema(schema);
  for (const route of options.routes) addRoute(app, route, options);
  return app;
}

/** Reads that went well are many and say little; the rest is worth a line each. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const isQuiet = request.method === "GET" && reply.statusCode < 400;
  request.log[isQuiet ? "debug" : "info"](
    {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      tenantId: request.session?.tenantId,
      operatorId: request.session?.operatorId,
    },
    "request",
  );
}

/** Signs a request in by its headers; the tenant comes from the session alone. */
export async function signIn(request: FastifyRequest, gatekeeper: Gatekeeper): Promise<Session> {
  const token = request.headers["auth-token"];
  const session = typeof token === "string" ? await gatekeeper.findSession(token) : null;
  if (!session) refuse("SIGN_IN_REQUIRED");
  const claimed = request.headers.tenantid;
  if (claimed !== undefined && claimed !== String(session.tenantId)) {
    await gatekeeper.recordTenantMismatch(session, String(claimed), originOf(request));
    refuse("TENANT_MISMATCH");
  }
  return session;
}

function requireAccess(session: Session, spec: EndpointSpec): void {
  if (session.mustChangePassword && !isOpenBeforePasswordChange(spec)) {
    refuse("PASSWORD_CHANGE_REQUIRED");
  }
  if (spec.access === "signed-in") return;
  const isGranted =
    spec.access === "platform" ? isPlatformStaff(session) : mayDo(session, spec.access);
  if (!isGranted) refuse("NO_PERMISSION");
}

function isOpenBeforePasswordChange(spec: EndpointSpec): boolean {
  return spec.path === "/auth/password/change" || spec.path === "/auth/token/logout";
}

function addRoute(app: FastifyInstance, route: Route, options: HttpOptions): void {
  const { spec } = route;
  const isText = (part: string | undefined) => part !== "body" || spec.bodyForm === "form";
  const isUpload = spec.bodyForm === "multipart";
  const isFile = spec.replyForm === "file";
  const schema: FastifySchema = isFile ? {} : { response: { 200: Envelope(spec.reply) } };
  if (spec.params) schema.params = spec.params;
  if (spec.query) schema.querystring = spec.query;
  // The fields of an upload are known only when it has been read.
  if (spec.body && !isUpload) schema.body = spec.body;
  app.route({
    method: spec.method,
    url: urlPath(spec).replace(/\{(\w+)\}/g, ":$1"),
    schema,
    validatorCompiler: ({ schema: part, httpPart }) =>
      compileSchema(part as object, isText(httpPart)),
    ...(spec.access === "public" &&
      spec.base !== "" && {
        config: { rateLimit: { max: PUBLIC_CALLS_PER_MINUTE, timeWindow: 60_000 } },
      }),
    onRequest: async (request) => {
      if (spec.access !== "public") {
        request.session = await signIn(request, options.gatekeeper);
        requireAccess(request.session, spec);
      }
      requireContentType(request, spec);
    },
    handler: async (request, reply) => {
      const result = isUpload
        ? await runUpload(route, request, options)
        : await run(route, request, request.body, options.database);
      if (result instanceof Refusal) throw result;
      if (isFile) return sendFile(reply, result as StoredFile, options.files);
      return reply.send({ code: 0, data: result, errMsg: "" });
    },
  });
}

function run(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  database: Database,
): Promise<unknown> {
  const input = { params: request.params, query: request.query, body };
  return request.session
    ? runSignedIn(route, request, request.session, input, database)
    : route.handler(publicCtx(request, database), input);
}

/** The file is received before the transaction begins, and goes again when the call is refused. */
async function runUpload(
  route: Route,
  request: FastifyRequest,
  options: HttpOptions,
): Promise<unknown> {
  const { spec } = route;
  const { fields, file } = await receiveUpload(request, spec, options);
  try {
    const check = compileSchema(spec.body ?? {}, true);
    if (!check(fields)) {
      throw new Refusal(
        "VALIDATION",
        undefined,
        explainValidation(check.errors?.[0] as ErrorObject),
      );
    }
    const result = await run(route, request, { ...fields, file }, options.database);
    if (result instanceof Refusal) await discardUpload(file, options);
    return result;
  } catch (error) {
    // Whether a broken transaction was committed is not known: then the sweep decides.
    if (error instanceof Refusal) await discardUpload(file, options);
    throw error;
  }
}

/** Contents never change under their address; only the browser of who may see them keeps them. */
async function sendFile(reply: FastifyReply, file: StoredFile, files: FileStore) {
  const content = await files.read(file.key);
  return reply
    .type(file.mediaType)
    .header("content-length", file.sizeBytes)
    .header("cache-control", "private, max-age=31536000, immutable")
    .header("vary", "auth-token")
    .header("content-disposition", "inline")
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .send(content);
}

function requireContentType(request: FastifyRequest, spec: EndpointSpec): void {
  if (!spec.body) return;
  const given = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const expected = mediaTypes[spec.bodyForm ?? "json"];
  if (given !== expected) refuse("CONTENT_TYPE", { expected });
}

function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    address: request.ip,
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 300),
  };
}

function publicCtx(request: FastifyRequest, database: Database): PublicCtx {
  return { database, headers: request.headers, origin: originOf(request), log: request.log as Log };
}

/** Reads run in a read-only transaction; a write is one transaction with exactly one audit entry. */
async function runSignedIn(
  route: Route,
  request: FastifyRequest,
  session: Session,
  input: unknown,
  database: Database,
): Promise<unknown> {
  const { spec } = route;
  const origin = originOf(request);
  const ctxWith = (db: Db, audit: Ctx["audit"]): Ctx => ({
    db,
    session,
    origin,
    log: request.log as Log,
    audit,
  });
  if (spec.method === "GET") {
    return database.read(scopeOf(session), (db) =>
      route.handler(
        ctxWith(db, () => {}),
        input,
      ),
    );
  }
  return database.transaction(scopeOf(session), async (db) => {
    const note: AuditNote = {};
    const result = await route.handler(
      ctxWith(db, (more) => Object.assign(note, more)),
      input,
    );
    if (result instanceof Refusal) note.after = { refused: result.code };
    const call = { call: `${spec.method} ${spec.path}`, summary: spec.summary };
    await insertAuditEntry(db, session, call, origin, note);
    return result;
  });
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error);
  if (!refusal) {
    request.log.error({ err: error, route: request.routeOptions.url }, "request failed");
  }
  const status = refusal?.status ?? errorTable.INTERNAL.status;
  const errMsg = refusal?.text ?? errorText("INTERNAL", { requestId: request.id });
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ code: 1, data: null, errMsg, requestId: request.id }));
}

/** Errors of the framework, in the house's words; null when the error is a bug. */
function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const { code, validation } = error as { code?: string; validation?: ErrorObject[] };
  if (validation?.[0]) {
    return new Refusal("VALIDATION", undefined, explainValidation(validation[0]));
  }
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refusal("BODY_TOO_LARGE");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refusal("CONTENT_TYPE", { expected: Object.values(mediaTypes).join(" 或 ") });
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_VALIDATION":
    // A text with a character that the database cannot hold.
    case "22021":
    case "22P05":
      return new Refusal("VALIDATION");
    default:
      return (error as { statusCode?: number }).statusCode === 400
        ? new Refusal("VALIDATION")
        : null;
  }
}
