// A call that may be made: its context, its one transaction, its audit entry, its file.
import { isReading, type StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import type { ErrorObject } from "ajv";
import type { FastifyReply, FastifyRequest } from "fastify";
import { insertAuditEntry } from "./audit.sql.ts";
import type { AppCtx, AuditNote, Ctx, EndUser, PartnerCtx, PublicCtx, Session } from "./context.ts";
import { scopeOf } from "./context.ts";
import type { Database, Db } from "./db.ts";
import { Refusal, refuse } from "./errors.ts";
import type { FileStore } from "./file-store.ts";
import { originOf } from "./http-access.ts";
import type { PartnerCall } from "./http-partner.ts";
import { type OnceKey, onceKeyOf, runOnce } from "./idempotency.sql.ts";
import type { Log } from "./log.ts";
import type { Route } from "./mount.ts";
import { discardUpload, receiveUpload, type UploadParts } from "./upload.ts";
import { compileSchema, explainValidation } from "./validation.ts";

export function runCall(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  database: Database,
): Promise<unknown> {
  const input = { params: request.params, query: request.query, body };
  if (request.session) return runSignedIn(route, request, request.session, input, database);
  if (request.endUser) return runEndUser(route, request, request.endUser, input, database);
  if (request.partnerCall) return runPartner(route, request, request.partnerCall, input, database);
  return route.handler(publicCtx(request, database), input);
}

/** The file is received before the transaction begins, and goes again when the call is refused. */
export async function runUpload(
  route: Route,
  request: FastifyRequest,
  parts: UploadParts,
): Promise<unknown> {
  const { spec } = route;
  const { fields, file } = await receiveUpload(request, spec, parts);
  try {
    const check = compileSchema(spec.body ?? {}, true);
    if (!check(fields)) {
      throw new Refusal(
        "VALIDATION",
        undefined,
        explainValidation(check.errors?.[0] as ErrorObject),
      );
    }
    const result = await runCall(route, request, { ...fields, file }, parts.database);
    if (result instanceof Refusal) await discardUpload(file, parts);
    return result;
  } catch (error) {
    // Whether a broken transaction was committed is not known: then the sweep decides.
    if (error instanceof Refusal) await discardUpload(file, parts);
    throw error;
  }
}

/** Contents never change under their address; only the browser of who may see them keeps them. */
export async function sendFile(reply: FastifyReply, file: StoredFile, files: FileStore) {
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

function publicCtx(request: FastifyRequest, database: Database): PublicCtx {
  return { database, headers: request.headers, origin: originOf(request), log: request.log as Log };
}

/** As below; what end users do is told by the order and the ledger themselves, not by the audit log. */
function runEndUser(
  route: Route,
  request: FastifyRequest,
  user: EndUser,
  input: unknown,
  database: Database,
): Promise<unknown> {
  const { tenantId, endUserId } = user;
  const scope = { tenantId };
  const once = onceOf(route, request, { tenantId, actor: `END_USER:${endUserId}` }, input);
  const handle = (db: Db) => route.handler(appCtx(request, db, user), input);
  const work = (db: Db) => runOnce(db, once, () => handle(db));
  return isReading(route.spec) ? database.read(scope, work) : database.transaction(scope, work);
}

/** Its own calls are told by the record of calls, with what it was answered. */
async function runPartner(
  route: Route,
  request: FastifyRequest,
  { partner, subject }: PartnerCall,
  input: unknown,
  database: Database,
): Promise<unknown> {
  if (!partner) refuse("PARTNER_UNPROVEN");
  const { tenantId, appId } = partner;
  const scope = { tenantId };
  const once = onceOf(route, request, { tenantId, actor: `APP:${appId}` }, input);
  const about: PartnerCtx["about"] = (more) => Object.assign(subject, more);
  const origin = originOf(request);
  const handle = (db: Db) =>
    route.handler({ db, partner, origin, log: request.log as Log, about }, input);
  const work = (db: Db) => runOnce(db, once, () => handle(db));
  return isReading(route.spec) ? database.read(scope, work) : database.transaction(scope, work);
}

function appCtx(request: FastifyRequest, db: Db, user: EndUser): AppCtx {
  const { headers } = request;
  return { db, user, origin: originOf(request), log: request.log as Log, headers };
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
  if (isReading(spec)) {
    return database.read(scopeOf(session), (db) =>
      route.handler(
        ctxWith(db, () => {}),
        input,
      ),
    );
  }
  const actor = `OPERATOR:${session.operatorId}`;
  const once = onceOf(route, request, { tenantId: session.tenantId, actor }, input);
  return database.transaction(scopeOf(session), (db) => {
    const work = async () => {
      const note: AuditNote = {};
      const result = await route.handler(
        ctxWith(db, (more) => Object.assign(note, more)),
        input,
      );
      if (result instanceof Refusal) note.after = { refused: result.code };
      const call = { call: `${spec.method} ${spec.path}`, summary: spec.summary };
      await insertAuditEntry(db, session, call, origin, note);
      return result;
    };
    return runOnce(db, once, work);
  });
}

function onceOf(
  { spec }: Route,
  request: FastifyRequest,
  from: { tenantId: number; actor: string },
  input: unknown,
): OnceKey | null {
  return onceKeyOf(spec, request.headers["idempotency-key"], from, input);
}
