// Scheduled jobs of the audit log: sign the heads of its chains and write them outside the database, remove old entries.
import { Readable } from "node:stream";
import type { Db } from "../../../platform/db/db.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { forEachKey, type JobSet, type JobTools } from "../../../platform/jobs/jobs.ts";
import { removeDue } from "../../../platform/jobs/retention.ts";
import type { Log } from "../../../platform/log.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { checkStretch } from "./audit-chain.sql.ts";
import {
  headFileKeyOf,
  publicKeyOf,
  type SignedHead,
  signBase,
  signHead,
} from "./audit-seal.crypto.ts";
import { type Fault, placeOf, readHeadFile, sealFault } from "./audit-seal.service.ts";
import * as repo from "./audit-seal.sql.ts";

/** Sends the first signed head of a day to the receivers that its tenant has chosen, in the transaction. */
export type PublishHead = (db: Db, head: SignedHead) => Promise<void>;

export interface SealTools {
  files: FileStore;
  publish: PublishHead;
}

export function auditJobs(seal: SealTools): JobSet {
  return {
    tasks: {
      "audit.seal": (_payload, tools) => sealHeads(tools, seal),
      "audit.removeOld": (_payload, tools) =>
        removeDue(tools, "audit", (db, tenantId) => removeFront(db, tenantId, tools.log, seal)),
    },
    cron: [
      { task: "audit.seal", pattern: "* * * * *" },
      { task: "audit.removeOld", pattern: "45 * * * *" },
    ],
  };
}

/**
 * Signs the heads that have grown. A chain that contradicts its earlier heads is not signed again: the new head would
 * cover up what the old one shows.
 */
function sealHeads(tools: JobTools, { files, publish }: SealTools): Promise<void> {
  const { log } = tools;
  return forEachKey(
    tools,
    repo.findUnsealed,
    async (db, { tenantId }) => {
      const head = await repo.findHead(db, tenantId);
      if (!head) return;
      if (await isBroken(db, tenantId, log, files)) return;
      const signed = signHead(db.vault, head);
      const inserted = await repo.insertSeal(db, signed);
      if (!inserted) return;
      if (inserted.isFirstOfDay) await publish(db, signed);
      await writeHead(files, log, db.vault, signed);
    },
    "audit head not signed",
  );
}

/**
 * Signs the head of a chain whose file is missing or of a later moment, as after a restore without files, and returns it.
 * Returns the fault of a chain that contradicts the heads in its own database.
 */
export async function acceptChain(
  db: Db,
  { files, log }: { files: FileStore; log: Log },
  tenantId: number,
): Promise<SignedHead | Fault | null> {
  const seals = await repo.findSealsOf(db, tenantId);
  const [base, head] = [await repo.findBaseOf(db, tenantId), await repo.findHead(db, tenantId)];
  if (!head) return null;
  const signed = signHead(db.vault, head);
  const fault = sealFault(db.vault, { seals, base, written: signed, linkHash: head.hash });
  if (fault) return fault;
  await repo.insertSeal(db, signed);
  await writeHead(files, log, db.vault, signed);
  return signed;
}

async function isBroken(db: Db, tenantId: number, log: Log, files: FileStore): Promise<boolean> {
  const written = await readHeadFile(files, tenantId);
  const fault = sealFault(db.vault, {
    seals: await repo.findSealsOf(db, tenantId),
    base: await repo.findBaseOf(db, tenantId),
    written,
    linkHash: await repo.findLinkHash(db, tenantId, placeOf(written)),
  });
  return fault !== null && logFault(log, tenantId, fault);
}

function logFault(log: Log, tenantId: number, { kind, seq }: Fault): true {
  log.error({ tenantId, kind, seq, file: headFileKeyOf(tenantId) }, "audit chain broken");
  return true;
}

/**
 * Removes entries from the front of a chain, after it recomputed them: those of a broken chain stay as evidence. The chain
 * goes on from a signed base, at most up to a signed head, so that no day is cut in two.
 */
async function removeFront(
  db: Db,
  tenantId: number,
  log: Log,
  { files }: SealTools,
): Promise<true | null> {
  const upTo = await repo.findRemovableTo(db, tenantId);
  if (upTo === null || (await isBroken(db, tenantId, log, files))) return null;
  const stretch = await checkStretch(db, "job", { tenantId, after: 0, upTo });
  const { fault, baseSeq, lastSeq, lastHash } = stretch;
  if (fault) logFault(log, tenantId, fault);
  if (fault || lastSeq === null || lastSeq <= baseSeq) return null;
  await repo.moveBase(db, signBase(db.vault, { tenantId, seq: lastSeq, hash: lastHash }));
  return lastSeq < upTo ? true : null;
}

async function writeHead(files: FileStore, log: Log, vault: Vault, head: SignedHead) {
  await files.put(headFileKeyOf(head.tenantId), Readable.from([JSON.stringify(head)]));
  log.info({ ...head, publicKey: publicKeyOf(vault) }, "audit head signed");
}
