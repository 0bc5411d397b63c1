// Parses typed IP addresses and networks, one on each line.

import { fieldProblem } from "@cabinet/contract/kit/field.rules.ts";
import type { TSchema } from "typebox";

export function networksOf(lines: string): string[] {
  return lines.split(/[\s,，;；]+/).filter((word) => word !== "");
}

/** Describes the first invalid entry or too many entries; null if all are valid. */
export function networksProblem(network: TSchema, lines: unknown, most: number): string | null {
  const networks = networksOf(String(lines ?? ""));
  if (networks.length > most) return `最多 ${most} 条`;
  const wrong = networks.find((one) => fieldProblem(network, "", one));
  return wrong === undefined ? null : `“${wrong}”不是有效的 IP 或网段，例如 10.1.2.0/24`;
}
