// Interface of SMS carriers, and the outcomes they may return.

export interface OutgoingSms {
  /** Our idempotency key, the same on every query about the message. */
  sendKey: string;
  phone: string;
  sign: string;
  templateCode: string;
  variables: [name: string, value: string][];
}

/**
 * REFUSED: provably not taken; `mayRetry`: a later attempt may succeed. UNKNOWN: possibly taken, so the
 * message is never given to a carrier again.
 */
export type SendOutcome =
  | { kind: "TAKEN"; carrierNo: string; segments: number | null }
  | { kind: "REFUSED"; code: string; text: string; mayRetry: boolean }
  | { kind: "UNKNOWN" };

export interface GivenSms {
  sendKey: string;
  /** Null: unknown whether the carrier took it. */
  carrierNo: string | null;
  phone: string;
  claimedAt: string;
}

export type FindOutcome =
  | { kind: "FOUND"; receipt: Receipt }
  | { kind: "NOT_FOUND" }
  | { kind: "UNREACHABLE" };

export interface Receipt {
  state: "WAITING" | "DELIVERED" | "UNDELIVERED";
  carrierNo: string | null;
  segments: number | null;
  code: string;
  text: string;
}

export interface Proof {
  isOk: boolean;
  text: string;
}

/** No method throws, and no outcome reveals the recipient's phone. */
export interface SmsCarrier {
  send(message: OutgoingSms): Promise<SendOutcome>;
  find(message: GivenSms): Promise<FindOutcome>;
  /** Checks the credentials and the signature. */
  prove(sign: string): Promise<Proof>;
}

/** Credentials at a carrier. */
export interface CarrierAccount {
  keyId: string;
  secret: string;
  appId: string;
}

/** Base URLs of the carriers. */
export interface SmsUrls {
  aliyunSmsUrl: string;
  tencentSmsUrl: string;
}

export const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Headers of each request: it uses a connection of its own. A message on an idle connection that the carrier has
 * closed meanwhile counts as perhaps sent, and is not sent again.
 */
export const ownConnection = { connection: "close" };

/** Error thrown by a carrier's client; its message may contain the phone, so it is never logged or shown. */
interface ClientFailure {
  code?: unknown;
  message?: unknown;
}

/** True when the request provably never left: no connection was established. */
export function isNeverSent(error: unknown): boolean {
  const { code, message } = error as ClientFailure;
  const text = `${String(code ?? "")} ${String(message ?? "")}`;
  // `read`/`write` errors come from an established connection: the request may already be on its way.
  if (/\b(?:read|write) E[A-Z]+/.test(text)) return false;
  return /\bconnect E[A-Z]+|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|certificate/.test(
    text,
  );
}

export const unreachable: SendOutcome = {
  kind: "REFUSED",
  code: "UNREACHABLE",
  text: "",
  mayRetry: true,
};

/** Carrier clients are large: one is created on first use and kept. */
export function openedOnce<Client>(open: () => Client): () => Client {
  let opened: { client: Client } | null = null;
  return () => {
    opened ??= { client: open() };
    return opened.client;
  };
}
