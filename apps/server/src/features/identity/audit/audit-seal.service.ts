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
  written: SignedHead | null;
}

const unnamed = { entryId: null, at: null, summary: null };

/**
 * The latest head that was written outside the database; null if there is none. The file store answers without an error
 * name of its own, by the disk or by S3.
 */
export async function readHeadFile(
  files: Pick<FileStore, "read">,
  tenantId: number,
): Promise<SignedHead | null> {
  try {
    return JSON.parse(await text(await files.read(headFileKeyOf(tenantId))));
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (code === "ENOENT" || name === "NoSuchKey") return null;
    throw error;
  }
}

/**
 * First contradiction between a chain and its signed heads and base. A chain that was recomputed, or cut, with the rights of the
 * database's owner agrees with itself, but not with these.
 */
export function sealFault(vault: Vault, { seals, base, written }: Signed): Fault | null {
  if (base && !isSignedBase(vault, base)) {
    return { kind: "SEAL_CHANGED", seq: base.seq, ...unnamed };
  }
  for (const { linkHash, ...seal } of seals) {
    if (!isSignedHead(vault, seal)) return { kind: "SEAL_CHANGED", seq: seal.seq, ...unnamed };
    if (linkHash !== seal.hash) return { kind: "SEAL_BROKEN", seq: seal.seq, ...unnamed };
  }
  if (!written || !isSignedHead(vault, written)) return null;
  const isKnown = seals.some(({ seq, hash }) => seq === written.seq && hash === written.hash);
  return isKnown ? null : { kind: "SEAL_MISSING", seq: written.seq, ...unnamed };
}
