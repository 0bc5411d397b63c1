// Catalog of subscribe-message templates in a tenant's mini-program: fetched by a job, read by the console.
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { keywordsOfContent } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type { templateContract } from "@cabinet/contract/messaging/template/template.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Database } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { type MiniPrograms, WechatRefusal } from "../mini-program/index.ts";
import { fetchCatalogSoon } from "./template.queue.ts";
import { findAppId, findCatalog, markFetching, writeCatalog } from "./template.sql.ts";

type Catalog = Reply<typeof templateContract.catalog>;

export async function getCatalog(ctx: Ctx, asked?: number): Promise<Catalog> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  const found = await findCatalog(ctx.db, tenantId);
  if (!found) return { state: "NONE", problem: "", fetchedAt: null, templates: [] };
  const templates = found.templates.map(({ content, ...template }) => ({
    ...template,
    keywords: keywordsOfContent(content),
  }));
  return { ...found, templates };
}

export async function askForCatalog(ctx: Ctx, asked?: number): Promise<null> {
  requireAllStores(ctx, "消息模板");
  const tenant = await requireTenant(ctx, asked);
  const appId = await findAppId(ctx.db, tenant.id);
  if (appId === null) refuse("MINI_PROGRAM_NOT_SET");
  ctx.audit({ tenantId: tenant.id, target: `从微信获取订阅消息模板 ${tenant.name}` });
  await markFetching(ctx.db, tenant.id, appId);
  await fetchCatalogSoon(ctx.db, tenant.id);
  return null;
}

export async function fetchCatalog(
  database: Database,
  miniPrograms: MiniPrograms,
  tenantId: number,
): Promise<void> {
  const opened = await miniPrograms.open(database, tenantId);
  if (!opened) return;
  const { appId } = opened.setting;
  const found = await opened.service
    .templates()
    .then((templates) => ({ templates }))
    .catch((error: unknown) => {
      if (error instanceof WechatRefusal) return { problem: error.message };
      throw error;
    });
  await database.transaction({ tenantId }, (db) => writeCatalog(db, { tenantId, appId }, found));
}
