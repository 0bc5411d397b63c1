// Tests that a permission's name shows whether its calls only read.
import { expect, test } from "vitest";
import { contracts } from "../../contracts.ts";
import { type EndpointSpec, isReading } from "../../kit/endpoint.ts";
import { isReadingPermission } from "./permission.rules.ts";

const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([call, spec]) => ({
    name: `${noun}.${call}`,
    spec: spec as EndpointSpec,
  })),
);
const granted = calls.filter(({ spec }) => spec.access.includes(":"));

/** Revealing a whole phone number is audited as a write, but needs only a read permission. */
const reveals = ["order.showPhones", "store.showContact"];

test("read permissions open no writing call except revealing phones", () => {
  const writing = granted.filter(
    ({ spec }) => isReadingPermission(spec.access) && !isReading(spec),
  );
  expect(writing.map(({ name }) => name).sort()).toEqual(reveals);
});

test("every other permission opens a writing call", () => {
  const words = new Set(granted.map(({ spec }) => spec.access));
  const idle = [...words].filter(
    (word) =>
      !isReadingPermission(word) &&
      granted.every(({ spec }) => spec.access !== word || isReading(spec)),
  );
  expect(idle).toEqual([]);
});
