// HTTP handlers for the audit log.
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { Contract } from "@cabinet/contract/kit/endpoint.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { mount } from "../../../platform/http/mount.ts";
import { AuditLabels } from "./audit.labels.ts";
import { auditedCalls, checkChain, getEntry, listChains, listEntries } from "./audit.service.ts";
import { readHeadFile } from "./audit-seal.service.ts";

/** `contracts`: every contract of the server, for the titles of its calls and fields. */
export function auditRoutes(contracts: Record<string, Contract>, files: Pick<FileStore, "read">) {
  const specs = Object.values(contracts).flatMap((contract) => Object.values(contract));
  const labels = new AuditLabels(contracts);
  const calls = auditedCalls(specs);
  return mount(auditContract, {
    list: (ctx, { query }) => listEntries(ctx, query),
    get: (ctx, { params }) => getEntry(ctx, labels, params.id),
    calls: async () => calls,
    chains: (ctx, { query }) => listChains(ctx, query.tenantId),
    check: {
      // Read before the transaction: a file store may be slow.
      prepare: async (_ctx, { query }) => {
        const written = await readHeadFile(files, query.tenantId);
        return (ctx) => checkChain(ctx, { after: 0, ...query }, written);
      },
    },
  });
}
