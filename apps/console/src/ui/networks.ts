// Addresses and networks as people type them: one on each line.
import type { TSchema } from "typebox";
import { fieldProblem } from "./field-rules.ts";

export function networksOf(lines: string): string[] {
  return lines.split(/[\s,，;；]+/).filter((word) => word !== "");
}

/** What is wrong with them, in words; null when nothing is. */
export function networksProblem(network: TSchema, lines: unknown, most: number): string | null {
  const networks = networksOf(String(lines ?? ""));
  if (networks.length > most) return `最多 ${most} 条`;
  const wrong = networks.find((one) => fieldProblem(network, "", one));
  return wrong === undefined ? null : `“${wrong}”不是有效的 IP 或网段，例如 10.1.2.0/24`;
}
