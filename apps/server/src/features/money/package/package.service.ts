// Operator actions on packages: create, change, sell, delete, and list who bought which.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type {
  CardUse,
  Package,
  PackageCard,
  PackageDraft,
  packageContract,
} from "@cabinet/contract/money/package/package.contract.ts";
import { packageProblem, tidyTerms } from "@cabinet/contract/money/package/package.rules.ts";
import { operatorActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuse, requireUnedited } from "../../../platform/errors.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import * as cards from "./card.sql.ts";
import * as repo from "./package.sql.ts";
import { buyPackage } from "./purchase.service.ts";

type SaveBody = Input<typeof packageContract.save>["body"];
type Wanted = PackageDraft & { isOnSale: boolean };

export async function getPackage(ctx: Ctx, id: number): Promise<Package> {
  const found = await repo.findPackage(ctx.db, ctx.session, id);
  return found ?? refuse("NOT_FOUND", { what: "套餐" });
}

export async function savePackage(
  ctx: Ctx,
  { id, editVersion, tenantId, ...draft }: SaveBody,
): Promise<{ id: number }> {
  const wanted = tidy(draft);
  if (id === undefined) return { id: await createPackage(ctx, wanted, tenantId) };
  const before = await lock(ctx, id);
  if (tenantId !== undefined && tenantId !== before.tenantId) refuse("NOT_FOUND", { what: "套餐" });
  requireUnedited(before, editVersion);
  if (before.kind !== wanted.kind) {
    refuse("PACKAGE_KIND_FIXED");
  }
  await lockFreeNameOrRefuse(ctx, before.tenantId, wanted.name, id);
  await repo.updatePackage(ctx.db, before, wanted, ctx.session.signature);
  ctx.audit({
    tenantId: before.tenantId,
    target: targetOf(before),
    before: draftOf(before),
    after: wanted,
  });
  return { id };
}

async function createPackage(ctx: Ctx, wanted: Wanted, requested?: number): Promise<number> {
  const { id: tenantId } = await requireTenant(ctx, requested);
  await lockFreeNameOrRefuse(ctx, tenantId, wanted.name, null);
  const id = await repo.insertPackage(ctx.db, tenantId, wanted, ctx.session.signature);
  ctx.audit({ tenantId, target: targetOf(wanted), after: wanted });
  return id;
}

export async function putOnSale(ctx: Ctx, id: number, isOnSale: boolean): Promise<null> {
  const before = await lock(ctx, id);
  if (before.isOnSale === isOnSale) {
    const [state, action] = isOnSale ? ["已上架", "再上架"] : ["已下架", "再下架"];
    refuse("STATE_NOT_ALLOWED", { what: `套餐“${before.name}”`, state, action });
  }
  const wanted = { ...draftOf(before), isOnSale };
  await repo.updatePackage(ctx.db, before, wanted, ctx.session.signature);
  ctx.audit({
    tenantId: before.tenantId,
    target: targetOf(before),
    before: { isOnSale: before.isOnSale },
    after: { isOnSale },
  });
  return null;
}

/** Cards already sold stay valid: they were paid for on their own terms (decision 0026). */
export async function deletePackage(ctx: Ctx, id: number): Promise<null> {
  const before = await lock(ctx, id);
  const held = await repo.countHeld(ctx.db, before);
  await repo.hidePackage(ctx.db, before, ctx.session.signature);
  const { tenantId } = before;
  ctx.audit({ tenantId, target: targetOf(before), before: { ...draftOf(before), held } });
  return null;
}

/** Sale at the counter to a person without the app: the person's own wallet pays. */
export async function sellPackage(
  ctx: Ctx,
  { packageId, endUserId, agreedFen, reason }: Input<typeof packageContract.sell>["body"],
): Promise<{ userPackageId: number }> {
  const sold = await getPackage(ctx, packageId);
  const { tenantId } = sold;
  const actor = operatorActor(ctx.session);
  const at = { tenantId, endUserId, packageId, agreedFen, actor, reason: reason.trim() };
  const { userPackageId } = await buyPackage(ctx.db, at);
  const after = { userPackageId, endUserId, priceFen: sold.priceFen };
  ctx.audit({ tenantId, target: targetOf(sold), reason, after });
  return { userPackageId };
}

export async function listCards(
  ctx: Ctx,
  query: Input<typeof packageContract.cards>["query"],
): Promise<Page<PackageCard>> {
  const page = await cards.findCardPage(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map((card) => ({ ...card, phone: maskPhone(card.phone) })) };
}

export async function listCardUses(
  ctx: Ctx,
  id: number,
  query: Input<typeof packageContract.cardUses>["query"],
): Promise<Page<CardUse>> {
  if (!(await cards.hasCard(ctx.db, ctx.session, id))) refuse("NOT_FOUND", { what: "套餐卡" });
  return cards.findCardUses(ctx.db, ctx.session, id, query);
}

async function lock(ctx: Ctx, id: number): Promise<repo.PackageRow> {
  const found = await repo.lockPackage(ctx.db, ctx.session, id);
  return found ?? refuse("NOT_FOUND", { what: "套餐" });
}

function targetOf({ name }: { name: string }): string {
  return `套餐 ${name}`;
}

function draftOf(row: repo.PackageRow): Wanted {
  const { id, tenantId, editVersion, editedBy, ...draft } = row;
  return draft;
}

/** Drops the fields of other kinds; refuses contradictory terms. */
function tidy(draft: Wanted): Wanted {
  const wanted = tidyTerms({
    ...draft,
    name: draft.name.trim(),
    remark: draft.remark.trim(),
    sides: draft.sides.toSorted().reverse(),
  });
  const problem = packageProblem(wanted);
  if (problem) invalid(problem);
  return wanted;
}

async function lockFreeNameOrRefuse(
  ctx: Ctx,
  tenantId: number,
  name: string,
  exceptId: number | null,
): Promise<void> {
  await repo.lockNames(ctx.db, tenantId);
  if (await repo.isNameTaken(ctx.db, tenantId, name, exceptId)) {
    refuse("PACKAGE_NAME_TAKEN", { name });
  }
}
