// The same request has the same key until it is answered.
import { expect, it } from "vitest";
import { endOnceKey, onceKey } from "./once-key.ts";

it("keeps the key of a request that nobody answered, and gives the next one another", () => {
  const first = onceKey("POST /wallet {1}");
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(onceKey("POST /wallet {1}")).toBe(first);
  expect(onceKey("POST /wallet {2}")).not.toBe(first);
  endOnceKey("POST /wallet {1}");
  expect(onceKey("POST /wallet {1}")).not.toBe(first);
});
