// Operators' actions on stores: list, create, change, delete, show the contact's phone.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { judgeDrafts } from "@cabinet/contract/kit/judge-lines.rules.ts";
import { nameKey } from "@cabinet/contract/kit/name.rules.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import {
  type Store,
  type StoreDetail,
  type StoreDraft,
  StoreLine,
  type storeContract,
} from "@cabinet/contract/organization/store/store.contract.ts";
import { nextStoreCode, storeProblem } from "@cabinet/contract/organization/store/store.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuse } from "../../../platform/errors.ts";
import { namedInAudit, saveLines } from "../../../platform/import-lines.ts";
import { requireTenant } from "../tenant/index.ts";
import * as repo from "./store.sql.ts";

/** Number of cabinet names listed in a refusal. */
const NAMED_CABINETS = 3;

function masked<Row extends { contactPhone: string }>(row: Row): Row {
  return { ...row, contactPhone: maskPhone(row.contactPhone) };
}

export async function listStores(ctx: Ctx, query: repo.StoreQuery): Promise<Page<Store>> {
  const page = await repo.findStores(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(masked) };
}

export async function getStore(ctx: Ctx, id: number): Promise<StoreDetail> {
  const found = await repo.findStoreDetail(ctx.db, ctx.session, id);
  return masked(found ?? refuse("NOT_FOUND", { what: "门店" }));
}

export async function suggestCode(ctx: Ctx, requestedTenantId?: number): Promise<string> {
  const tenant = await requireTenant(ctx, requestedTenantId);
  return freeCode(ctx, tenant.id);
}

export async function createStore(
  ctx: Ctx,
  { tenantId: requestedTenantId, ...draft }: StoreDraft & { tenantId?: number },
): Promise<{ id: number }> {
  const { id: tenantId } = await requireTenant(ctx, requestedTenantId);
  const wanted = tidy({ contactPhone: "", ...draft });
  await requireManager(ctx, tenantId, wanted.managerId);
  await lockFreeCodeOrRefuse(ctx, tenantId, wanted.code);
  const id = await repo.insertStore(ctx.db, tenantId, wanted, ctx.session.signature);
  if (ctx.session.isStoreBound) await repo.insertCaretaker(ctx.db, ctx.session, id);
  ctx.audit({ tenantId, target: targetOf(wanted), after: masked(wanted) });
  return { id };
}

/** Each line is a store; one advisory lock for all codes. */
export async function importStores(
  ctx: Ctx,
  { tenantId: requestedTenantId, mode, lines }: Input<typeof storeContract.importLines>["body"],
): Promise<Reply<typeof storeContract.importLines>> {
  const { db, session } = ctx;
  const { id: tenantId } = await requireTenant(ctx, requestedTenantId);
  await repo.lockCodes(db, tenantId);
  const stores = await repo.findCodedNames(db, tenantId);
  const managers = await repo.findManagerNames(db, tenantId);
  const managerOf = ({ manager }: StoreLine) =>
    managers.filter(({ displayName }) => nameKey(displayName) === nameKey(manager));
  const judged = judgeDrafts(lines, ({ line: _, ...cells }) => cells, {
    schema: StoreLine,
    problem: (store) => {
      const found = store.manager === "" ? 1 : managerOf(store).length;
      if (found === 0) return `没有叫“${store.manager}”的后台账号，请改正负责人或留空`;
      if (found > 1) return `有 ${found} 个后台账号叫“${store.manager}”，请留空后在门店里选择`;
      return storeProblem(store);
    },
    key: "code",
    taken: new Map(stores.map(({ code, name }) => [code, `编码已用于门店“${name}”`])),
  });
  const { reply, saved, refused } = await saveLines(judged, mode, async (store) => {
    const { manager, ...fields } = store;
    const managerId = manager === "" ? null : (managerOf(store)[0]?.id ?? null);
    const id = await repo.insertStore(db, tenantId, { ...fields, managerId }, session.signature);
    if (session.isStoreBound) await repo.insertCaretaker(db, session, id);
  });
  const names = namedInAudit(saved.map(targetOf));
  ctx.audit({
    tenantId,
    target: `导入 ${saved.length} 家门店`,
    after: { imported: saved.length, refused, names },
  });
  return reply;
}

