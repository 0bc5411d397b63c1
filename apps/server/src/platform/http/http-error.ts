// Turns every failed request into the envelope: refusals, framework errors, bugs.
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { EndpointSpec, Mistake, Refused } from "@cabinet/contract/kit/endpoint.ts";
import {
  type Audience,
  type ErrorCode,
  errorTable,
  errorText,
  errorUrl,
} from "@cabinet/contract/kit/errors.ts";
import { openCodeOf, openStatus } from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import {
  openErrorEnglish,
  openResourceOf,
  prefersEnglish,
} from "@cabinet/contract/partners/open-api/open-error-english.rules.ts";
import type { ErrorObject } from "ajv";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isOutage } from "../db/postgres-client.ts";
import {
  CHARACTER_NOT_IN_REPERTOIRE,
  codeOf,
  LOCK_NOT_AVAILABLE,
  QUERY_CANCELED,
  UNTRANSLATABLE_CHARACTER,
} from "../db/sql-state.ts";
import { Refusal } from "../errors.ts";
import { refusals } from "../metrics.ts";
import { mediaTypes } from "./http-access.ts";
import { mistakeIn, mistakesOf, validationRefusal } from "./validation.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Error code of the answer; null after success. */
    refusalCode: string | null;
    /** The answer is that of an earlier request with the same idempotency key. */
    isReplayed: boolean;
  }
}

/** Headers of answers that hold data: nobody keeps, sniffs, frames or runs them as a page. */
export const dataHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Half of the time that detecting a lost connection takes. */
const RETRY_AFTER_SECONDS = 5;

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error);
  // A slow statement is answered like an overload, and its cause must be found in the log.
  if (!refusal || isOutage(error) || codeOf(error) === QUERY_CANCELED) {
    request.log.error({ err: error, route: request.routeOptions.url }, "request failed");
  }
  request.refusalCode = refusal?.code ?? "INTERNAL";
  refusals.inc({ code: request.refusalCode });
  const status = refusal?.status ?? errorTable.INTERNAL.status;
  const errCode = openCodeOf(refusal?.code ?? "INTERNAL");
  // Programs of third parties and firmware go by the status. By path, which is known even where no route matched.
  const goesByStatus = /^\/+(open\/|device\/+v1\/+(?!broker\/))/.test(request.url);
  if (refusal && refusal.seconds !== null) reply.header("retry-after", refusal.seconds);
  const isOpen = /^\/+open\//.test(request.url);
  const isEnglish = isOpen && prefersEnglish(request.headers["accept-language"]);
  if (isEnglish) reply.header("content-language", "en");
  const { param, scope } = refusal ?? {};
  return (
    reply
      .code(goesByStatus ? openStatus(errCode) : status)
      .type("application/json; charset=utf-8")
      // Also set here: errors before routing run no hooks.
      .headers(dataHeaders)
      .send(
        JSON.stringify(
          refusedBody(errCode, sentenceOf(refusal, request, isEnglish), {
            ...{ requestId: request.id, param, scope },
            mistakes: mistakesIn(error, request, isEnglish),
            resource: isOpen ? openResourceOf(refusal?.facts?.what) : undefined,
          }),
        ),
      )
  );
}

function sentenceOf(refusal: Refusal | null, request: FastifyRequest, isEnglish: boolean): string {
  const { code = "INTERNAL", facts = { requestId: request.id } } = refusal ?? {};
  if (isEnglish) return refusal?.english ?? openErrorEnglish(code, facts);
  return refusal?.textFor(audienceOf(request.url)) ?? errorText(code, facts);
}

/** All mistakes of a refused input, for programs: a person at a form sees them beside the fields. */
function mistakesIn(error: unknown, request: FastifyRequest, isEnglish: boolean): Mistake[] {
  const first = (error as { validation?: ErrorObject[] }).validation?.[0];
  const { spec } = request.routeOptions.config as { spec?: EndpointSpec };
  if (!first || !spec || audienceOf(request.url) !== "api") return [];
  return mistakesOf(spec, request, first).map((mistake) => mistakeIn(mistake, isEnglish));
}

function refusedBody(
  errCode: ErrorCode,
  errMsg: string,
  {
    requestId,
    param,
    scope,
    resource,
    mistakes = [],
  }: {
    requestId: string;
    param?: string | undefined;
    scope?: string | undefined;
    resource?: string | undefined;
    mistakes?: Mistake[];
  },
): Refused {
  return {
    ...{ code: 1, data: null, errMsg, errCode },
    ...(param && { param }),
    ...(mistakes.length > 0 && { mistakes }),
    ...(scope && { scope }),
    ...(resource && { resource }),
    ...{ docUrl: errorUrl(errCode), requestId },
  };
}

/** The hooks of an outside broker answer people who set it up. */
function audienceOf(url: string): Audience {
  return /^\/+(open\/|device\/+v1\/+(?!broker\/)|api\/+app\/)/.test(url) ? "api" : "console";
}

/**
 * Answers bytes that are not an HTTP request: the framework has neither request nor reply for them.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const errCode = codesOfParser[error.code ?? ""] ?? "BAD_REQUEST";
  const { status } = errorTable[errCode];
  const body = JSON.stringify(
    refusedBody(errCode, errorText(errCode), { requestId: randomUUID() }),
  );
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(dataHeaders).map(([name, value]) => `${name}: ${value}`),
      "Connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}

const codesOfParser: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
};

/** Maps an error to a refusal; null when it is a bug. */
function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const { validation } = error as { validation?: ErrorObject[] };
  if (validation?.[0]) {
    return validationRefusal(validation[0]);
  }
  switch (codeOf(error)) {
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_VALIDATION":
    case CHARACTER_NOT_IN_REPERTOIRE:
    case UNTRANSLATABLE_CHARACTER:
      return new Refusal("VALIDATION");
    case "CALLER_GONE":
      return new Refusal("CALLER_GONE");
    case LOCK_NOT_AVAILABLE:
    case QUERY_CANCELED:
    case "NO_CONNECTION":
    case "TOO_LATE":
      return new Refusal("OVERLOADED", { seconds: RETRY_AFTER_SECONDS });
    default:
      return byStatus(error as FrameworkError);
  }
}

interface FrameworkError {
  code?: string;
  statusCode?: number;
  /** Set by http-errors, as the static file plugin throws them. */
  expose?: boolean;
}

/**
 * A 4xx of the framework or a plugin is the caller's mistake; other errors may have a stray status.
 */
function byStatus({ code, statusCode = 500, expose }: FrameworkError): Refusal | null {
  const isFramework = code?.startsWith("FST_") || expose !== undefined;
  if (!isFramework) return statusCode === 400 ? new Refusal("VALIDATION") : null;
  if (statusCode < 400 || statusCode >= 500) return null;
  switch (statusCode) {
    // A path outside the served folder looks like one that does not exist.
    case 403:
    case 404:
    case 414:
      return new Refusal("ROUTE_NOT_FOUND");
    case 413:
      return new Refusal("BODY_TOO_LARGE");
    case 415:
      return new Refusal("CONTENT_TYPE", { expected: Object.values(mediaTypes).join(" 或 ") });
    default:
      return new Refusal("BAD_REQUEST");
  }
}
