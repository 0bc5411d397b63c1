// Platform staff's actions on tenants: create, change, renew, suspend and delete.

import type {
  NewTenant,
  Tenant,
  TenantDetail,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  allSwitches,
  type FeatureSwitch,
  featureText,
  isClosed,
  isWithholdable,
  PLATFORM_TENANT_ID,
  remainsText,
  renewTenant,
  switchesProblem,
  TENANT_LIMITS,
  type TenantLimits,
  type TenantRemains,
  type TenantTerm,
  tenantStateText,
} from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { featureTitle } from "@cabinet/contract/vocabulary/feature.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { invalid, refuse } from "../../../platform/errors.ts";
import { pushLive, recheckSessions } from "../../../platform/http/live.ts";
import { ensureDefaultRoles } from "../access/index.ts";
import type { ChosenPassword } from "../auth/index.ts";
import { createOperator } from "../operator/index.ts";
import { requireExemptDay } from "../second-factor/index.ts";
import * as repo from "./tenancy.sql.ts";

type Calls = typeof tenancyContract;
type Query<Call extends "list" | "update"> = Input<Calls[Call]>["query"];

const masked = <Row extends { contactPhone: string }>(row: Row): Row => ({
  ...row,
  contactPhone: maskPhone(row.contactPhone),
});

export async function listTenants(ctx: Ctx, query: Query<"list">): Promise<Page<Tenant>> {
  const page = await repo.findTenants(ctx.db, query);
  return { ...page, list: page.list.map(masked) };
}

export async function getTenant(ctx: Ctx, id: number): Promise<TenantDetail> {
  const found = await repo.findTenantDetail(ctx.db, id);
  return masked(found ?? refuse("NOT_FOUND", { what: "租户" }));
}

export async function readRemains(ctx: Ctx, id: number): Promise<TenantRemains> {
  await getTenant(ctx, id);
  return repo.findRemains(ctx.db, id);
}

export async function showContact(ctx: Ctx, id: number): Promise<{ contactPhone: string }> {
  const found = await repo.findTenantDetail(ctx.db, id);
  const { name, contactPhone } = found ?? refuse("NOT_FOUND", { what: "租户" });
  ctx.audit({ target: targetOf(name) });
  return { contactPhone };
}

export async function createTenant(
  ctx: Ctx,
  { expiresOn: lastDay, withheldIds = [], account, ...draft }: NewTenant,
  chosen: ChosenPassword,
): Promise<{ id: number }> {
  const terms = { ...noTerms, ...tidy(draft) };
  const expiresOn = lastDay ?? null;
  await lockFreeNameOrRefuse(ctx, terms.name, null);
  const withheld = await requireWithholdable(ctx, withheldIds);
  const id = await repo.insertTenant(ctx.db, terms, expiresOn);
  const roles = await ensureDefaultRoles(ctx.db, id);
  await repo.replaceWithheld(ctx.db, id, withheldIds);
  await createOperator(ctx, {
    ...account,
    ...chosen,
    tenantId: id,
    userType: 1,
    roleIds: [roles[1]],
    storeIds: [],
    remark: "",
  });
  ctx.audit({
    target: targetOf(terms.name),
    after: { ...masked(terms), expiresOn, withheldIds: withheld, username: account.username },
  });
  return { id };
}

export async function updateTenant(
  ctx: Ctx,
  { id, withheldIds: withheldText, editVersion, ...draft }: Query<"update">,
): Promise<null> {
  const before = await lock(ctx, id);
  if (before.editVersion !== editVersion) refuse("CONFLICT", { what: `租户“${before.name}”` });
  const terms = { ...termsOf(before), ...tidy(draft) };
  const withheldIds = withheldText === undefined ? before.withheldIds : idsIn(withheldText);
  const isLimited = TENANT_LIMITS.some((limit) => terms[limit] !== null);
  if (id === PLATFORM_TENANT_ID && (isLimited || withheldIds.length > 0)) {
    refuse("TENANT_IS_PLATFORM", { action: "限制数量或功能" });
  }
  await lockFreeNameOrRefuse(ctx, terms.name, id);
  const withheldBefore = titlesOf(await repo.findEntries(ctx.db, before.withheldIds));
  const withheld =
    withheldText === undefined ? withheldBefore : await requireWithholdable(ctx, withheldIds);
  await repo.updateTenant(ctx.db, id, terms);
  await repo.replaceWithheld(ctx.db, id, withheldIds);
  await pushLive(ctx.db, { tenantId: id, topic: "access", cabinetId: null });
  ctx.audit({
    target: targetOf(before.name),
    before: { ...masked(termsOf(before)), withheldIds: withheldBefore },
    after: { ...masked(terms), withheldIds: withheld },
  });
  return null;
}

