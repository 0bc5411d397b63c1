// The words of permissions say of every call whether it only reads.
import { expect, test } from "vitest";
import { contracts } from "../contracts.ts";
import { type EndpointSpec, isReading } from "../kit/endpoint.ts";
import { isReadingPermission } from "./permission.rules.ts";

const calls = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).map(([call, spec]) => ({
    name: `${noun}.${call}`,
    spec: spec as EndpointSpec,
  })),
);
const granted = calls.filter(({ spec }) => spec.access.includes(":"));

/** Showing a whole phone number is written down, though whoever reads the rest may do it. */
const reveals = ["order.showPhones", "store.showContact"];

test("a permission to read opens no call that writes, but for phones that are shown", () => {
  const writing = granted.filter(
    ({ spec }) => isReadingPermission(spec.access) && !isReading(spec),
  );
  expect(writing.map(({ name }) => name).sort()).toEqual(reveals);
});

test("every other permission opens a call that writes", () => {
  const words = new Set(granted.map(({ spec }) => spec.access));
  const idle = [...words].filter(
    (word) =>
      !isReadingPermission(word) &&
      granted.every(({ spec }) => spec.access !== word || isReading(spec)),
  );
  expect(idle).toEqual([]);
});
