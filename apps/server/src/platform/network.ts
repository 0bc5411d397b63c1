// Addresses of the internet: how they are written down, and whom a limit by address counts together.
import { isIP, isIPv6 } from "node:net";

/**
 * As itself, also where a socket that speaks IPv6 tells of IPv4; null for what is no address. Undefined is that
 * of a connection whose client is gone by now, whatever the types of frameworks say.
 */
export function plainAddress(told: string | undefined): string | null {
  const address = (told ?? "").replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Whom limits count as one: of IPv6 the first 64 bits, since everybody has as many addresses behind them as they like. */
export function networkOf(told: string | undefined): string {
  const address = plainAddress(told) ?? told ?? "";
  if (!isIPv6(address)) return address;
  const [head = [], tail = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}
