// The one place where a failed call ends a session or is shown as a toast (specification §8).
import { describeFailure, type FailedReply } from "./errors.rules.ts";
import { messageOf, toast } from "./feedback.ts";
import { currentSession, leaveVisit, sessionStore } from "./session.ts";

/** What `call` throws; `message` is what the user reads. */
export class ApiError extends Error {
  readonly kind: FailedReply["kind"];
  /** HTTP status; 0 when nothing was answered. */
  readonly status: number;
  /** Code of the envelope, when there was one. */
  readonly code: number | null;
  readonly requestId: string | null;
  readonly isSilent: boolean;

  constructor(reply: FailedReply & { code: number | null }, message: string, isSilent: boolean) {
    super(message);
    this.name = "ApiError";
    this.kind = reply.kind;
    this.status = reply.status;
    this.code = reply.code;
    this.requestId = reply.requestId ?? null;
    this.isSilent = isSilent;
  }
}

/**
 * Makes the error of a failed reply. A session that has ended is cleared here, which leads to the
 * sign-in page; `token` is the one the call was made with, so that late answers end no new session.
 */
export function failureOf(
  reply: FailedReply & { code: number | null },
  token: string | null,
): ApiError {
  const { message, isSilent, effect } = describeFailure(reply);
  if (effect === "none") return new ApiError(reply, message, isSilent);
  const session = currentSession();
  if (session && session.token === token) {
    if (effect === "sign-out" && session.visit) {
      leaveVisit();
      toast.warning(`对“${session.visit.tenantName}”的查看已结束，已回到您自己的账号`);
      return new ApiError(reply, message, true);
    }
    if (effect === "sign-out") sessionStore.setState({ session: null });
    else sessionStore.setState({ session: { ...session, mustChangePassword: true } });
    toast.error(message);
  }
  return new ApiError(reply, message, true);
}

/** Shows the toast of an error, unless it passes silently. */
export function reportError(error: unknown): void {
  if (error instanceof ApiError && error.isSilent) return;
  toast.error(messageOf(error));
}
