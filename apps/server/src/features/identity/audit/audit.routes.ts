// HTTP handlers for the audit log.
import { auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import type { Contract } from "@cabinet/contract/kit/endpoint.ts";
import { mount } from "../../../platform/http/mount.ts";
import { AuditLabels } from "./audit.labels.ts";
import { auditedCalls, checkChain, getEntry, listChains, listEntries } from "./audit.service.ts";

/** `contracts`: every contract of the server, for the titles of its calls and fields. */
export function auditRoutes(contracts: Record<string, Contract>) {
  const specs = Object.values(contracts).flatMap((contract) => Object.values(contract));
  const labels = new AuditLabels(contracts);
  const calls = auditedCalls(specs);
  return mount(auditContract, {
    list: (ctx, { query }) => listEntries(ctx, query),
    get: (ctx, { params }) => getEntry(ctx, labels, params.id),
    calls: async () => calls,
    chains: (ctx, { query }) => listChains(ctx, query.tenantId),
    check: (ctx, { query }) => checkChain(ctx, { after: 0, ...query }),
  });
}