export async function updateStore(
  ctx: Ctx,
  id: number,
  { editVersion, ...draft }: StoreDraft & { editVersion: number },
): Promise<null> {
  const before = await lock(ctx, id);
  if (before.editVersion !== editVersion) refuse("CONFLICT", { what: `门店“${before.name}”` });
  const wanted = tidy({ contactPhone: before.contactPhone, ...draft });
  if (wanted.managerId !== before.managerId) {
    await requireManager(ctx, before.tenantId, wanted.managerId);
  }
  if (wanted.code !== before.code) await lockFreeCodeOrRefuse(ctx, before.tenantId, wanted.code);
  await repo.updateStore(ctx.db, before, wanted, ctx.session.signature);
  const { id: _, tenantId, editVersion: __, ...old } = before;
  ctx.audit({ tenantId, target: targetOf(before), before: masked(old), after: masked(wanted) });
  return null;
}

/** Deletes a store with its caretakers and pricing rules; refused while it has cabinets. */
export async function deleteStore(ctx: Ctx, id: number): Promise<null> {
  const before = await lock(ctx, id);
  const names = await repo.findCabinetNames(ctx.db, before);
  if (names.length > 0) {
    const named = names.slice(0, NAMED_CABINETS).join("、");
    const cabinets = names.length > NAMED_CABINETS ? `${named}等` : named;
    refuse("STORE_HAS_CABINETS", { name: before.name, count: names.length, cabinets });
  }
  const caretakers = await repo.deleteStore(ctx.db, before);
  const { tenantId } = before;
  ctx.audit({
    tenantId,
    target: targetOf(before),
    before: { ...masked(before), caretakers },
  });
  return null;
}

export async function showContact(ctx: Ctx, id: number): Promise<{ contactPhone: string }> {
  const found = await repo.findStoreDetail(ctx.db, ctx.session, id);
  const { tenantId, contactPhone, ...row } = found ?? refuse("NOT_FOUND", { what: "门店" });
  ctx.audit({ tenantId, target: targetOf(row) });
  return { contactPhone };
}

function targetOf({ name, code }: { name: string; code: string }): string {
  return `门店 ${name}（${code}）`;
}

async function lock(ctx: Ctx, id: number): Promise<repo.StoreRow> {
  return (await repo.lockStore(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what: "门店" });
}

/** Trims all texts; refuses inconsistent fields. */
function tidy(draft: Required<StoreDraft>): Required<StoreDraft> {
  const entries = Object.entries(draft).map(([name, value]) => [
    name,
    typeof value === "string" ? value.trim() : value,
  ]);
  const wanted: Required<StoreDraft> = Object.fromEntries(entries);
  const problem = storeProblem(wanted);
  if (problem) invalid(problem);
  return wanted;
}

async function requireManager(ctx: Ctx, tenantId: number, id: number | null): Promise<void> {
  if (id !== null && !(await repo.isManager(ctx.db, tenantId, id))) {
    refuse("NOT_FOUND", { what: "负责人" });
  }
}

async function freeCode(ctx: Ctx, tenantId: number): Promise<string> {
  const codes = await repo.findCodes(ctx.db, tenantId);
  return nextStoreCode(codes, codes[0] ?? null);
}

async function lockFreeCodeOrRefuse(ctx: Ctx, tenantId: number, code: string): Promise<void> {
  await repo.lockCodes(ctx.db, tenantId);
  const taken = await repo.findStoreByCode(ctx.db, tenantId, code);
  if (!taken) return;
  refuse("STORE_CODE_TAKEN", { code, name: taken.name, free: await freeCode(ctx, tenantId) });
}

/** Tenant-wide settings may be changed only by accounts that see all stores. */
export function requireAllStores({ session }: Pick<Ctx, "session">, what: string): void {
  if (session.isStoreBound) refuse("ALL_STORES_REQUIRED", { what });
}
