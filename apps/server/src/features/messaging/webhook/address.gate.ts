// Decides which addresses webhooks may be sent to: the public internet only (SSRF guard, promise
// I6).
import { isIP, isIPv4 } from "node:net";
import { webhookUrlProblem } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import ipaddr from "ipaddr.js";

/** Azure's platform service address, reachable from each virtual machine. */
const AZURE_PLATFORM = "168.63.129.16";

/** Whether this is an IP address of the public internet; false for host names. */
export function isGlobalAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  // Everything outside 2000::/3 is reserved, and can embed an IPv4 address that escapes the check.
  const isReserved = parsed instanceof ipaddr.IPv6 && parsed.parts[0]! >> 13 !== 1;
  return parsed.range() === "unicast" && !isReserved && address !== AZURE_PLATFORM;
}

export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}

/** Host of a URL as a name or an address, without brackets and the final dot. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/**
 * Problem of a webhook URL as it is saved, in Chinese; null when there is none. A host name may point elsewhere by the
 * time of each attempt, which checks its addresses.
 */
export function savedUrlProblem(url: string, allowsLoopback: boolean): string | null {
  const problem = webhookUrlProblem(url, allowsLoopback);
  if (problem) return problem;
  const host = hostOf(url);
  const isLocal = allowsLoopback && isLoopbackAddress(host);
  return isIP(host) === 0 || isLocal || isGlobalAddress(host)
    ? null
    : `${host} 不是公网地址：回调只发往公网`;
}
