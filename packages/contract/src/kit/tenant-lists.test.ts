// Platform staff see the rows of all tenants: every list of such rows says whose each is, and can be asked for one.
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { contracts } from "../contracts.ts";
import { type EndpointSpec, isOfConsole, isReading } from "./endpoint.ts";

type Shape = TSchema & { properties?: Record<string, Shape>; items?: Shape };

/** Of the platform itself, of tenants as such, or of whoever asks; what hangs on one thing names that. */
const ofNoTenant = [
  "account.signIns",
  "announcement.received",
  "cabinet-model.list",
  "firmware.list",
  "firmware.released",
  "maintenance-message.mine",
  "tenancy.list",
];
/** Rows of the platform itself, as the tenant asked for has them. */
const ofOneTenant = ["faq.ofPlatform"];

const lists = Object.entries(contracts).flatMap(([noun, contract]) =>
  Object.entries(contract).flatMap(([call, spec]: [string, EndpointSpec]) => {
    const row = (spec.reply as Shape).properties?.list?.items;
    return row?.properties && isReading(spec) && isOfConsole(spec)
      ? [{ name: `${noun}.${call}`, spec, fields: Object.keys(row.properties) }]
      : [];
  }),
);

test.each(lists)("$name", ({ name, spec, fields }) => {
  const isOfOneThing = spec.params !== undefined || ofNoTenant.includes(name);
  expect(spec.query?.properties.tenantId !== undefined, "a filter").toBe(!isOfOneThing);
  if (!isOfOneThing && !ofOneTenant.includes(name)) expect(fields).toContain("tenantName");
});
