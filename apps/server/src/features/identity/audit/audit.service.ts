// Reads the audit log: entries, one entry with its changes, and verification of the chain.
import type {
  AuditCall,
  AuditChain,
  AuditChange,
  AuditEntry,
  AuditEntryDetail,
  ChainCheck,
} from "@cabinet/contract/identity/audit/audit.contract.ts";
import { type EndpointSpec, isReading } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { type AuditLabels, callKey } from "./audit.labels.ts";
import { type AuditQuery, findEntries, findEntry } from "./audit.sql.ts";
import { checkStretch, findChains, findUnchained } from "./audit-chain.sql.ts";
import { type FieldChange, fieldsOf, isChanged } from "./audit-diff.rules.ts";
import { placeOf, sealFault, type WrittenHead } from "./audit-seal.service.ts";
import { findBaseOf, findLinkHash, findSeals } from "./audit-seal.sql.ts";
import { inWords } from "./audit-words.rules.ts";

export function listEntries(ctx: Ctx, query: AuditQuery): Promise<Page<AuditEntry>> {
  requireSpan(query);
  return findEntries(ctx.db, ctx.session, query);
}

export async function getEntry(
  ctx: Ctx,
  labels: AuditLabels,
  id: number,
): Promise<AuditEntryDetail> {
  const found = await findEntry(ctx.db, ctx.session, id);
  if (!found) refuse("NOT_FOUND", { what: "审计记录" });
  const { before, after, ...entry } = found;
  const noun = labels.nounOf(entry.call);
  const named = ({ path, ...values }: FieldChange): AuditChange => {
    const field = path.findLast((name) => !name.startsWith("#")) ?? "";
    const text = (value: unknown) =>
      value === undefined ? null : JSON.stringify(inWords(noun, field, value));
    const label = labels.labelOf(entry.call, path);
    return { field, label, before: text(values.before), after: text(values.after) };
  };
  const fields = fieldsOf(before, after);
  return {
    ...entry,
    hasBefore: before !== null,
    hasAfter: after !== null,
    changes: fields.filter(isChanged).map(named),
    unchanged: fields.filter((field) => !isChanged(field)).map(named),
  };
}

/** Calls that can appear in the audit log, with their titles. */
export function auditedCalls(specs: readonly EndpointSpec[]): AuditCall[] {
  return specs
    .filter((spec) => !isReading(spec) && spec.access !== "end-user" && spec.access !== "partner")
    .filter((spec) => spec.access !== "public" || spec.path.endsWith("/login"))
    .map((spec) => ({ call: callKey(spec), summary: spec.summary }));
}

export function listChains(ctx: Ctx, tenantId?: number): Promise<AuditChain[]> {
  return findChains(ctx.db, ctx.session, tenantId);
}

/** Verifies one stretch of the chain; the caller continues from `checkedTo` until `isDone`. */
export async function checkChain(
  ctx: Ctx,
  where: { tenantId: number; after: number },
  written: WrittenHead | null,
): Promise<ChainCheck> {
  const { db, session } = ctx;
  const { tenantId, after } = where;
  const [chain] = await findChains(db, session, tenantId);
  if (!chain) refuse("NOT_FOUND", { what: "租户" });
  const stretch = await checkStretch(db, session, where);
  const count = stretch.headSeq ?? 0;
  const checkedTo = stretch.lastSeq ?? Math.max(0, after - 1);
  const result = (isDone: boolean, fault: ChainCheck["fault"]): ChainCheck => ({
    checkedTo,
    count,
    removed: stretch.baseSeq,
    isDone,
    headHash: stretch.headHash ?? "",
    sealed: null,
    fault,
  });
  if (stretch.fault) return result(true, inUtc(stretch.fault));
  if (stretch.hasMore) return result(false, null);
  const unnamed = { entryId: null, at: null, summary: null };
  if (count > checkedTo) {
    return result(true, { kind: "TAIL_MISSING", seq: checkedTo + 1, ...unnamed });
  }
  if (count < checkedTo || (stretch.headHash ?? "") !== stretch.lastHash) {
    return result(true, { kind: "HEAD_CHANGED", seq: null, ...unnamed });
  }
  const added = await findUnchained(db, session, tenantId);
  if (!added) {
    const seals = await findSeals(db, session, tenantId);
    const base = await findBaseOf(db, tenantId);
    const { day, seq } = seals.at(-1) ?? { day: null, seq: 0 };
    const sealed = day === null ? null : { day, seq };
    const linkHash = await findLinkHash(db, tenantId, placeOf(written));
    return { ...result(true, sealFault(db.vault, { seals, base, written, linkHash })), sealed };
  }
  const { id: entryId, at, summary } = added;
  return result(true, { kind: "ENTRY_ADDED", seq: null, entryId, at, summary });
}

/** Converts the time from PostgreSQL's JSON format with an offset to UTC. */
function inUtc(fault: NonNullable<ChainCheck["fault"]>): ChainCheck["fault"] {
  return { ...fault, at: fault.at && new Date(fault.at).toISOString() };
}
