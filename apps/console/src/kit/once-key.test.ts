// Idempotency keys: the same request keeps its key until it is answered.
import { expect, it } from "vitest";
import { endOnceKey, onceKey } from "./once-key.ts";

it("onceKey: keeps the key of an unanswered request; the next request gets a new one", () => {
  const first = onceKey("POST /wallet {1}");
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(onceKey("POST /wallet {1}")).toBe(first);
  expect(onceKey("POST /wallet {2}")).not.toBe(first);
  endOnceKey("POST /wallet {1}");
  expect(onceKey("POST /wallet {1}")).not.toBe(first);
});
