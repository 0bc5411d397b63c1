// Access checks of a call: session, permissions, content type.

import { type EndpointSpec, isReading, needsProof } from "@cabinet/contract/kit/endpoint.ts";
import { APP_TOKEN_HEADER } from "@cabinet/contract/orders/app/app.rules.ts";
import {
  type Feature,
  featuresOf,
  featureTitle,
} from "@cabinet/contract/vocabulary/feature.rules.ts";
import type { FastifyRequest } from "fastify";
import type { EndUser, Origin, Session } from "../context.ts";
import { isPlatformStaff, isVisit, mayDo } from "../context.ts";
import type { Sql } from "../db/sql.ts";
import { refuse } from "../errors.ts";
import { networkOf } from "./network.rules.ts";

declare module "fastify" {
  interface FastifyRequest {
    session: Session | null;
    /** Set while `session` is not confirmed yet. */
    recalled: RecalledSession | null;
    endUser: EndUser | null;
  }
}

/** A session as the live channel filters events by it. */
export interface LiveSession extends Session {
  /** The stores of a store-bound session; null: all stores. */
  storeIds: ReadonlySet<number> | null;
}

/**
 * A session as it was at an earlier request, and the statement that counts this one and returns the present `facts`. Rows
 * that were read for it are worth nothing until the facts turn out to be the same.
 */
export interface RecalledSession {
  session: Session;
  check: Sql;
  facts: string;
}

/** Sessions and accounts; the auth feature implements it. */
export interface Gatekeeper {
  /** The session of a token that was found before; the caller checks it in the round trip of its own read. */
  recallSession(token: string): RecalledSession | null;
  /**
   * The session of a token; null when it is unknown, expired or revoked. Refuses an expired tenant.
   */
  findSession(token: string, origin: Origin): Promise<Session | null>;
  /**
   * Like `findSession`, with the stores, for a token that was found; not counted as activity. Null for an expired tenant.
   */
  findLiveSession(token: string): Promise<LiveSession | null>;
  /** Records a `tenantId` header that is not the session's. */
  recordTenantMismatch(session: Session, claimed: string, origin: Origin): Promise<void>;
}

/** The same for the app of riders and recipients. */
export interface AppGatekeeper {
  /** The end user of a token; null when it is unknown or expired. Refuses a deleted tenant. */
  findEndUser(token: string, origin: Origin): Promise<EndUser | null>;
}

const LOGOUT_PATH = "/auth/token/logout";
const PASSWORD_PATH = "/auth/password/change";
const PROOF_PATHS = "/auth/second-factor";
const SET_UP_PATHS = "/admin/v1/second-factor";

export const mediaTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

/** Authenticates a request by its headers; the tenant comes from the session alone. */
export async function signIn(request: FastifyRequest, gatekeeper: Gatekeeper): Promise<Session> {
  const token = request.headers["auth-token"];
  const session =
    typeof token === "string" ? await gatekeeper.findSession(token, originOf(request)) : null;
  if (!session) refuse("SIGN_IN_REQUIRED");
  const claimed = request.headers.tenantid;
  if (claimed !== undefined && claimed !== String(session.tenantId)) {
    await gatekeeper.recordTenantMismatch(session, String(claimed), originOf(request));
    refuse("TENANT_MISMATCH");
  }
  return session;
}

/** The session of an earlier request if the call is one that it might do; `signIn` decides all other cases. */
export function recallSession(
  request: FastifyRequest,
  gatekeeper: Gatekeeper,
  spec: EndpointSpec,
): RecalledSession | null {
  const { "auth-token": token, tenantid: claimed } = request.headers;
  const recalled = typeof token === "string" ? gatekeeper.recallSession(token) : null;
  if (!recalled || (claimed !== undefined && claimed !== String(recalled.session.tenantId))) {
    return null;
  }
  try {
    requireAccess(recalled.session, spec);
    return recalled;
  } catch {
    return null;
  }
}

