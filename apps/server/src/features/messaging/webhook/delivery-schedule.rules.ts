// Pure rules for how an attempt changes its delivery and the endpoint's health.
import {
  type AttemptOutcome,
  attemptOutcomeText,
  type DeliveryPurpose,
  type EndpointState,
  FAILING_AFTER,
  probeResultOf,
  retrySeconds,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";

export interface Answer {
  outcome: AttemptOutcome;
  status: number | null;
  retryAfter: number | null;
}

export interface NextStep {
  state: "WAITING" | "DELIVERED" | "DEAD";
  failures: number;
  /** Delay in seconds while WAITING; null in every other state. */
  inSeconds: number | null;
}

/**
 * The next state of a delivery. Tests and probes are attempted once; an attempt that we aborted is
 * no failure. `random` is 0–1.
 */
export function stepAfter(
  { outcome, status, retryAfter }: Answer,
  { purpose, failures: before }: { purpose: DeliveryPurpose; failures: number },
  random: number,
): NextStep {
  if (outcome === "DELIVERED") return { state: "DELIVERED", failures: before, inSeconds: null };
  if (outcome === "UNKNOWN") return { state: "WAITING", failures: before, inSeconds: 0 };
  // A refusal is the success of a probe.
  if (purpose === "PROBE" && probeResultOf(outcome, status) === "REFUSED") {
    return { state: "DELIVERED", failures: before, inSeconds: null };
  }
  const failures = before + 1;
  const isLast = purpose !== "EVENT" || outcome === "GONE";
  const inSeconds = isLast ? null : retrySeconds(failures, retryAfter, random);
  return { state: inSeconds === null ? "DEAD" : "WAITING", failures, inSeconds };
}

export interface Health {
  state: EndpointState;
  failures: number;
}

/**
 * The endpoint's new health; null when it does not change. `reason` is null where the state stays.
 */
export function healthAfter(
  { outcome, status }: Answer,
  before: Health,
): (Health & { reason: string | null; isSuccess: boolean }) | null {
  if (outcome === "UNKNOWN") return null;
  if (outcome === "DELIVERED") {
    const isBack = before.state === "FAILING";
    return {
      state: isBack ? "ENABLED" : before.state,
      failures: 0,
      reason: isBack ? "恢复送达" : null,
      isSuccess: true,
    };
  }
  const failures = before.failures + 1;
  const why = `${attemptOutcomeText[outcome]}${status === null ? "" : `（HTTP ${status}）`}`;
  if (outcome === "GONE" && before.state !== "DISABLED") {
    return { state: "DISABLED", failures, reason: "第三方回应 410，不再接收", isSuccess: false };
  }
  if (before.state === "ENABLED" && failures >= FAILING_AFTER) {
    const reason = `连续 ${failures} 次没有送达，最近一次：${why}`;
    return { state: "FAILING", failures, reason, isSuccess: false };
  }
  return { state: before.state, failures, reason: null, isSuccess: false };
}