export async function renew(
  ctx: Ctx,
  id: number,
  { expiresOnBefore, reason, months, endsOn }: Input<Calls["renew"]>["body"],
): Promise<null> {
  const before = await lock(ctx, id);
  requireOther(before, "续期");
  if (before.expiresOn !== expiresOnBefore) refuse("CONFLICT", { what: `租户“${before.name}”` });
  if ((months === undefined) === (endsOn === undefined)) {
    refuse("TERM_MISSING");
  }
  const after = endsOn === null ? endless : newTerm(before, { months, endsOn });
  await repo.updateExpiry(ctx.db, id, after);
  await recheckSessions(ctx.db, { tenantId: id });
  ctx.audit({
    target: targetOf(before.name),
    reason,
    before: { expiresOn: before.expiresOn },
    after: { expiresOn: after.expiresOn },
  });
  return null;
}

const endless: TenantTerm = { expiresOn: null, expiryDate: null };

function newTerm(
  before: Tenant,
  request: { months: number | undefined; endsOn: string | undefined },
): TenantTerm {
  const renewal = renewTenant(before, request, before.today);
  return "problem" in renewal ? invalid(renewal.problem) : renewal;
}

/** Open consoles load their menu again; a day that begins or ends later is noticed within their minute. */
export async function saveFeatures(
  ctx: Ctx,
  id: number,
  { features, reason, editVersion }: Input<Calls["saveFeatures"]>["body"],
): Promise<null> {
  const before = await lock(ctx, id);
  requireOther(before, "关闭功能");
  if (before.editVersion !== editVersion) refuse("CONFLICT", { what: `租户“${before.name}”` });
  const problem = switchesProblem(features);
  if (problem) invalid(problem);
  await repo.replaceFeatures(ctx.db, id, features);
  await pushLive(ctx.db, { tenantId: id, topic: "access", cabinetId: null });
  ctx.audit({
    target: targetOf(before.name),
    reason,
    before: { features: switchTexts(before.features) },
    after: { features: switchTexts(features) },
  });
  return null;
}

const switchTexts = (stored: readonly FeatureSwitch[]) =>
  allSwitches(stored).map((each) => `${featureTitle[each.feature]}：${featureText(each)}`);

/** Signs its accounts out at once; its cabinets stay connected, and goods can still be picked up. */
/** The platform's dated exception for all accounts of the tenant from the demand of a second factor (0143). */
export async function exemptFromFactor(
  ctx: Ctx,
  id: number,
  { until, reason }: Input<Calls["exemptFromFactor"]>["body"],
): Promise<null> {
  requireExemptDay(until);
  const before = await lock(ctx, id);
  await repo.updateFactorExemption(ctx.db, id, until);
  await publishToOpenConsoles(ctx, id);
  ctx.audit({
    target: targetOf(before.name),
    reason: reason.trim(),
    before: { factorExemptUntil: before.factorExemptUntil },
    after: { factorExemptUntil: until },
  });
  return null;
}

export async function suspendTenant(ctx: Ctx, id: number, reason: string): Promise<null> {
  const before = await lock(ctx, id);
  requireOther(before, "停用");
  if (before.state === "SUSPENDED") requireState(before, "再次停用");
  await changeState(ctx, before, reason, "SUSPENDED");
  return null;
}

export async function resumeTenant(ctx: Ctx, id: number, reason: string): Promise<null> {
  const before = await lock(ctx, id);
  if (before.state !== "SUSPENDED") requireState(before, "恢复");
  await changeState(ctx, before, reason, "ACTIVE");
  return null;
}

