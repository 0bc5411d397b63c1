// Context of a handler: session, origin and transaction.
import type { SecondStep } from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import type { Load } from "@cabinet/contract/kit/endpoint.ts";
import type { JournalKind } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import type { Feature } from "@cabinet/contract/vocabulary/feature.rules.ts";
import type { Share } from "./db/admission.rules.ts";
import type { Database, Db, Scope } from "./db/db.ts";
import { type Sql, sql } from "./db/sql.ts";
import type { Log } from "./log.ts";

/** Money that a call posts as a console account, as the ledger notes it for a second person (0142). */
export interface MoneyReview {
  /** A second person has agreed: the postings count against nobody's sum. */
  isApproved: boolean;
  /** The account is beyond its tenant's sum: the call becomes a request. */
  isDue: boolean;
  postings: {
    kind: JournalKind;
    endUserId: number;
    principalFen: number;
    bonusFen: number;
    orderId: number | null;
    /** State of the order, top-up or offer that the amount was calculated from. */
    basis: string | null;
  }[];
}

export interface Session {
  tokenHash: Buffer;
  operatorId: number;
  tenantId: number;
  username: string;
  displayName: string;
  /** Name and account as records keep them (`signatureOf`): a later change of the name hides nobody. */
  signature: string;
  userType: UserType;
  mustChangePassword: boolean;
  /** Until it is done, the session may do nothing else. */
  secondStep: SecondStep | null;
  /** The password or second factor was given in the last `PROOF_MINUTES`. */
  isProvenRecently: boolean;
  /** Without those of features that are off. */
  permissions: ReadonlySet<string>;
  /** Optional features that the tenant does not have today (0075). */
  offFeatures: readonly Feature[];
  /** Sees only the cabinets of its stores (`storePredicate`). */
  isStoreBound: boolean;
  /**
   * The account's own tenant; differs from `tenantId` during an impersonation, which is read-only.
   */
  homeTenantId: number;
  /** Set while a call runs whose money may wait for a second person (0142). */
  review?: MoneyReview;
}

/** Key of one console account. */
export type AccountKey = Pick<Session, "tenantId" | "operatorId">;

/** Origin of a request. */
export interface Origin {
  requestId: string;
  address: string;
  /** Network that rate limits by address count as one (`networkOf`). */
  network: string;
  userAgent: string;
}

/** Details of a writing call for the audit log; `tenantId` where it is not the actor's own. */
export interface AuditNote {
  tenantId?: number;
  target?: string;
  reason?: string;
  before?: unknown;
  after?: unknown;
}

export interface Ctx {
  db: Db;
  session: Session;
  origin: Origin;
  log: Log;
  /** Adds to the one audit entry of this call. */
  audit(note: AuditNote): void;
}

/** A rider or a recipient, signed in to the app of one tenant. */
export interface EndUser {
  tokenHash: Buffer;
  endUserId: number;
  tenantId: number;
  phone: string;
  name: string;
  /** Reason why they may start nothing new; they can still take out and pay for what is stored. */
  closed: "LOCKED" | "TENANT" | null;
  /** Time at which the lock expires; null without an end. */
  lockedUntil: string | null;
}

/**
 * Context of an end user's call: scoped to their tenant, and every statement filters by the user.
 */
export interface AppCtx {
  db: Db;
  user: EndUser;
  origin: Origin;
  log: Log;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A third party's application, authenticated by the signature of the request. */
export interface Partner {
  tenantId: number;
  appId: number;
  /** Identifier of the application in its requests. */
  code: string;
  name: string;
  scopes: ReadonlySet<string>;
  ratePerMinute: number;
  /** Percent of a cabinet's compartments of a size that its reservations may take. */
  reserveSharePercent: number;
  /** The application settles the cost of its orders with the tenant itself. */
  isSettling: boolean;
  /** The tenant is neither suspended nor expired; a closed tenant starts nothing new. */
  isTenantOpen: boolean;
  offFeatures: readonly Feature[];
}

/** Subject of a third party's call, for its record. */
export interface CallSubject {
  orderId?: number;
  cabinetId?: number;
  thirdPartyNo?: string;
  /** Order states that the answer reports. */
  answered?: { orderId: number; state: string }[];
}

/**
 * Context of a third party's call: tenant scope, and every statement filters by the application.
 */
export interface PartnerCtx {
  db: Db;
  partner: Partner;
  origin: Origin;
  log: Log;
  about(subject: CallSubject): void;
}

/** The parts of a signed-in call that exist before its transaction begins. */
export interface PrepareCtx {
  database: Database;
  session: Session;
}

/** A public call is unauthenticated and opens its own transactions. */
export interface PublicCtx {
  database: Database;
  /** Deadline of the caller, for `transaction`. */
  untilMs: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The app user whose token came along; null without one. Refuses a token that is worth nothing. */
  findUser(): Promise<EndUser | null>;
  origin: Origin;
  log: Log;
}

/** userType 0 of tenant 1: the only accounts that see other tenants' rows. */
export function isPlatformStaff(session: Session): boolean {
  return session.userType === 0 && session.tenantId === 1;
}

export function scopeOf(session: Session): Scope {
  return isPlatformStaff(session) ? "platform" : { tenantId: session.tenantId };
}

/**
 * Explicit tenant condition beside row-level security: the session's tenant, or for platform staff
 * every tenant or the requested one. Others who request another tenant find nothing.
 */
export function tenantPredicate(session: Session, column: Sql, requested?: number): Sql {
  if (isPlatformStaff(session)) return requested ? sql`${column} = ${requested}` : sql`true`;
  return requested && requested !== session.tenantId
    ? sql`false`
    : sql`${column} = ${session.tenantId}`;
}

/** Visitors of a tenant use the share of their own. */
export function shareOfSession(session: Session, load: Load = "critical"): Share {
  const { homeTenantId: tenant, operatorId: account } = session;
  return { load, tenant, account, isBounded: true };
}

/** Impersonation of a tenant by platform staff: every change is refused. */
export function isVisit(session: Session): boolean {
  return session.homeTenantId !== session.tenantId;
}

export function mayDo(session: Session, permission: string): boolean {
  return isPlatformStaff(session) || session.permissions.has(permission);
}
