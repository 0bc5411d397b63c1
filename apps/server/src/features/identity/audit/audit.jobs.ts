// Scheduled job of the audit log: signs the heads of its chains and writes them outside the database.
import { Readable } from "node:stream";
import type { Db } from "../../../platform/db/db.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { forEachKey, type JobSet, type JobTools } from "../../../platform/jobs/jobs.ts";
import type { Log } from "../../../platform/log.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { headFileKeyOf, publicKeyOf, type SignedHead, signHead } from "./audit-seal.crypto.ts";
import { readHeadFile, sealFault } from "./audit-seal.service.ts";
import * as repo from "./audit-seal.sql.ts";

/** Sends a signed head to the receivers that its tenant has chosen, in the transaction. */
export type PublishHead = (db: Db, head: SignedHead) => Promise<void>;

export interface SealTools {
  files: FileStore;
  publish: PublishHead;
}

export function auditJobs(seal: SealTools): JobSet {
  return {
    tasks: { "audit.seal": (_payload, tools) => sealHeads(tools, seal) },
    // 00:05 in Shanghai.
    cron: [{ task: "audit.seal", pattern: "5 16 * * *" }],
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
