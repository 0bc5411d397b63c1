// Tests how long a call waits for a place that somebody else's work keeps.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Places } from "./places.ts";

const shareOf = (tenant: number) =>
  ({ load: "interactive", tenant, account: 1, isBounded: true }) as const;

test("work that takes seconds: a call of another tenant waits for its end where the places say so", async () => {
  const outcomeOf = async (places: Places) => {
    const long = places.use({ share: shareOf(1) }, () => sleep(3_300));
    const other = places.use({ share: shareOf(2) }, async () => "served");
    const outcome = await other.catch((error: { code?: string }) => error.code);
    await long;
    return outcome;
  };
  const outcomes = [outcomeOf(new Places(1, 600_000, 24_000)), outcomeOf(new Places(1, 600_000))];
  expect(await Promise.all(outcomes)).toEqual(["served", "NO_CONNECTION"]);
});
