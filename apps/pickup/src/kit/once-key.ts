// Idempotency keys: an unanswered request keeps its key through retries and reloads.
import { kept } from "./storage.ts";

/** By request: its key and, behind an `@`, its last press. */
const unanswered = kept<Record<string, string>>("session", "unanswered", {});
/** The last answer was that of an earlier press: what was pressed has not been done again. */
export const replayed = kept("session", "replayed", false);

/** Idempotency key of this request: the same until it is answered; `isRepeat`: an earlier press has had no answer. */
export function onceKey(request: string, pressedAt: number): { key: string; isRepeat: boolean } {
  const [known, lastPress] = unanswered.get()[request]?.split("@") ?? [];
  const key = known ?? newKey();
  unanswered.set({ ...unanswered.get(), [request]: `${key}@${pressedAt}` });
  return { key, isRepeat: known !== undefined && lastPress !== String(pressedAt) };
}

/** Not `randomUUID`: it is missing on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Called after success or refusal: the next equal request gets a new key. */
export function endOnceKey(request: string): void {
  const { [request]: _, ...others } = unanswered.get();
  unanswered.set(others);
}
