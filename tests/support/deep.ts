// Marks what `npm run test:deep` runs in full and `npm test` samples.
import { describe, it } from "vitest";

export const isDeep = process.env.DEEP === "on";

/** The environment's number, else that of a deep run or its sample. */
export function amount(name: string, { sample, deep }: { sample: number; deep: number }): number {
  return Number(process.env[name] ?? (isDeep ? deep : sample));
}

const nothing = Object.assign(() => {}, { each: () => () => {}, skipIf: () => () => {} });
/** Cases that a sample leaves out: unregistered, since skipped ones mean that a machine lacks something. */
export const deepIt = (isDeep ? it : nothing) as typeof it;
export const deepDescribe = (isDeep ? describe : nothing) as typeof describe;
