// Idempotency keys: the same request keeps its key until it is answered.

interface Unanswered {
  key: string;
  /** When the request was last pressed. */
  pressedAt: number;
}

/** Unanswered requests by their content; a retry reuses the key. */
const unanswered = new Map<string, Unanswered>();

/** Idempotency key for this request; `isRepeat`: an earlier press of it has had no answer. */
export function onceKey(request: string, pressedAt: number): { key: string; isRepeat: boolean } {
  const known = unanswered.get(request);
  const key = known?.key ?? newKey();
  unanswered.set(request, { key, pressedAt });
  return { key, isRepeat: known !== undefined && known.pressedAt !== pressedAt };
}

/** Not `randomUUID`: it is missing on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Called after success or refusal: the next equal request gets a new key. */
export function endOnceKey(request: string): void {
  unanswered.delete(request);
}
