// Runs an authorised call: its context, its one transaction, its audit entry, its file.
import { isReading, loadOf, type StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import { APP_TOKEN_HEADER } from "@cabinet/contract/orders/app/app.rules.ts";
import type { ErrorObject } from "ajv";
import type { FastifyReply, FastifyRequest } from "fastify";
import { insertAuditEntry } from "../audit.sql.ts";
import type {
  AppCtx,
  AuditNote,
  Ctx,
  EndUser,
  PartnerCtx,
  PublicCtx,
  Session,
} from "../context.ts";
import { scopeOf, shareOfSession } from "../context.ts";
import { type Share, shareOfStranger } from "../db/admission.rules.ts";
import type { Caller } from "../db/connections.ts";
import type { Database, Db } from "../db/db.ts";
import { type OnceKey, onceKeyOf, runOnce } from "../db/idempotency.sql.ts";
import type { Replica } from "../db/replica.ts";
import { Refusal, refuse } from "../errors.ts";
import type { FileStore } from "../files/file-store.ts";
import type { Log } from "../log.ts";
import { pressOf } from "../press.gate.ts";
import {
  type AppGatekeeper,
  findEndUser,
  originOf,
  type RecalledSession,
  requireFeatures,
} from "./http-access.ts";
import type { PartnerCall } from "./http-partner.ts";
import { handlerOf, type Route } from "./mount.ts";
import { discardUpload, receiveUpload, type UploadParts } from "./upload.ts";
import { compileSchema, validationRefusal } from "./validation.ts";

interface CallTools {
  database: Database;
  appGatekeeper: AppGatekeeper;
  replica?: Replica | undefined;
  /** The caller's deadline, of `performance.now()`. */
  untilMs: number;
  /** Aborted when the caller has closed the connection. */
  signal: AbortSignal;
  /** The session of a reading call, to be confirmed by its read. */
  recalled?: RecalledSession | null;
}

/** The recalled session is not the present one: the call begins again with that. */
export class SessionChanged extends Error {}

export function runCall(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  given: CallTools,
): Promise<unknown> {
  const input = { params: request.params, query: request.query, body };
  const { signal } = given;
  const press = pressOf(route.spec, request.headers);
  const noteReplay = (isReplayed: boolean) => {
    request.isReplayed = isReplayed;
  };
  const caller = { share: shareOf(route, request), signal, press, noteReplay };
  const tools = { ...given, caller, database: given.database.for(caller) };
  if (request.session) return runSignedIn(route, request, request.session, input, tools);
  if (request.endUser) return runEndUser(route, request, request.endUser, input, tools);
  if (request.partnerCall) return runPartner(route, request, request.partnerCall, input, tools);
  return route.handler(publicCtx(request, tools), input);
}

/** Without filters, a read finds its rows by key. */
const keepsPlan = (route: Route, input: unknown) =>
  route.keepsPlan ? route.keepsPlan(input) : !route.spec.query && !route.spec.body;

function shareOf({ spec }: Route, request: FastifyRequest): Share {
  const { session, endUser, partnerCall } = request;
  const own = { load: loadOf(spec), isBounded: true };
  if (session) return shareOfSession(session, own.load);
  if (endUser) return { ...own, tenant: endUser.tenantId, account: `user ${endUser.endUserId}` };
  const partner = partnerCall?.partner;
  if (partner) return { ...own, tenant: partner.tenantId, account: `app ${partner.appId}` };
  return shareOfStranger(request.ip);
}

/** Receives the file before the transaction begins, and discards it when the call is refused. */
export async function runUpload(
  route: Route,
  request: FastifyRequest,
  given: Omit<UploadParts, "caller"> & Pick<CallTools, "signal" | "replica" | "appGatekeeper">,
): Promise<unknown> {
  const { spec } = route;
  const parts = { ...given, caller: { share: shareOf(route, request), signal: given.signal } };
  const { fields, file } = await receiveUpload(request, spec, parts);
  try {
    const check = compileSchema(spec.body ?? {}, true);
    if (!check(fields)) throw validationRefusal(check.errors?.[0] as ErrorObject);
    // No deadline: a large file takes its time, and an upload opens no door.
    const { database, replica, signal, appGatekeeper } = parts;
    const tools = {
      ...{ database, replica, signal, appGatekeeper },
      untilMs: Number.POSITIVE_INFINITY,
    };
    const result = await runCall(route, request, { ...fields, file }, tools);
    if (result instanceof Refusal) await discardUpload(file, parts);
    return result;
  } catch (error) {
    // After any other error the commit may have succeeded: keep the file, the sweep decides.
    if (error instanceof Refusal) await discardUpload(file, parts);
    throw error;
  }
}

/**
 * Content never changes under its URL; `private`: only the browser of an account that may see it
 * caches it.
 */
export async function sendFile(reply: FastifyReply, file: StoredFile, files: FileStore) {
  const content = await files.read(file.key);
  // Never the sender's name for it.
  const kind = file.mediaType.split("/")[1];
  return reply
    .type(file.mediaType)
    .header("content-length", file.sizeBytes)
    .header("cache-control", "private, max-age=31536000, immutable")
    .header("vary", "auth-token")
    .header("content-disposition", `inline; filename="${file.sha256.slice(0, 12)}.${kind}"`)
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox")
    .send(content);
}

function publicCtx(request: FastifyRequest, tools: CallTools): PublicCtx {
  const { database, untilMs, appGatekeeper } = tools;
  const { headers } = request;
  const origin = originOf(request);
  const findUser = async () =>
    headers[APP_TOKEN_HEADER] === undefined ? null : findEndUser(request, appGatekeeper);
  return { database, untilMs, headers, findUser, origin, log: request.log as Log };
}

/** Like `runSignedIn`, without an audit entry: orders and the ledger record these actions. */
function runEndUser(
  route: Route,
  request: FastifyRequest,
  user: EndUser,
  input: unknown,
  { database, untilMs }: CallTools,
): Promise<unknown> {
  const { tenantId, endUserId } = user;
  const scope = { tenantId };
  const once = onceOf(route, request, { tenantId, actor: `END_USER:${endUserId}` }, input);
  const handle = (db: Db) => route.handler(appCtx(request, db, user), input);
  const work = (db: Db) => runOnce(db, once, () => handle(db));
  return isReading(route.spec)
    ? database.read(scope, work, { keepsPlan: keepsPlan(route, input) })
    : database.transaction(scope, work, untilMs);
}

/** No audit entry: the call record stores the request and its answer. */
async function runPartner(
  route: Route,
  request: FastifyRequest,
  call: PartnerCall,
  input: unknown,
  { database, untilMs }: CallTools,
): Promise<unknown> {
  const { partner, subject } = call;
  if (!partner) refuse("PARTNER_UNPROVEN");
  const { tenantId, appId } = partner;
  const scope = { tenantId };
  const once = onceOf(route, request, { tenantId, actor: `APP:${appId}` }, input);
  const about: PartnerCtx["about"] = (more) => Object.assign(subject, more);
  const origin = originOf(request);
  const handle = (db: Db) => {
    // After the look-up of the key: the answer of an order that exists is never refused.
    requireFeatures(partner, route.spec);
    return route.handler({ db, partner, origin, log: request.log as Log, about }, input);
  };
  const work = (db: Db) => runOnce(db, once, () => handle(db));
  return isReading(route.spec)
    ? database.read(scope, work, { keepsPlan: keepsPlan(route, input) })
    : database.transaction(scope, work, untilMs);
}

function appCtx(request: FastifyRequest, db: Db, user: EndUser): AppCtx {
  const { headers } = request;
  return { db, user, origin: originOf(request), log: request.log as Log, headers };
}

/**
 * Reads run in a read-only transaction; a write is one transaction with exactly one audit entry.
 */
async function runSignedIn(
  route: Route,
  request: FastifyRequest,
  session: Session,
  input: unknown,
  { database, replica, caller, untilMs, recalled }: CallTools & { caller: Caller },
): Promise<unknown> {
  const { spec } = route;
  const origin = originOf(request);
  const admit = route.admit?.(request.query);
  if (admit) {
    // Counts only for an account that may call this now.
    if (recalled) throw new SessionChanged();
    await database.transaction(scopeOf(session), (db) => admit({ db, session, origin }), untilMs);
  }
  const handler = await handlerOf(route, { database, session }, input);
  const ctxWith = (db: Db, audit: Ctx["audit"]): Ctx => ({
    db,
    session,
    origin,
    log: request.log as Log,
    audit,
  });
  if (isReading(spec)) {
    const handle = async (db: Db) =>
      handler(
        ctxWith(db, () => {}),
        input,
      );
    const options = { keepsPlan: keepsPlan(route, input) };
    if (recalled) return readConfirmed(database, recalled, handle, options);
    const read = (from: Database) => from.read(scopeOf(session), handle, options);
    return replica?.mayAnswer(spec, session) ? replica.read(caller, read) : read(database);
  }
  const actor = `OPERATOR:${session.operatorId}`;
  const once = onceOf(route, request, { tenantId: session.tenantId, actor }, input);
  const write = (db: Db) => {
    const work = async () => {
      const note: AuditNote = {};
      const result = await handler(
        ctxWith(db, (more) => Object.assign(note, more)),
        input,
      );
      if (result instanceof Refusal) note.after = { refused: result.code };
      const call = { call: `${spec.method} ${spec.path}`, summary: spec.summary };
      await insertAuditEntry(db, session, call, origin, note);
      return result;
    };
    return runOnce(db, once, work);
  };
  // Also after a failure: the commit may have succeeded.
  return database
    .transaction(scopeOf(session), write, untilMs)
    .finally(() => replica?.noteWrite(spec, session));
}

/** Keeps back the handler's answer, refusals too, until the session is confirmed. */
function readConfirmed(
  database: Database,
  { session, check, facts }: RecalledSession,
  handle: (db: Db) => Promise<unknown>,
  options: { keepsPlan: boolean },
): Promise<unknown> {
  const work = async (db: Db, rows: Promise<unknown[]>) => {
    const [outcome] = await Promise.allSettled([handle(db)]);
    const [present] = (await rows) as { facts: string }[];
    if (present?.facts !== facts) throw new SessionChanged();
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  };
  return database.read(scopeOf(session), work, { ...options, first: check });
}

function onceOf(
  { spec }: Route,
  request: FastifyRequest,
  from: { tenantId: number; actor: string },
  input: unknown,
): OnceKey | null {
  return onceKeyOf(spec, request.headers["idempotency-key"], from, input);
}
