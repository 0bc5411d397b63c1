// Internet addresses: normal form, and the network that rate limits count as one.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Normalises an address: IPv4-mapped IPv6 becomes IPv4; null for anything that is no address. Undefined comes from a
 * connection whose client is gone, whatever the framework's types say.
 */
export function plainAddress(text: string | undefined): string | null {
  const address = (text ?? "").replace(/%.*$/, "");
  // ipaddr.js alone also takes "1" and "0x7f.1" as addresses.
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

const NETWORK_GROUPS = 4;

/**
 * Network that rate limits count as one: the first 64 bits of IPv6, since one client can use all addresses behind them.
 */
export function networkOf(text: string | undefined): string {
  const address = plainAddress(text);
  if (address === null) return text ?? "";
  if (!ipaddr.IPv6.isValid(address)) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}
