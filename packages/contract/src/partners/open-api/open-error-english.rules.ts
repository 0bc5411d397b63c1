// English sentences of refusals for third parties who ask for English.
import type { ErrorCode, ErrorFacts } from "../../kit/errors.ts";
import { isOpenError, type OpenErrorCode, openCodeOf } from "./open-error.rules.ts";

/** Mistakes of input, which third parties receive as VALIDATION. */
const ofInput: Partial<Record<ErrorCode, string>> = {
  CHANGES_OF_OTHER_LIST:
    "A list of changes (updatedAfter, cursor) takes no from, to, state or after",
  CHANGES_BEGIN_AGAIN:
    "This cursor is from before the system was restored from a backup: list again with updatedAfter, from a time before your last successful read",
  REPLAY_START_MISSING: "Say where to begin: fromSeq or from",
  TEXT_NOT_UTF8: "The text is not UTF-8",
  BODY_NOT_EMPTY: "This call has no body: leave it empty or send {}",
  IDEMPOTENCY_KEY_INVALID: "Idempotency-Key has 1 to 128 visible characters",
  SPAN_REVERSED: "The beginning is later than the end",
  SPAN_TOO_LONG: "A period has at most {days} days",
};

/** Facts that are numbers, names of fields or of resources; Chinese ones are left out. */
const sentences: Record<OpenErrorCode, string> = {
  VALIDATION: "The request is not valid",
  CONTENT_TYPE: "The content type is not supported: send application/json",
  BODY_TOO_LARGE: "The body is too large",
  PARTNER_UNPROVEN:
    "The request was not authenticated: check application, key id, time, signature and address; the tenant sees the reason in the call records",
  IDEMPOTENCY_KEY_REQUIRED:
    "Idempotency-Key is missing: writing calls must have it, the same in every retry",
  REPEAT_DIFFERS: "The same Idempotency-Key was used with another content: nothing was done",
  REPEAT_IN_FLIGHT: "The first request with this Idempotency-Key is still in progress",
  PRESS_EXPIRED: "The press is more than {seconds} seconds old: nothing was done",
  PRESS_AHEAD: "x-pressed-at is later than the server's time: nothing was done",
  NOT_FOUND: "There is no such {resource}, or it is not the application's",
  BAD_REQUEST: "The request is malformed: check address, headers and content",
  REQUEST_TIMEOUT: "The request did not arrive in time",
  HEADERS_TOO_LARGE: "The headers are too large",
  ROUTE_NOT_FOUND: "There is no such call: check path and method",
  ORDER_NO_TAKEN: "An order with the thirdPartyNo {no} exists",
  ORDER_NOT_CANCELLABLE:
    "The order cannot be cancelled now: the door is not known to be closed, or the compartment not known to be empty",
  STATE_NOT_ALLOWED: "The state of the order does not allow this",
  CABINET_TAKES_NO_ORDERS: "The cabinet takes no orders now: see refusalCode of the cabinet",
  CABINET_OFFLINE: "The cabinet is offline: no command was sent",
  BROKER_UNREACHABLE: "The message broker does not answer: no command was sent",
  CABINET_RETIRED: "The cabinet is retired",
  NO_FREE_COMPARTMENT: "No compartment of this size is free",
  APP_RESERVATIONS_FULL:
    "The application has {max} reservations of this size at this cabinet that hold no goods yet, which is its limit",
  RECIPIENT_LOCKED: "The tenant has locked the recipient",
  TENANT_CLOSED: "The tenant has expired or is suspended: no new deposits",
  COMMAND_IN_FLIGHT: "Compartment {no} is being opened: wait for the result",
  OPPOSITE_DOOR_OPEN: "The door on the other side of compartment {no} is open",
  OPPOSITE_DOOR_UNKNOWN: "The state of the door on the other side of compartment {no} is not known",
  ORDER_IN_DOUBT: "The result of the last opening is not known: look at the door first",
  PRICING_CHANGED: "The price has changed: read pricing of the cabinet again",
  CODE_NOT_SENDABLE: "No channel reaches the recipient: the former pickup code stays valid",
  ORDER_OWES: "{owed} yuan are due: the recipient must pay first",
  CALLBACK_ADDRESS_MISSING: "The application has no enabled callback address",
  CALLBACK_REPLAY_TOO_LARGE: "The range has more than {max} deliveries",
  NO_PERMISSION: "The application lacks the permission {scope}",
  FEATURE_OFF: "The open API is switched off for the tenant",
  RATE_LIMITED: "Too many requests: retry in {seconds} seconds",
  TENANT_REQUESTS_USED_UP:
    "The tenant has used up its {max} requests of this minute: retry in {seconds} seconds",
  OVERLOADED: "The service is busy: retry later",
  INTERNAL: "Internal error: retry later; if it still fails, tell us the id {requestId}",
};

/** Program name of a record that NOT_FOUND is about, by its name in `{what}`. */
const resources: Readonly<Record<string, string>> = {
  订单: "order",
  设备: "cabinet",
  开门记录: "opening",
};

export const openResourceOf = (what: unknown): string | undefined => resources[String(what)];

/** English sentence of a refusal: without `{what}` and other facts that are Chinese. */
export function openErrorEnglish(code: ErrorCode, facts: ErrorFacts = {}): string {
  const sent = openCodeOf(code);
  const own = isOpenError(sent) ? sentences[sent] : `The request was refused (${sent})`;
  const sentence = ofInput[code] ?? own;
  const known: ErrorFacts = { ...facts, resource: openResourceOf(facts.what) ?? "record" };
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name] ?? ""));
}

/** True if the header `Accept-Language` prefers English to Chinese. */
export function prefersEnglish(header: string | undefined): boolean {
  const weightOf = (language: string) => {
    const tag = new RegExp(`(?:^|,)\\s*${language}\\b[^,;]*(?:;\\s*q=([\\d.]+))?`, "gi");
    const weights = [...(header ?? "").matchAll(tag)].map(([, weight = "1"]) => Number(weight));
    return Math.max(0, ...weights);
  };
  return weightOf("en") > weightOf("zh");
}
