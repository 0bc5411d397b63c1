// Idempotency keys: the same request keeps its key until it is answered.
import { expect, it } from "vitest";
import { endOnceKey, onceKey } from "./once-key.ts";

it("onceKey: keeps the key of an unanswered request; the next request gets a new one", () => {
  const first = onceKey("POST /wallet {1}", 1);
  expect(first.key).toMatch(/^[0-9a-f]{32}$/);
  expect(onceKey("POST /wallet {1}", 2).key).toBe(first.key);
  expect(onceKey("POST /wallet {2}", 2).key).not.toBe(first.key);
  endOnceKey("POST /wallet {1}");
  expect(onceKey("POST /wallet {1}", 3).key).not.toBe(first.key);
});

it("onceKey: another press is a repeat, another try of the same press is not", () => {
  expect(onceKey("POST /door", 1).isRepeat).toBe(false);
  expect(onceKey("POST /door", 1).isRepeat).toBe(false);
  expect(onceKey("POST /door", 2).isRepeat).toBe(true);
  endOnceKey("POST /door");
  expect(onceKey("POST /door", 3).isRepeat).toBe(false);
});