/** Authenticates a request of the app by its token header; closed users may start nothing new. */
export async function signInEndUser(
  request: FastifyRequest,
  gatekeeper: AppGatekeeper,
  spec: EndpointSpec,
): Promise<EndUser> {
  const user = await findEndUser(request, gatekeeper);
  if (spec.startsNew && user.closed) refuseNew(user.closed);
  return user;
}

export async function findEndUser(
  request: FastifyRequest,
  gatekeeper: AppGatekeeper,
): Promise<EndUser> {
  const token = request.headers[APP_TOKEN_HEADER];
  const user =
    typeof token === "string" ? await gatekeeper.findEndUser(token, originOf(request)) : null;
  return user ?? refuse("SIGN_IN_REQUIRED");
}

export function refuseNew(closed: NonNullable<EndUser["closed"]>): never {
  refuse(({ LOCKED: "END_USER_LOCKED", TENANT: "TENANT_CLOSED" } as const)[closed]);
}

export function requireAccess(
  session: Session,
  spec: Pick<EndpointSpec, "method" | "path" | "access" | "feature" | "isRead" | "risk">,
): void {
  const isOf = (...paths: string[]) => paths.some((path) => spec.path.startsWith(path));
  if (session.secondStep === "DUE" && !isOf(LOGOUT_PATH, PROOF_PATHS)) refuse("SECOND_FACTOR_DUE");
  if (session.mustChangePassword && !isOf(LOGOUT_PATH, PROOF_PATHS, PASSWORD_PATH)) {
    refuse("PASSWORD_CHANGE_REQUIRED");
  }
  if (
    session.secondStep === "MISSING" &&
    !isOf(LOGOUT_PATH, PROOF_PATHS, PASSWORD_PATH, SET_UP_PATHS)
  ) {
    refuse("SECOND_FACTOR_MISSING");
  }
  if (isVisit(session) && !isReading(spec) && spec.path !== LOGOUT_PATH) refuse("VISIT_READ_ONLY");
  requireFeatures(session, spec);
  const isGranted =
    spec.access === "signed-in" ||
    (spec.access === "platform" ? isPlatformStaff(session) : mayDo(session, spec.access));
  if (!isGranted) refuse("NO_PERMISSION");
  if (needsProof(spec)) requireRecentProof(session);
}

/** The one gate of optional features (0075): console, exports and third parties pass it. */
export function requireFeatures(
  { offFeatures }: { offFeatures: readonly Feature[] },
  spec: Pick<EndpointSpec, "access" | "feature">,
): void {
  const feature = featuresOf(spec).find((each) => offFeatures.includes(each));
  if (feature) refuse("FEATURE_OFF", { feature: featureTitle[feature] });
}

/** For calls whose sensitivity depends on their content; others have their `risk` in the contract. */
export function requireRecentProof({ isProvenRecently }: Session): void {
  if (!isProvenRecently) refuse("PROOF_DUE");
}

export function requireContentType(request: FastifyRequest, spec: EndpointSpec): void {
  if (!spec.body) return;
  const given = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const expected = mediaTypes[spec.bodyForm ?? "json"];
  if (given !== expected) refuse("CONTENT_TYPE", { expected });
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(
    request.headers["content-type"] ?? "",
  )?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    refuse("CONTENT_TYPE", { expected: `${expected}; charset=utf-8` });
  }
  if (spec.bodyForm !== "multipart") return;
  // The parser throws a plain Error without a boundary, and with one longer than RFC 2046 allows.
  const hasBoundary = /;\s*boundary=("[^"]{1,70}"|[^\s";]{1,70})\s*(;|$)/i;
  if (!hasBoundary.test(request.headers["content-type"] ?? "")) {
    refuse("CONTENT_TYPE", { expected: `${expected}; boundary=…` });
  }
}

export function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    address: request.ip,
    network: networkOf(request.ip),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 300),
  };
}
