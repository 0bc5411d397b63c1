// Tests how addresses are normalised and counted by rate limits.
import { expect, test } from "vitest";
import { networkOf, plainAddress } from "./network.rules.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["fe80::1%eth0", "fe80::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:DB8:0::1", "2001:db8::1"],
  ["1", null],
  ["unknown", null],
  ["203.0.113.7:4711", null],
  ["", null],
  [undefined, null],
])("address: %s is written %s", (text, address) => {
  expect(plainAddress(text)).toBe(address);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2408:8207:1850:2a60::1", "2408:8207:1850:2a60::/64"],
  ["2408:8207:1850:2a60:ffff:ffff:ffff:ffff", "2408:8207:1850:2a60::/64"],
  ["2408:8207:1850:2A60:0:1:2:3", "2408:8207:1850:2a60::/64"],
  ["2408:8207:1850:2a61::1", "2408:8207:1850:2a61::/64"],
  ["2408:8207::1", "2408:8207:0:0::/64"],
  ["2408::", "2408:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", "unknown"],
  [undefined, ""],
])("address: %s counts as %s", (text, network) => {
  expect(networkOf(text)).toBe(network);
});

test.each([
  ["203.0.113.7", 48, "203.0.113.7"],
  ["2408:8207:1850:2a60::1", 56, "2408:8207:1850:2a00::/56"],
  ["2408:8207:1850:2aff::1", 56, "2408:8207:1850:2a00::/56"],
  ["2408:8207:1850:2b00::1", 56, "2408:8207:1850:2b00::/56"],
  ["2408:8207:1850:2a60::1", 48, "2408:8207:1850::/48"],
] as const)("address: %s counts in its network of %d bits as %s", (text, bits, network) => {
  expect(networkOf(text, bits)).toBe(network);
});
