// Promise T2: a transaction outside of a tenant's scope is a job over all tenants, or has its reason here.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const folder = path.join(import.meta.dirname, "../apps/server/src/features");
const PLATFORM = /\.(transaction|read|snapshot)\(\s*"platform"/g;
/** Work over the rows of all tenants, woken by time or at the start. */
const OF_ALL = /\.(jobs|runner|metrics|seed)\.ts$/;

/** Places in files that serve callers or cabinets, and why they start without a tenant. */
const reasons: Record<string, [places: number, reason: string]> = {
  "equipment/device-stock/activation.service.ts": [1, "a device in stock belongs to no tenant"],
  "fleet/command/command.device.ts": [1, "one sweep over commands of many tenants"],
  "identity/auth/auth.service.ts": [
    3,
    "an account name is unique over all tenants; its tenant follows",
  ],
  "link/device/broker/link.device.ts": [7, "one batch of reports has cabinets of many tenants"],
  "link/device/gate/cabinet-log.service.ts": [1, "one row by the serial number"],
  "link/device/gate/connect.gate.ts": [1, "one batch of sign-ins has cabinets of many tenants"],
  "link/device/gate/keyring.cache.ts": [1, "keys are found by the serial number"],
  "messaging/rich-text/rich-text.routes.ts": [1, "one published picture by its unguessable id"],
  "messaging/sms/sms-channel.service.ts": [2, "the SMS channel belongs to the installation"],
  "money/payment/certificate.service.ts": [1, "finds tenants; each is notified in its scope"],
  "operations/malfunction/signal.service.ts": [2, "one batch of signals is of many tenants"],
  "orders/app/app-cabinet.service.ts": [1, "finds the cabinet, then is narrowed"],
  "orders/app/app-order.service.ts": [
    4,
    "rate limits of strangers; finds the cabinet, then is narrowed; one opening by its id",
  ],
  "orders/app/app-page.service.ts": [2, "finds the tenant, then is narrowed; one logo by its id"],
  "organization/file/device-file.gate.ts": [2, "firmware belongs to the platform"],
  "partners/open-api/partner-gate.sql.ts": [1, "an application is found by its code"],
};

it("T2: each place outside of a tenant's scope has its reason", () => {
  const found = Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !OF_ALL.test(file))
      .map((file) => {
        const text = readFileSync(path.join(folder, file), "utf8");
        return [file, text.match(PLATFORM)?.length ?? 0] as const;
      })
      .filter(([, places]) => places > 0),
  );
  const listed = Object.fromEntries(
    Object.entries(reasons).map(([file, [places]]) => [file, places]),
  );
  expect(found).toEqual(listed);
});
