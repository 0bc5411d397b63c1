// Internet addresses: normal form, and the network that rate limits count as one.
import { isIP, isIPv6 } from "node:net";

/**
 * Normalises an address: IPv4-mapped IPv6 becomes IPv4; null for anything that is no address. Undefined comes from a
 * connection whose client is gone, whatever the framework's types say.
 */
export function plainAddress(text: string | undefined): string | null {
  const address = (text ?? "").replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Network that rate limits count as one: the first 64 bits of IPv6, since one client can use all addresses behind them.
 */
export function networkOf(text: string | undefined): string {
  const address = plainAddress(text) ?? text ?? "";
  if (!isIPv6(address)) return address;
  const [head = [], tail = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}
