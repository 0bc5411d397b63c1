// Compares audit chains with the heads of them that were signed.
import { text } from "node:stream/consumers";
import type { ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import type { Vault } from "../../../platform/secrets.ts";
import {
  headFileKeyOf,
  isSignedBase,
  isSignedHead,
  type SignedBase,
  type SignedHead,
} from "./audit-seal.crypto.ts";
import type { SealRow } from "./audit-seal.sql.ts";

export type Fault = NonNullable<ChainCheck["fault"]>;

interface Signed {
  seals: readonly SealRow[];
  base: SignedBase | null;
  /** The head in the file store, and the chain's hash at its place. */
  written: WrittenHead | null;
  linkHash: string | null;
}

/** `UNREADABLE`: a file that is no head. */
export type WrittenHead = SignedHead | "UNREADABLE";

const unnamed = { entryId: null, at: null, summary: null };

/**
 * The latest head that was written outside the database; null if there is none. The file store answers without an error
 * name of its own, by the disk or by S3.
 */
export async function readHeadFile(
  files: Pick<FileStore, "read">,
  tenantId: number,
): Promise<WrittenHead | null> {
  try {
    const head = JSON.parse(await text(await files.read(headFileKeyOf(tenantId))));
    const { seq, hash, signature } = Object(head);
    const isHead =
      Number.isSafeInteger(seq) && [hash, signature].every((each) => typeof each === "string");
    return isHead ? head : "UNREADABLE";
  } catch (error) {
    if (error instanceof SyntaxError) return "UNREADABLE";
    const { name, code } = error as { name?: string; code?: string };
    if (code === "ENOENT" || name === "NoSuchKey") return null;
    throw error;
  }
}

/**
 * First contradiction between a chain and its signed heads and base. A chain that was recomputed, or cut, with the rights of the
 * database's owner agrees with itself, but not with these.
 */
export function sealFault(vault: Vault, { seals, base, written, linkHash }: Signed): Fault | null {
  if (base && !isSignedBase(vault, base)) {
    return { kind: "SEAL_CHANGED", seq: base.seq, ...unnamed };
  }
  for (const { linkHash, ...seal } of seals) {
    if (!isSignedHead(vault, seal)) return { kind: "SEAL_CHANGED", seq: seal.seq, ...unnamed };
    if (linkHash !== seal.hash) return { kind: "SEAL_BROKEN", seq: seal.seq, ...unnamed };
  }
  const newest = seals.at(-1);
  if (!written) return newest ? { kind: "SEAL_MISSING", seq: newest.seq, ...unnamed } : null;
  if (written === "UNREADABLE" || !isSignedHead(vault, written)) {
    return { kind: "SEAL_CHANGED", seq: newest?.seq ?? null, ...unnamed };
  }
  // Known by its row where the chain begins behind it; a run that was killed has written the file and no row.
  const isKnown = seals.some(({ seq, hash }) => seq === written.seq && hash === written.hash);
  const isOfChain = isKnown || linkHash === written.hash;
  return isOfChain ? null : { kind: "SEAL_MISSING", seq: written.seq, ...unnamed };
}

/** Place of the written head, to be looked up in the chain; 0 without one. */
export const placeOf = (written: WrittenHead | null): number =>
  typeof written === "object" ? (written?.seq ?? 0) : 0;
