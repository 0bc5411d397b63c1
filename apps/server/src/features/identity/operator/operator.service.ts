// Operations on console accounts: read, create, change, assign roles.

import type { GrantScope } from "@cabinet/contract/identity/access/grant.rules.ts";
import { mayManage } from "@cabinet/contract/identity/access/grant.rules.ts";
import { roleIgnoringStores, scopeFor } from "@cabinet/contract/identity/access/role.rules.ts";
import { FIRST_PASSWORD_DAYS } from "@cabinet/contract/identity/auth/password.rules.ts";
import type {
  NewOperator,
  Operator,
  OperatorDetail,
  OperatorUpdate,
  operatorContract,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import { NO_ROLES, userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import {
  type AccountKey,
  type Ctx,
  isPlatformStaff,
  type PrepareCtx,
  scopeOf,
} from "../../../platform/context.ts";
import { refuse, refuseOutdated } from "../../../platform/errors.ts";
import { findStoreOptions, replaceStores } from "../../organization/store/index.ts";
import { findTenant, PLATFORM_TENANT_ID, requireTenant } from "../../organization/tenant/index.ts";
import { countReveal } from "../../organization/tenant-setting/index.ts";
import {
  bindRoles,
  grantScopeOf,
  publishAccessChange,
  requireManageable,
} from "../access/index.ts";
import {
  type ChosenPassword,
  endSessionsOf,
  insertOperator,
  isUsernameTaken,
  lockDisplayNameOrRefuse,
  takePassword,
  updateAccount,
} from "../auth/index.ts";
import {
  keyOf,
  lockAnotherAdministratorOrRefuse,
  lockManageable,
  requireNotOneself,
  targetOf,
} from "./operator.gate.ts";
import * as repo from "./operator.sql.ts";
import {
  findOperator,
  findOperators,
  type OperatorQuery,
  type OperatorRow,
} from "./operator-list.sql.ts";

type ScopeInput = Input<typeof operatorContract.scope>["body"];

function shownTo(manager: GrantScope) {
  return <Row extends OperatorRow>({ permissions, ...row }: Row) => ({
    ...row,
    phone: maskPhone(row.phone),
    isManageable: mayManage(manager, {
      tenantId: row.tenantId,
      userType: row.userType,
      permissions: new Set(permissions),
      stores: row.isStoreBound ? new Set(row.visibleStores.map(({ id }) => id)) : null,
    }),
  });
}

export async function listOperators(
  ctx: Ctx,
  kinds: readonly UserType[],
  query: OperatorQuery,
): Promise<Page<Operator>> {
  const manager = await grantScopeOf(ctx);
  const page = await findOperators(ctx.db, ctx.session, kinds, query);
  return { ...page, list: page.list.map(shownTo(manager)) };
}

export async function getOperator(ctx: Ctx, id: number): Promise<OperatorDetail> {
  const found = await findOperator(ctx.db, ctx.session, id);
  return shownTo(await grantScopeOf(ctx))(found ?? refuse("NOT_FOUND", { what: "账号" }));
}

/** Scope that an account with these roles and stores would have, as far as the caller sees it. */
export async function previewScope(
  ctx: Ctx,
  { tenantId: requestedTenantId, userType, roleIds, storeIds }: ScopeInput,
): Promise<Reply<typeof operatorContract.scope>> {
  const { id: tenantId } = await requireTenant(ctx, requestedTenantId);
  const roles = await repo.findScopes(ctx.db, tenantId, roleIds);
  if (roles.length < roleIds.length) refuse("NOT_FOUND", { what: "角色" });
  const seen = new Set((await findStoreOptions(ctx.db, ctx.session, tenantId)).map(({ id }) => id));
  if (!storeIds.every((id) => seen.has(id))) refuse("NOT_FOUND", { what: "门店" });
  const isStoreBound =
    userType !== 0 && !roles.some(({ storeScope }) => scopeFor(userType, storeScope) === "ALL");
  const stores = isStoreBound ? { roleIds, storeIds } : null;
  return { isStoreBound, ...(await repo.countScope(ctx.db, ctx.session, tenantId, stores)) };
}

export async function rolesOfOperator(ctx: Ctx, id: number): Promise<OperatorDetail["roles"]> {
  return (await getOperator(ctx, id)).roles;
}

export async function takeFirstPassword(
  { database, session }: PrepareCtx,
  { password, username, displayName, tenantId = session.tenantId }: NewOperator,
): Promise<ChosenPassword> {
  const tenant = await database.read(scopeOf(session), (db) => findTenant(db, tenantId));
  return takePassword(password, { username, displayName, tenantName: tenant?.name ?? "" }, session);
}

export async function addOperator(
  ctx: Ctx,
  { tenantId: requestedTenantId, ...given }: NewOperator & ChosenPassword,
): Promise<{ id: number }> {
  const tenant = await requireTenant(ctx, requestedTenantId);
  const operatorId = await createOperator(ctx, { tenantId: tenant.id, ...given });
  // Without a store the new account would be invisible to its store-bound creator.
  const made =
    (await findOperator(ctx.db, ctx.session, operatorId)) ?? refuse("OPERATOR_STORE_MISSING");
  ctx.audit({
    tenantId: tenant.id,
    target: targetOf(made),
    after: {
      ...recordOf(made),
      username: made.username,
      roleIds: made.roles.map(({ name }) => name),
    },
  });
  return { id: operatorId };
}

export interface CreatedOperator extends Omit<NewOperator, "tenantId">, ChosenPassword {
  tenantId: number;
}

/**
 * Creates an account with roles and stores; its first password must be changed at the first
 * sign-in.
 */
export async function createOperator(ctx: Ctx, given: CreatedOperator): Promise<number> {
  const { tenantId, userType, username, passwordHash, weakness } = given;
  requireKind(ctx, tenantId, userType);
  const wanted = tidy(given);
  if (userType !== 0 && given.roleIds.length === 0) refuse("OPERATOR_ROLE_MISSING");
  if (weakness) refuse("PASSWORD_WEAK", { why: weakness });
  await lockPlaceOrRefuse(ctx, tenantId);
  await lockDisplayNameOrRefuse(ctx.db, { tenantId, operatorId: null }, wanted.displayName);
  const row = {
    ...{ tenantId, username, userType, ...wanted, passwordHash, mustChangePassword: true },
    firstPasswordDays: FIRST_PASSWORD_DAYS,
  };
  const operatorId = await insertOperator(ctx.db, row).catch((error: unknown) => {
    if (isUsernameTaken(error)) refuse("USERNAME_TAKEN", { username });
    throw error;
  });
  const key = { tenantId, operatorId };
  await giveStores(ctx, key, given.storeIds);
  await bindRoles(ctx, { ...key, roleIds: given.roleIds });
  await requireStoresCount(ctx, key, userType);
  // Refuses to create an account with more rights than one's own: its creator could sign in with
  // it.
  await requireManageable(ctx, key);
  await publishAccessChange(ctx.db, tenantId);
  return operatorId;
}

export async function updateOperator(
  ctx: Ctx,
  { id, editVersion, userType, storeIds, ...given }: OperatorUpdate,
): Promise<null> {
  const before = await lockManageable(ctx, id);
  const key = keyOf(before);
  if (before.editVersion !== editVersion) {
    refuseOutdated(`账号“${before.displayName}”`);
  }
  const stores = await repo.findStoresOf(ctx.db, key);
  const isMoved =
    storeIds.length !== stores.length || stores.some((one) => !storeIds.includes(one.id));
  if (userType !== before.userType || isMoved) {
    requireNotOneself(ctx, id, "更改类型或负责的门店", "请由其他管理员操作");
  }
  if (userType !== before.userType) {
    requireKind(ctx, before.tenantId, userType);
    await lockAnotherAdministratorOrRefuse(ctx, before, "更改类型");
    // Sessions of the old user type end.
    await endSessionsOf(ctx.db, key);
  }
  const wanted = tidy({ phone: before.phone, ...given });
  await lockDisplayNameOrRefuse(ctx.db, key, wanted.displayName, before.displayName);
  await updateAccount(ctx.db, key, { userType, ...wanted });
  const theirs = isMoved ? await giveStores(ctx, key, storeIds) : stores;
  if (userType !== before.userType || isMoved) await requireStoresCount(ctx, key, userType);
  await requireManageable(ctx, key);
  await publishAccessChange(ctx.db, before.tenantId);
  ctx.audit({
    tenantId: before.tenantId,
    target: targetOf(before),
    before: recordOf({ ...before, stores }),
    after: recordOf({ ...wanted, userType, stores: theirs }),
  });
  return null;
}

export async function bindOperatorRoles(
  ctx: Ctx,
  { id, roleIds }: { id: number; roleIds: string },
): Promise<null> {
  requireNotOneself(ctx, id, "更改角色", "请由其他管理员操作");
  const account = await lockManageable(ctx, id);
  const ids = roleIds === NO_ROLES ? [] : [...new Set(roleIds.split(",").map(Number))];
  const { before, after } = await bindRoles(ctx, { ...keyOf(account), roleIds: ids });
  await requireStoresCount(ctx, keyOf(account), account.userType);
  await requireManageable(ctx, keyOf(account));
  ctx.audit({
    tenantId: account.tenantId,
    target: targetOf(account),
    before: { roleIds: before },
    after: { roleIds: after },
  });
  return null;
}

export async function showPhone(ctx: Ctx, id: number): Promise<{ phone: string }> {
  const found = await findOperator(ctx.db, ctx.session, id);
  const account = found ?? refuse("NOT_FOUND", { what: "账号" });
  const reveals = await countReveal(ctx, account.tenantId);
  ctx.audit({ tenantId: account.tenantId, target: targetOf(account), after: { reveals } });
  return { phone: account.phone };
}

/** Takes a place within the tenant's limit; each enabled account needs one. */
export async function lockPlaceOrRefuse(ctx: Ctx, tenantId: number): Promise<void> {
  const places = await repo.lockPlaces(ctx.db, tenantId);
  const { tenantName, maxOperators, used } = places ?? refuse("NOT_FOUND", { what: "租户" });
  if (maxOperators !== null && used >= maxOperators) {
    refuse("OPERATOR_LIMIT", { tenant: tenantName, max: maxOperators, used });
  }
}

/** Administrators belong to the platform and are created by platform staff only. */
function requireKind(ctx: Ctx, tenantId: number, userType: UserType): void {
  if (userType !== 0) return;
  if (tenantId !== PLATFORM_TENANT_ID) refuse("ADMINISTRATOR_PLATFORM_ONLY");
  if (!isPlatformStaff(ctx.session)) refuse("ADMINISTRATOR_BY_PLATFORM_ONLY");
}

async function giveStores(ctx: Ctx, key: AccountKey, ids: number[]) {
  const stores = await repo.lockStores(ctx.db, key.tenantId, ids);
  if (stores.length < ids.length) refuse("NOT_FOUND", { what: "门店" });
  await replaceStores(ctx.db, key, ids);
  return stores;
}

/** Refuses stores chosen for an account that sees all stores by its kind or by one of its roles. */
async function requireStoresCount(ctx: Ctx, key: AccountKey, userType: UserType): Promise<void> {
  const storeIds = (await repo.findStoresOf(ctx.db, key)).map(({ id }) => id);
  if (userType === 0 && storeIds.length > 0) refuse("ADMINISTRATOR_STORES");
  const role = roleIgnoringStores(userType, await repo.findScopesOf(ctx.db, key), storeIds);
  if (role) refuse("STORES_IGNORED", { role: role.name, count: storeIds.length });
}

interface Personal {
  displayName: string;
  phone: string;
  remark: string;
}

/** Trims the texts; the phone is already normalised. */
function tidy({ displayName, phone, remark }: Personal): Personal {
  return { displayName: displayName.trim(), phone, remark: remark.trim() };
}

function recordOf({
  userType,
  displayName,
  phone,
  remark,
  stores,
}: Personal & { userType: UserType; stores: { name: string }[] }) {
  return {
    userType: userTypeText[userType],
    displayName,
    phone: maskPhone(phone),
    storeIds: stores.map(({ name }) => name),
    remark,
  };
}
