// Keys of calls that must not have their effect twice: the same request keeps its key until it is answered.

/** By what is sent. A request that nobody answered keeps its key for the next attempt. */
const unanswered = new Map<string, string>();

/** The key under which this request is made. */
export function onceKey(request: string): string {
  let key = unanswered.get(request);
  if (!key) {
    // Not `randomUUID`, which a page without TLS does not have.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    unanswered.set(request, key);
  }
  return key;
}

/** Granted or refused, the next one like it is another. */
export function endOnceKey(request: string): void {
  unanswered.delete(request);
}
