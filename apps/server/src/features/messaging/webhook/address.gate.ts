// Decides which addresses webhooks may be sent to: the public internet only (SSRF guard, promise
// I6).
import { BlockList, isIP, isIPv4 } from "node:net";

/** Not globally reachable, special-purpose (IANA registries), or internal to a cloud provider. */
const refused4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's platform service address, reachable from each virtual machine.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Exceptions within global unicast, 2000::/3; everything outside it is refused anyway. */
const refused6: [string, number][] = [
  // Teredo, benchmarks, ORCHID and other protocol assignments.
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 embeds an IPv4 address that would escape the IPv4 check.
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

const list4 = new BlockList();
for (const [net, prefix] of refused4) list4.addSubnet(net, prefix, "ipv4");
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
const list6 = new BlockList();
for (const [net, prefix] of refused6) list6.addSubnet(net, prefix, "ipv6");

/** Whether this is an IP address of the public internet; false for host names. */
export function isGlobalAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  if (isIPv4(address)) return !list4.check(address, "ipv4");
  return global6.check(address, "ipv6") && !list6.check(address, "ipv6");
}

export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}
