// Idempotency keys: an unanswered request keeps its key through retries and reloads.
import { kept } from "./storage.ts";

const unanswered = kept<Record<string, string>>("session", "unanswered", {});

/** Idempotency key of this request: the same until it is answered. */
export function onceKey(request: string): string {
  const known = unanswered.get()[request];
  if (known !== undefined) return known;
  // Not `randomUUID`: it is missing on pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  unanswered.set({ ...unanswered.get(), [request]: key });
  return key;
}

/** Called after success or refusal: the next equal request gets a new key. */
export function endOnceKey(request: string): void {
  const { [request]: _, ...others } = unanswered.get();
  unanswered.set(others);
}
