// Idempotency keys: the same request keeps its key until it is answered.

/** Keys of unanswered requests by their content; a retry reuses the key. */
const unanswered = new Map<string, string>();

/** Idempotency key for this request. */
export function onceKey(request: string): string {
  let key = unanswered.get(request);
  if (!key) {
    // Not `randomUUID`: it is missing on pages without TLS.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    unanswered.set(request, key);
  }
  return key;
}

/** Called after success or refusal: the next equal request gets a new key. */
export function endOnceKey(request: string): void {
  unanswered.delete(request);
}
