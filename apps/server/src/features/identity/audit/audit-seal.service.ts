// Signs the heads of audit chains once a day, and compares chains with the heads that were signed.
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ChainCheck } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { forEachKey, type JobTools } from "../../../platform/jobs/jobs.ts";
import type { Log } from "../../../platform/log.ts";
import type { Vault } from "../../../platform/secrets.ts";
import {
  headFileKeyOf,
  isSignedHead,
  publicKeyOf,
  type SignedHead,
  signHead,
} from "./audit-seal.crypto.ts";
import * as repo from "./audit-seal.sql.ts";

/** Sends a signed head to the receivers that its tenant has chosen, in the transaction. */
export type PublishHead = (db: Db, head: SignedHead) => Promise<void>;

export interface SealTools {
  files: FileStore;
  publish: PublishHead;
}

type Fault = NonNullable<ChainCheck["fault"]>;

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
 * First contradiction between a chain and its signed heads. A chain that was recomputed, or cut, with the rights of the
 * database's owner agrees with itself, but not with these.
 */
export function sealFault(
  vault: Vault,
  seals: readonly repo.SealRow[],
  written: SignedHead | null,
): Fault | null {
  for (const { linkHash, ...seal } of seals) {
    if (!isSignedHead(vault, seal)) return { kind: "SEAL_CHANGED", seq: seal.seq, ...unnamed };
    if (linkHash !== seal.hash) return { kind: "SEAL_BROKEN", seq: seal.seq, ...unnamed };
  }
  if (!written || !isSignedHead(vault, written)) return null;
  const isKnown = seals.some(({ seq, hash }) => seq === written.seq && hash === written.hash);
  return isKnown ? null : { kind: "SEAL_MISSING", seq: written.seq, ...unnamed };
}

/**
 * Signs the heads that have grown. A chain that contradicts its earlier heads is not signed again: the new head would
 * cover up what the old one shows.
 */
export function sealHeads(tools: JobTools, { files, publish }: SealTools): Promise<void> {
  const { log } = tools;
  return forEachKey(
    tools,
    repo.findUnsealed,
    async (db, { tenantId }) => {
      const head = await repo.findHead(db, tenantId);
      if (!head) return;
      const written = await readHeadFile(files, tenantId);
      const fault = sealFault(db.vault, await repo.findSealsOf(db, tenantId), written);
      if (fault) {
        const file = headFileKeyOf(tenantId);
        log.error({ tenantId, kind: fault.kind, seq: fault.seq, file }, "audit chain broken");
        return;
      }
      const signed = signHead(db.vault, head);
      if (!(await repo.insertSeal(db, signed))) return;
      await publish(db, signed);
      await writeHead(files, log, db.vault, signed);
    },
    "audit head not signed",
  );
}

async function writeHead(files: FileStore, log: Log, vault: Vault, head: SignedHead) {
  await files.put(headFileKeyOf(head.tenantId), Readable.from([JSON.stringify(head)]));
  log.info({ ...head, publicKey: publicKeyOf(vault) }, "audit head signed");
}