async function changeState(
  ctx: Ctx,
  { id, name, state }: Tenant,
  reason: string,
  after: "ACTIVE" | "SUSPENDED",
): Promise<void> {
  await repo.updateSuspended(ctx.db, id, after === "SUSPENDED" ? reason : null);
  await publishToOpenConsoles(ctx, id);
  ctx.audit({ target: targetOf(name), reason, before: { state }, after: { state: after } });
}

/** Requires a closed tenant, so that nothing new starts during the check for remaining data. */
export async function deleteTenant(ctx: Ctx, id: number): Promise<null> {
  const before = await lock(ctx, id);
  requireOther(before, "删除");
  if (!isClosed(before.state)) requireState(before, "删除：请先停用");
  const remains = remainsText(await repo.findRemains(ctx.db, id));
  if (remains.length > 0) {
    refuse("TENANT_NOT_EMPTY", { name: before.name, remains: remains.join("；") });
  }
  await repo.updateDeleted(ctx.db, id);
  await publishToOpenConsoles(ctx, id);
  const { state, expiresOn, operators } = before;
  ctx.audit({
    target: targetOf(before.name),
    before: { ...masked(termsOf(before)), state, expiresOn, operators },
  });
  return null;
}

/** Closes the live channels of its consoles; their next request is answered with 499. */
async function publishToOpenConsoles({ db }: Ctx, tenantId: number): Promise<void> {
  await recheckSessions(db, { tenantId });
  await pushLive(db, { tenantId, topic: "access", cabinetId: null });
}

function limitsOf(terms: Partial<TenantLimits>): TenantLimits {
  const limits = TENANT_LIMITS.map((limit) => [limit, terms[limit] ?? null]);
  return Object.fromEntries(limits) as TenantLimits;
}

const targetOf = (name: string) => `租户 ${name}`;

function termsOf(tenant: TenantDetail): repo.Terms {
  const { name, contactName, contactPhone, remark } = tenant;
  return { name, contactName, contactPhone, ...limitsOf(tenant), remark };
}

/** Locked row; a deleted tenant counts as missing. */
async function lock(ctx: Ctx, id: number): Promise<TenantDetail> {
  const found = await repo.lockTenantDetail(ctx.db, id);
  return found && found.state !== "DELETED" ? found : refuse("NOT_FOUND", { what: "租户" });
}

function requireOther({ id }: Tenant, action: string): void {
  if (id === PLATFORM_TENANT_ID) refuse("TENANT_IS_PLATFORM", { action });
}

function requireState({ name, state }: Tenant, action: string): never {
  return refuse("STATE_NOT_ALLOWED", {
    what: `租户“${name}”`,
    state: tenantStateText[state],
    action,
  });
}

const noTerms = {
  contactName: "",
  contactPhone: "",
  ...limitsOf({}),
  remark: "",
};

/** Trims the texts of a draft. */
function tidy<Draft extends Partial<repo.Terms>>(draft: Draft): Draft {
  const entries = Object.entries(draft).map(([name, value]) => [
    name,
    typeof value === "string" ? value.trim() : value,
  ]);
  return Object.fromEntries(entries);
}

/** Parses `12,34` of the query string; an empty text gives no ids. */
const idsIn = (text: string) => (text === "" ? [] : text.split(",").map(Number));

const titlesOf = (entries: { title: string }[]) => entries.map(({ title }) => title);

async function lockFreeNameOrRefuse(ctx: Ctx, name: string, ownId: number | null): Promise<void> {
  await repo.lockTenantNames(ctx.db);
  if (await repo.isNameTaken(ctx.db, name, ownId)) refuse("TENANT_NAME_TAKEN", { name });
}

/** Titles of these menu entries; refuses unknown ones and those that cannot be withheld. */
async function requireWithholdable(ctx: Ctx, ids: readonly number[]): Promise<string[]> {
  const entries = await repo.findEntries(ctx.db, ids);
  const isAll = entries.length === new Set(ids).size;
  if (!isAll || !entries.every(({ uri }) => isWithholdable(uri))) {
    refuse("NOT_FOUND", { what: "可选的功能" });
  }
  return titlesOf(entries);
}
