// 网页版: a tenant's switch for the web page of its riders and recipients, and its QR stickers.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireUnedited } from "../../../platform/errors.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { tenantCodeOf } from "./tenant-code.crypto.ts";
import * as repo from "./web-page.sql.ts";

type Contract = typeof webPageContract;

const neverSaved = { isOn: false, editVersion: 0, editedAt: null, editedBy: "" };

export async function getSetting(ctx: Ctx, asked?: number): Promise<Reply<Contract["setting"]>> {
  const { id: tenantId, name: tenantName } = await requireTenant(ctx, asked);
  const setting = (await repo.findSetting(ctx.db, tenantId)) ?? neverSaved;
  const tenantCode = tenantCodeOf(ctx.db.vault, tenantId);
  return { ...setting, tenantId, tenantName, tenantCode };
}

export async function saveSetting(
  ctx: Ctx,
  { tenantId: asked, editVersion, isOn }: Input<Contract["saveSetting"]>["body"],
): Promise<null> {
  requireAllStores(ctx, "网页版");
  const tenant = await requireTenant(ctx, asked);
  const before = await repo.lockSetting(ctx.db, tenant.id);
  requireUnedited(before, editVersion);
  const editedBy = ctx.session.signature;
  await repo.writeSetting(ctx.db, { tenantId: tenant.id, isOn, editedBy });
  ctx.audit({
    tenantId: tenant.id,
    target: `网页版 ${tenant.name}`,
    before: { isOn: before?.isOn ?? false },
    after: { isOn },
  });
  return null;
}

export async function listStickers(
  ctx: Ctx,
  { tenantId, storeId }: Input<Contract["stickers"]>["query"],
): Promise<Reply<Contract["stickers"]>> {
  const tenant = await requireTenant(ctx, tenantId);
  return repo.findStickers(ctx.db, ctx.session, {
    tenantId: tenant.id,
    ...(storeId && { storeId }),
  });
}
