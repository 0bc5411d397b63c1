// Codes of tenants in links: only those that this installation gave out name a tenant.
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { Vault } from "../../../platform/secrets.ts";
import { tenantCodeOf, tenantOfCode } from "./tenant-code.crypto.ts";

const vault = new Vault(randomBytes(32));

it("a code names its tenant, and matches the contract's pattern", () => {
  for (const id of [1, 2, 200, 999_999_999]) {
    const code = tenantCodeOf(vault, id);
    expect(code).toMatch(/^\d+-[\w-]{11}$/);
    expect(tenantOfCode(vault, code)).toBe(id);
  }
});

it("another number, another MAC, another installation and anything else name nobody", () => {
  const code = tenantCodeOf(vault, 7);
  const mac = code.slice(2);
  const other = mac.startsWith("A") ? `B${mac.slice(1)}` : `A${mac.slice(1)}`;
  for (const wrong of [`8-${mac}`, `7-${other}`, `07-${mac}`, `7-${mac}A`, "7", "7-", "", "-"]) {
    expect(tenantOfCode(vault, wrong), wrong).toBeNull();
  }
  expect(tenantOfCode(new Vault(randomBytes(32)), code)).toBeNull();
});
