// Central handling of failed calls: ends the session or shows a toast (specification §8).
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import { describeFailure, type FailedReply } from "./errors.rules.ts";
import { messageOf, toast } from "./feedback.ts";
import { currentSession, endSession, leaveImpersonation, sessionStore } from "./session.ts";

/** Error thrown by `call`; `message` is shown to the user. */
export class ApiError extends Error {
  readonly kind: FailedReply["kind"];
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** `errCode` of the envelope; null without one. */
  readonly code: ErrorCode | null;
  readonly requestId: string | null;
  readonly isSilent: boolean;

  constructor(reply: FailedReply, message: string, isSilent: boolean) {
    super(message);
    this.name = "ApiError";
    this.kind = reply.kind;
    this.status = reply.status;
    this.code = (reply.errCode as ErrorCode | undefined) ?? null;
    this.requestId = reply.requestId ?? null;
    this.isSilent = isSilent;
  }
}

/**
 * Creates the error of a failed reply. Ends an expired session, which leads to the sign-in page or lays it over one with unsaved input;
 * `token` is the one of the request, so that a late response cannot end a newer session.
 */
export function failureOf(reply: FailedReply, token: string | null): ApiError {
  const { message, isSilent, effect } = describeFailure(reply);
  if (effect === "none") return new ApiError(reply, message, isSilent);
  const session = currentSession();
  if (session && session.token === token) {
    if (effect === "sign-out" && session.visit) {
      leaveImpersonation();
      toast.warning(`对“${session.visit.tenantName}”的查看已结束，已回到您自己的账号`);
      return new ApiError(reply, message, true);
    }
    if (effect === "sign-out") endSession();
    else if (effect === "change-password") {
      sessionStore.setState({ session: { ...session, mustChangePassword: true } });
    } else sessionStore.setState({ session: { ...session, secondStep: effect } });
    toast.error(message);
  }
  return new ApiError(reply, message, true);
}

/** Which refusal of the server it is; null for another failure. */
export function codeOf(error: unknown): ErrorCode | null {
  return error instanceof ApiError ? error.code : null;
}

/** The call waits for a second person: the form is done. */
export function isRequested(error: unknown): boolean {
  return codeOf(error) === "REVIEW_REQUESTED";
}

/** Shows the error as a toast unless it is silent. */
export function reportError(error: unknown): void {
  if (error instanceof ApiError && error.isSilent) return;
  toast.error(messageOf(error));
}
