// What the house wants of whoever sends its text messages, and what that may answer.

export interface OutgoingSms {
  /** Ours, the same however often the carrier is asked about it. */
  sendKey: string;
  phone: string;
  sign: string;
  templateCode: string;
  variables: [name: string, value: string][];
}

/**
 * REFUSED: surely not taken; `mayRetry`: it could be taken later. UNKNOWN: it may have been taken, so
 * nobody gives it to a carrier again.
 */
export type SendOutcome =
  | { kind: "TAKEN"; carrierNo: string; segments: number | null }
  | { kind: "REFUSED"; code: string; text: string; mayRetry: boolean }
  | { kind: "UNKNOWN" };

export interface GivenSms {
  sendKey: string;
  /** Null: it is not known whether the carrier took it. */
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

/** None of these throws; what went wrong never says to whom a message goes. */
export interface SmsCarrier {
  send(message: OutgoingSms): Promise<SendOutcome>;
  find(message: GivenSms): Promise<FindOutcome>;
  /** Whether it knows us, and the sign. */
  prove(sign: string): Promise<Proof>;
}

/** Whom we are to a carrier. */
export interface CarrierAccount {
  keyId: string;
  secret: string;
  appId: string;
}

/** Where the carriers are reached. */
export interface SmsUrls {
  aliyunSmsUrl: string;
  tencentSmsUrl: string;
}

export const ANSWER_TIMEOUT_MS = 5_000;

/** What a client of a carrier throws; its message may name the phone, so nothing of it is told. */
interface ClientFailure {
  code?: unknown;
  message?: unknown;
}

/** The request never left: there was nobody to give it to. */
export function isNeverSent(error: unknown): boolean {
  const { code, message } = error as ClientFailure;
  const text = `${String(code ?? "")} ${String(message ?? "")}`;
  // A network that goes away under a connection says so too, when the request is on its way already.
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

/** Clients of carriers are large: one is opened when there is something to send, and kept. */
export function openedOnce<Client>(open: () => Client): () => Client {
  let opened: { client: Client } | null = null;
  return () => {
    opened ??= { client: open() };
    return opened.client;
  };
}
