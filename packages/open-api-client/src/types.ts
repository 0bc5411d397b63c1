// Types of the open API for third parties; tests keep them equal to the server's contract.

export type Size = "S" | "M" | "L" | "XL";
export type OrderState =
  | "PENDING"
  | "DEPOSITING"
  | "STORED"
  | "OVERDUE"
  | "PICKING"
  | "COMPLETED"
  | "CANCELLED"
  | "TAKEN_BACK"
  | "ADMIN_CLEARED"
  | "EXCEPTION";
export type OpenPurpose = "DEPOSIT" | "PICKUP" | "TAKE_BACK";
export type OpeningState =
  | "QUEUED"
  | "SENT"
  | "ACKED"
  | "CONFIRMED"
  | "NOT_CONFIRMED"
  | "REJECTED"
  | "EXPIRED"
  | "FAILED"
  | "UNKNOWN";

/** Requested opening of a door and its result so far. */
export interface Opening {
  /** A UUID. */
  id: string;
  orderId: number;
  purpose: OpenPurpose;
  no: number;
  side: "FRONT" | "BACK";
  state: OpeningState;
  /**
   * The result is final. UNKNOWN and NOT_CONFIRMED may still change while it is false: stop polling at them, and wait for the
   * event `opening.settled`.
   */
  isSettled: boolean;
  at: string;
}

export interface Order {
  id: number;
  thirdPartyNo: string;
  state: OrderState;
  cabinetSn: string;
  cabinetName: string;
  no: number;
  size: Size;
  side: "SINGLE" | "DOUBLE";
  /** `138****5678`. */
  recipientPhone: string;
  itemNote: string;
  createdAt: string;
  depositUntil: string | null;
  storedAt: string | null;
  /** Charging begins after this time; null before the deposit, and where nothing is charged. */
  freeUntil: string | null;
  overdueAt: string | null;
  endedAt: string | null;
  /** Pricing rule of the order, fixed at its creation, in Chinese. */
  pricing: string;
  /** Price so far, in fen. */
  priceFen: number;
  /** Unpaid part of the price, in fen. */
  owedFen: number;
  /** Latest opening of its door. */
  opening: Opening | null;
}

export interface NewOrder {
  /** Your order number; 1 to 64 visible ASCII characters, unique per application. */
  thirdPartyNo: string;
  cabinetSn: string;
  size: Size;
  recipientPhone: string;
  itemNote?: string;
  /** Minutes for which the compartment is reserved; default 15. */
  reserveMinutes?: number;
  /** Opens the door for the deposit at once. */
  opensDoor?: boolean;
  /** `pricing` that you showed to somebody: refused with PRICING_CHANGED if it is another one by now. */
  pricing?: string;
}

export interface OrderQuery {
  /** Created at or after this time, ISO 8601. */
  from?: string;
  /** Created before this time, ISO 8601. */
  to?: string;
  state?: OrderState;
  /** Only orders that have changed since, in the order of their changes. */
  updatedAfter?: string;
  /** `cursor` of the answer before: goes on in the order of changes. */
  cursor?: string;
  /** `nextAfter` of the page before. */
  after?: number;
  limit?: number;
}

export interface OrderPage {
  /** Orders, oldest first. */
  list: Order[];
  /** Cursor of the next page; null: no more. */
  nextAfter: number | null;
  /** How far the changes were read; null unless they were asked for. */
  cursor: string | null;
}

export interface FreeSize {
  size: Size;
  total: number;
  free: number;
  /** Pricing rule of a deposit that begins now, in Chinese. */
  pricing: string;
}

export interface Cabinet {
  sn: string;
  name: string;
  side: "SINGLE" | "DOUBLE";
  storeName: string | null;
  address: string;
  /** GCJ-02. */
  longitude: number | null;
  latitude: number | null;
  isOnline: boolean;
  /** Reason why nothing can be deposited now, for people; null: deposits are possible. */
  refusal: string | null;
  /** The reason as a code. */
  refusalCode:
    | "TENANT_INACTIVE"
    | "RETIRED"
    | "INACTIVE"
    | "PAUSED"
    | "SERVICE_STOPPED"
    | "SERVICE_EXPIRED"
    | "SERVICE_PENDING"
    | "OFFLINE"
    | "FULL"
    | null;
  sizes: FreeSize[];
}

export interface CabinetPage {
  list: Cabinet[];
  nextAfter: string | null;
}

export interface AppFacts {
  app: string;
  name: string;
  tenantName: string;
  scopes: string[];
  /** Requests per minute; the answers' `RateLimit-*` headers tell how many are left. */
  ratePerMinute: number;
  /**
   * Percent of a cabinet's compartments of a size that reservations without goods may take, at
   * least 2.
   */
  reserveSharePercent: number;
  limits: {
    /** Requests that may wait for their answer at the same time. */
    concurrentRequests: number;
    bodyBytes: number;
    /** Largest `limit` of a list. */
    pageSize: number;
    /** Answers under an idempotency key are kept this long. */
    idempotencyHours: number;
    clockSkewSeconds: number;
    /** Keys of one application that are in force at the same time. */
    activeKeys: number;
    /** Webhook endpoints of the tenant, those of all applications together. */
    callbackEndpoints: number;
  };
  serverTime: string;
}

/** `data` of `malfunction.*` events, delivered to a tenant's own endpoints only. */
export interface MalfunctionEventData {
  malfunctionId: number;
  /** For example `OPEN_FAILED`. */
  kind: string;
  severity: "SEVERE" | "URGENT" | "NORMAL" | "MINOR";
  state: "CREATED" | "ASSIGNED" | "RESOLVED" | "IGNORED";
  /** Null for an outage of a store. */
  cabinetSn: string | null;
  /** Null for a malfunction of the whole cabinet. */
  compartmentNo: number | null;
  storeId: number | null;
  /** How the malfunction ended; in `malfunction.resolved` only. */
  outcome?: "MENDED" | "RECOVERED" | "MERGED" | "FALSE_ALARM";
}
