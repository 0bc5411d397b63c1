// Codes of tenants in links: the number with a MAC, so that nobody finds tenants by counting.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Vault } from "../../../platform/secrets.ts";

const MAC_BYTES = 8;

function macOf(vault: Vault, tenantId: number): Buffer {
  return createHmac("sha256", vault.derive("tenant code"))
    .update(String(tenantId))
    .digest()
    .subarray(0, MAC_BYTES);
}

/** The same as long as the installation keeps its root key: stickers last for years. */
export function tenantCodeOf(vault: Vault, tenantId: number): string {
  return `${tenantId}-${macOf(vault, tenantId).toString("base64url")}`;
}

/** Number of the tenant; null for a code that this installation never gave out. */
export function tenantOfCode(vault: Vault, code: string): number | null {
  const [, id = "", mac = ""] = /^([1-9]\d{0,8})-([\w-]{11})$/.exec(code) ?? [];
  const given = Buffer.from(mac, "base64url");
  if (given.length !== MAC_BYTES || !timingSafeEqual(given, macOf(vault, Number(id)))) return null;
  return Number(id);
}
