// What a handler works with: who asks, from where, and the transaction it stands in.
import type { UserType } from "@cabinet/contract/auth/auth.contract.ts";
import type { Database, Db, Scope } from "./db.ts";
import { type Sql, sql } from "./db.ts";
import type { Log } from "./log.ts";

export interface Session {
  tokenHash: Buffer;
  operatorId: number;
  tenantId: number;
  username: string;
  displayName: string;
  userType: UserType;
  mustChangePassword: boolean;
  permissions: ReadonlySet<string>;
  /** Sees the cabinets of its stores alone (`storePredicate`). */
  isStoreBound: boolean;
  /** The account's own tenant: another one while platform staff visit a tenant, which only reads. */
  homeTenantId: number;
}

/** One account of the console. */
export type AccountKey = Pick<Session, "tenantId" | "operatorId">;

/** Where a request came from. */
export interface Origin {
  requestId: string;
  address: string;
  /** Whom limits by address count together (`networkOf`). */
  network: string;
  userAgent: string;
}

/** What a writing call says of itself in the audit log; `tenantId` where it is not the actor's own. */
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
  /** Why they may begin nothing new: what they have lying there they still take out and pay for. */
  closed: "LOCKED" | "TENANT" | null;
  /** Of a lock: when it ends by itself. */
  lockedUntil: string | null;
}

/** Of a call by an end user: the scope is their tenant's, and every statement asks for what is theirs. */
export interface AppCtx {
  db: Db;
  user: EndUser;
  origin: Origin;
  log: Log;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A third party's application, as whose a request was proven to be. */
export interface Partner {
  tenantId: number;
  appId: number;
  /** What its requests name it by. */
  code: string;
  name: string;
  scopes: ReadonlySet<string>;
  ratePerMinute: number;
  /** What its orders cost is between it and the tenant. */
  isSettling: boolean;
  /** Neither suspended nor expired: a closed tenant begins nothing new. */
  isTenantOpen: boolean;
}

/** What a third party's call is about, for its record. */
export interface CallSubject {
  orderId?: number;
  cabinetId?: number;
  thirdPartyNo?: string;
  /** States of its orders that the answer tells. */
  told?: { orderId: number; state: string }[];
}

/** Of a call by a third party: the scope is its tenant's, and every statement asks for what is its own. */
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

/** A public call knows nobody yet and opens its own transactions. */
export interface PublicCtx {
  database: Database;
  /** Until when somebody waits for it, for `transaction`. */
  untilMs: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
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
 * The explicit predicate beside row-level security: the session's tenant, or for platform staff
 * every tenant or the one asked for. Another tenant asked for by anybody else finds nothing.
 */
export function tenantPredicate(session: Session, column: Sql, requested?: number): Sql {
  if (isPlatformStaff(session)) return requested ? sql`${column} = ${requested}` : sql`true`;
  return requested && requested !== session.tenantId
    ? sql`false`
    : sql`${column} = ${session.tenantId}`;
}

/** Platform staff as the administrator of a tenant: what changes anything is refused. */
export function isVisit(session: Session): boolean {
  return session.homeTenantId !== session.tenantId;
}

export function mayDo(session: Session, permission: string): boolean {
  return isPlatformStaff(session) || session.permissions.has(permission);
}
