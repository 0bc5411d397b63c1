// Refusals that each call may answer with, by HTTP status: those of every layer before its handler, and its own.
import {
  callerOf,
  type EndpointSpec,
  isOfConsole,
  isReading,
  loadOf,
  needsProof,
} from "./kit/endpoint.ts";
import { type ErrorCode, errorTable } from "./kit/errors.ts";
import { phoneSearchFieldsOf } from "./kit/phone-search.rules.ts";
import { openCodeOf, openStatus } from "./partners/open-api/open-error.rules.ts";
import own from "./refusals.json" with { type: "json" };
import { featuresOf } from "./vocabulary/feature.rules.ts";

/** The framework, the rate limits and the shares of the database refuse before any call. */
const ofAll: ErrorCode[] = [
  "VALIDATION",
  "BAD_REQUEST",
  "ROUTE_NOT_FOUND",
  "REQUEST_TIMEOUT",
  "HEADERS_TOO_LARGE",
  "RATE_LIMITED",
  "INTERNAL",
  "OVERLOADED",
];
const ofBodies: ErrorCode[] = ["BODY_TOO_LARGE", "CONTENT_TYPE"];
const ofUploads: ErrorCode[] = [
  "FILE_MISSING",
  "FILE_KIND",
  "FILE_TOO_LARGE",
  "FILE_BROKEN",
  "FILE_INCOMPLETE",
  "FILE_INFECTED",
  "SCAN_UNAVAILABLE",
];
const ofSessions: ErrorCode[] = [
  "SIGN_IN_REQUIRED",
  "TENANT_MISMATCH",
  "TENANT_EXPIRED",
  "SECOND_FACTOR_DUE",
  "SECOND_FACTOR_MISSING",
  "PASSWORD_CHANGE_REQUIRED",
  "NO_PERMISSION",
];

function ofAccess(spec: EndpointSpec): ErrorCode[] {
  if (isOfConsole(spec)) {
    return [
      ...ofSessions,
      ...(isReading(spec) ? [] : ["VISIT_READ_ONLY" as const]),
      ...(needsProof(spec) ? ["PROOF_DUE" as const] : []),
      ...(spec.risk === "money-by-sum" ? ["REVIEW_REQUESTED" as const] : []),
    ];
  }
  if (spec.access === "end-user") {
    const closed: ErrorCode[] = spec.startsNew ? ["END_USER_LOCKED", "TENANT_CLOSED"] : [];
    return ["SIGN_IN_REQUIRED", "TENANT_EXPIRED", ...closed];
  }
  if (spec.access === "partner") {
    return ["PARTNER_UNPROVEN", ...(spec.scope ? ["NO_PERMISSION" as const] : [])];
  }
  return [];
}

/** Calls that count against the tenant's requests. */
function ofTenant(spec: EndpointSpec): ErrorCode[] {
  const isCounted = isOfConsole(spec) || spec.access === "partner";
  return isCounted && loadOf(spec) !== "critical" ? ["TENANT_REQUESTS_USED_UP"] : [];
}

function ofOnce({ once, access }: EndpointSpec): ErrorCode[] {
  if (!once) return [];
  const missing: ErrorCode[] = access === "partner" ? ["IDEMPOTENCY_KEY_REQUIRED"] : [];
  return ["REPEAT_DIFFERS", "REPEAT_IN_FLIGHT", ...missing];
}

const ofPress = ({ pressed }: EndpointSpec): ErrorCode[] =>
  pressed ? ["PRESS_EXPIRED", "PRESS_AHEAD"] : [];

/** The gate of searches by a phone (0135) stands before the handler; an export starts with the same gate. */
function ofPhones(spec: EndpointSpec): ErrorCode[] {
  const forms = phoneSearchFieldsOf(spec).map(({ form }) => form);
  return [
    ...(forms.length > 0 ? ["PHONE_SEARCHES_USED_UP" as const] : []),
    ...(forms.includes("PART") ? ["PHONE_PART_HIDDEN" as const, "REVEALS_USED_UP" as const] : []),
  ];
}

/** HTTP status of a refusal in the answer to this call. */
function refusalStatus(spec: EndpointSpec, code: ErrorCode): number {
  const caller = callerOf(spec);
  return caller === "partner" || caller === "device" ? openStatus(code) : errorTable[code].status;
}

/**
 * Error codes by status, both in ascending order. `name` is `noun.call`; the handlers' own codes are found in the
 * server's source by a test (`refusals.json`).
 */
export function refusalsOf(name: string, spec: EndpointSpec): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...ofAll,
    ...(spec.method === "GET" ? [] : ofBodies),
    ...(spec.bodyForm === "multipart" ? ofUploads : []),
    ...ofAccess(spec),
    ...ofTenant(spec),
    ...(featuresOf(spec).length > 0 ? ["FEATURE_OFF" as const] : []),
    ...ofOnce(spec),
    ...ofPress(spec),
    ...ofPhones(spec),
    ...(spec.needsCaptcha ? ["CAPTCHA_INVALID" as const] : []),
    ...(spec.needsCaptcha === "when-due" ? ["CAPTCHA_DUE" as const] : []),
    ...((own as Record<string, ErrorCode[]>)[name] ?? []).map(openCodeOf),
  ]);
  // Nobody receives this answer.
  codes.delete("CALLER_GONE");
  const byStatus = Map.groupBy([...codes].sort(), (code) => refusalStatus(spec, code));
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}
