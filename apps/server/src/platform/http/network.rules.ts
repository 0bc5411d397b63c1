// Internet addresses: normal form, and the network that rate limits count as one.
import ipaddr from "ipaddr.js";

/**
 * Normalises an address: IPv4-mapped IPv6 becomes IPv4; null for anything that is no address. Undefined comes from a
 * connection whose client is gone, whatever the framework's types say.
 */
export function plainAddress(text: string | undefined): string | null {
  const address = (text ?? "").replace(/%.*$/, "");
  // ipaddr.js alone also takes "1" and "0x7f.1" as addresses.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? ipaddr.process(address).toString() : null;
}

const BITS_PER_GROUP = 16;

/**
 * Network that limits count as one: the first 64 bits of IPv6, since one client can use all addresses behind them. A home
 * line may have 56, a company 48.
 */
export function networkOf(text: string | undefined, bits: 64 | 56 | 48 = 64): string {
  const address = plainAddress(text);
  if (address === null) return text ?? "";
  if (!ipaddr.IPv6.isValid(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  const groups = parts.slice(0, Math.ceil(bits / BITS_PER_GROUP));
  const whole = bits % BITS_PER_GROUP;
  if (whole > 0) groups.push((groups.pop() ?? 0) & ~(2 ** (BITS_PER_GROUP - whole) - 1));
  return `${groups.map((group) => group.toString(16)).join(":")}::/${bits}`;
}
