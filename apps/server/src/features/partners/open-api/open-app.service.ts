// Third parties' applications: scopes, allowed networks, rate, and whether they are enabled.
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { MAX_APPS } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type {
  OpenApp,
  OpenAppDraft,
  OpenAppOption,
} from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { notify } from "../../../platform/db/notify.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { randomLetters } from "../../../platform/key-id.ts";
import { requireOwnName } from "../../identity/auth/index.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import * as repo from "./open-app.sql.ts";

export function listApps(ctx: Ctx, query: repo.AppQuery): Promise<Page<OpenApp>> {
  return repo.findApps(ctx.db, ctx.session, query);
}

export function listAppOptions(ctx: Ctx, tenantId?: number): Promise<OpenAppOption[]> {
  return repo.findAppOptions(ctx.db, ctx.session, tenantId);
}

export async function createApp(
  ctx: Ctx,
  { tenantId: asked, ...given }: OpenAppDraft & { tenantId?: number },
): Promise<{ id: number }> {
  requireAllStores(ctx, "接口应用");
  const { id: tenantId } = await requireTenant(ctx, asked);
  if ((await repo.countApps(ctx.db, tenantId)) >= MAX_APPS) {
    refuse("OPEN_APP_LIMIT", { max: MAX_APPS });
  }
  const draft = await tidy(ctx, given);
  requireOwnName(draft.name);
  await requireFreeName(ctx, tenantId, draft.name);
  const code = `app_${randomLetters(16)}`;
  const id = await repo.insertApp(ctx.db, { tenantId, code, by: ctx.session.signature }, draft);
  ctx.audit({ tenantId, target: targetOf({ name: draft.name, code }), after: { code, ...draft } });
  return { id };
}

export async function updateApp(ctx: Ctx, id: number, given: OpenAppDraft): Promise<null> {
  requireAllStores(ctx, "接口应用");
  const before = await lockOwn(ctx, id);
  const draft = await tidy(ctx, given);
  requireOwnName(draft.name, before.name);
  await requireFreeName(ctx, before.tenantId, draft.name, id);
  await repo.updateApp(ctx.db, before, draft, ctx.session.signature);
  const { tenantId, appId: _, code: __, isDisabled: ___, today: ____, ...old } = before;
  ctx.audit({ tenantId, target: targetOf(before), before: old, after: draft });
  return null;
}

/** Effective immediately: the next request of the application is refused. */
export async function disableApp(ctx: Ctx, id: number, reason: string): Promise<null> {
  return setDisabled(ctx, id, reason);
}

export async function enableApp(ctx: Ctx, id: number): Promise<null> {
  return setDisabled(ctx, id, null);
}

async function setDisabled(ctx: Ctx, id: number, reason: string | null): Promise<null> {
  requireAllStores(ctx, "接口应用");
  const app = await lockOwn(ctx, id);
  const isDisabled = reason !== null;
  if (app.isDisabled === isDisabled) {
    const state = isDisabled ? "已停用" : "已启用";
    refuse("STATE_NOT_ALLOWED", { what: "应用", state, action: isDisabled ? "停用" : "启用" });
  }
  await repo.setDisabled(ctx.db, app, reason, ctx.session.signature);
  ctx.audit({
    ...{ tenantId: app.tenantId, target: targetOf(app) },
    ...(reason !== null && { reason }),
    before: { isDisabled: app.isDisabled },
    after: { isDisabled },
  });
  // Disabling an application pauses its webhook endpoints; enabling it resumes them.
  const { tenantId } = app;
  await Promise.all([
    notify(ctx.db, "callback", null),
    pushLive(ctx.db, { tenantId, topic: "callback", cabinetId: null }),
  ]);
  return null;
}

export function targetOf({ name, code }: { name: string; code: string }): string {
  return `接口应用 ${name}（${code}）`;
}

/** Locks the application until the transaction ends. */
export async function lockOwn(ctx: Ctx, id: number): Promise<repo.LockedApp> {
  return (await repo.lockApp(ctx.db, ctx.session, id)) ?? refuse("NOT_FOUND", { what: "应用" });
}

async function tidy(ctx: Ctx, draft: OpenAppDraft): Promise<OpenAppDraft> {
  const wrong = await repo.findInvalidNetwork(ctx.db, draft.networks);
  if (wrong !== null) {
    refuse("NETWORK_INVALID", { network: wrong });
  }
  return { ...draft, name: draft.name.trim(), remark: draft.remark.trim() };
}

async function requireFreeName(ctx: Ctx, tenantId: number, name: string, exceptId?: number) {
  if (await repo.isNameTaken(ctx.db, tenantId, name, exceptId)) {
    refuse("OPEN_APP_NAME_TAKEN", { name });
  }
}
