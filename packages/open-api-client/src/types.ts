// What the open API takes and gives, as third parties see it; the server's contract must agree (its tests see to it).

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

/** A door that was asked to open, and what came of it so far. */
export interface Opening {
  /** A UUID. */
  id: string;
  orderId: number;
  purpose: OpenPurpose;
  no: number;
  side: "FRONT" | "BACK";
  state: OpeningState;
  /** Nothing more will come of it. */
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
  overdueAt: string | null;
  endedAt: string | null;
  /** In fen, up to this moment. */
  priceFen: number;
  /** Of it, still to be paid. */
  owedFen: number;
  /** The latest one. */
  opening: Opening | null;
}

export interface NewOrder {
  /** Yours; 1 to 64 visible ASCII characters, once per application. */
  thirdPartyNo: string;
  cabinetSn: string;
  size: Size;
  recipientPhone: string;
  itemNote?: string;
  /** For how long the compartment waits for the goods; 15 unless said. */
  reserveMinutes?: number;
  /** Opens the door for the deposit at once. */
  opensDoor?: boolean;
}

export interface OrderQuery {
  /** Created from then on, ISO 8601. */
  from?: string;
  /** Created before then. */
  to?: string;
  state?: OrderState;
  /** `nextAfter` of the page before. */
  after?: number;
  limit?: number;
}

export interface OrderPage {
  /** The oldest first. */
  list: Order[];
  /** Null: there are no more. */
  nextAfter: number | null;
}

export interface FreeSize {
  size: Size;
  total: number;
  free: number;
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
  /** Why nothing can be deposited now; null: it can. */
  refusal: string | null;
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
  ratePerMinute: number;
  serverTime: string;
}

/** `data` of the events `malfunction.*`, which a tenant's own addresses hear. */
export interface MalfunctionEventData {
  malfunctionId: number;
  /** Such as `OPEN_FAILED`. */
  kind: string;
  severity: "SEVERE" | "URGENT" | "NORMAL" | "MINOR";
  state: "CREATED" | "ASSIGNED" | "RESOLVED" | "IGNORED";
  /** Null of a store's outage. */
  cabinetSn: string | null;
  /** Null of a whole cabinet. */
  compartmentNo: number | null;
  storeId: number | null;
  /** How it ended; of `malfunction.resolved` alone. */
  outcome?: "MENDED" | "RECOVERED" | "MERGED" | "FALSE_ALARM";
}
