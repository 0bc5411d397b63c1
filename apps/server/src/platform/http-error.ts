// What a failed request is answered: a refusal in the house's words, or an error with its number.
import { errorTable, errorText } from "@cabinet/contract/kit/errors.ts";
import { openStatus } from "@cabinet/contract/open-api/open-error.rules.ts";
import type { ErrorObject } from "ajv";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "./errors.ts";
import { mediaTypes } from "./http-access.ts";
import { explainValidation } from "./validation.ts";

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error);
  if (!refusal) {
    request.log.error({ err: error, route: request.routeOptions.url }, "request failed");
  }
  const status = refusal?.status ?? errorTable.INTERNAL.status;
  const errCode = refusal?.code ?? "INTERNAL";
  // Also where it was refused before anybody asked whose it is.
  const isPartner = request.routeOptions.config.spec?.access === "partner";
  if (refusal && refusal.seconds !== null) reply.header("retry-after", refusal.seconds);
  const errMsg = refusal?.text ?? errorText("INTERNAL", { requestId: request.id });
  return reply
    .code(isPartner ? openStatus(errCode) : status)
    .type("application/json; charset=utf-8")
    .send(
      JSON.stringify({
        ...{ code: 1, data: null, errMsg, requestId: request.id },
        ...(isPartner && { errCode }),
      }),
    );
}

/** Errors of the framework, in the house's words; null when the error is a bug. */
function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const { code, validation } = error as { code?: string; validation?: ErrorObject[] };
  if (validation?.[0]) {
    return new Refusal("VALIDATION", undefined, explainValidation(validation[0]));
  }
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refusal("BODY_TOO_LARGE");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refusal("CONTENT_TYPE", { expected: Object.values(mediaTypes).join(" 或 ") });
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_VALIDATION":
    // A text with a character that the database cannot hold.
    case "22021":
    case "22P05":
      return new Refusal("VALIDATION");
    // A row that somebody else has held for the whole lock_timeout.
    case "55P03":
    case "NO_CONNECTION":
    case "TOO_LATE":
      return new Refusal("OVERLOADED");
    default:
      return (error as { statusCode?: number }).statusCode === 400
        ? new Refusal("VALIDATION")
        : null;
  }
}
