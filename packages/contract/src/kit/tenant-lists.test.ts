// Lists that platform staff see across tenants: every row names its tenant and the call filters by
// tenant.
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { contracts } from "../contracts.ts";
import { type EndpointSpec, isOfConsole, isReading } from "./endpoint.ts";

type Shape = TSchema & { properties?: Record<string, Shape>; items?: Shape };

/**
 * Rows of the platform, of tenants themselves, or of the caller; calls with path params name one
 * owner.
 */
const ofNoTenant = [
  "account.signIns",
  "announcement.received",
  "cabinet-model.list",
  "firmware.list",
  "firmware.released",
  "notification.list",
  "tenancy.list",
];
/** Rows of the requested tenant alone: the tenant is a filter only. */
const ofOneTenant = ["faq.ofPlatform", "web-page.stickers"];

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
