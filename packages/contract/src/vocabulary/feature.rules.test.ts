// Tests which calls and menu entries belong to a tenant's optional features.
import { expect, test } from "vitest";
import { contracts } from "../contracts.ts";
import { refusalsOf } from "../refusals.ts";
import { featuresOf, isEntryOff, permissionsWithout } from "./feature.rules.ts";

const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([key, spec]) => ({ name: `${noun}.${key}`, spec })),
);
const gated = calls.filter(({ spec }) => featuresOf(spec).length > 0).map(({ name }) => name);

test("features: doors, orders, wallets, refunds and the app need none", () => {
  const never =
    /^(command|order|app|app-order|app-wallet|app-page|wallet|ledger|payment|package|sms)\./;
  expect(gated.filter((name) => never.test(name))).toEqual([]);
  const openNever = ["order", "orders", "findOrder", "openDoor", "opening", "cancelOrder"];
  expect(openNever.filter((key) => gated.includes(`open-api.${key}`))).toEqual([]);
});

test("features: the calls of each are gated, and document the refusal", () => {
  for (const name of [
    ...["open-api.createOrder", "open-app.list", "callback.endpoints", "export.start"],
    ...["statistics.ranking", "statistics.screen", "advert.create"],
  ]) {
    expect(gated, name).toContain(name);
  }
  for (const { name, spec } of calls) {
    if (!gated.includes(name)) continue;
    expect([...refusalsOf(name, spec).values()].flat(), name).toContain("FEATURE_OFF");
  }
});

test("features: the large screen needs statistics as well", () => {
  expect(featuresOf({ access: "statistics:read", feature: "screen" })).toEqual([
    "screen",
    "statistics",
  ]);
});

test("features: an entry is off when nothing of it is left", () => {
  const records = { uri: "/thirdPartApi/record", permissions: ["callback:read", "open-call:read"] };
  expect(isEntryOff(records, ["webhook"])).toBe(false);
  expect(isEntryOff(records, ["webhook", "open-api"])).toBe(true);
  expect(isEntryOff({ uri: "/largeScreen", permissions: ["statistics:read"] }, ["screen"])).toBe(
    true,
  );
  expect(isEntryOff({ uri: "/thirdPartApi", permissions: [] }, ["webhook", "open-api"])).toBe(
    false,
  );
  expect(permissionsWithout(records.permissions, ["webhook"])).toEqual(["open-call:read"]);
});
