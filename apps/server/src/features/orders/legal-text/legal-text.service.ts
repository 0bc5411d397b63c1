// Legal texts (协议): staff publish versions; people agree to the ones in force.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { legalTextContract } from "@cabinet/contract/orders/legal-text/legal-text.contract.ts";
import { legalTextTitle } from "@cabinet/contract/orders/legal-text/legal-text.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse, requireUnedited } from "../../../platform/errors.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import * as repo from "./legal-text.sql.ts";

type Contract = typeof legalTextContract;

export async function listTexts(ctx: Ctx, asked?: number): Promise<Reply<Contract["list"]>> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  return repo.findTexts(ctx.db, tenantId);
}

export async function getText(
  ctx: Ctx,
  id: number,
  asked?: number,
): Promise<Reply<Contract["get"]>> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  const text = await repo.findText(ctx.db, tenantId, id);
  return text ?? refuse("NOT_FOUND", { what: "协议" });
}

/** Adds a version; published ones never change, because consents refer to them. */
export async function publishText(
  ctx: Ctx,
  { kind, body, editVersion, tenantId: asked }: Input<Contract["publish"]>["body"],
): Promise<Reply<Contract["publish"]>> {
  requireAllStores(ctx, "网页版");
  const { id: tenantId, name } = await requireTenant(ctx, asked);
  const newest = await repo.lockNewest(ctx.db, tenantId, kind);
  requireUnedited(newest, editVersion);
  const version = editVersion + 1;
  const by = ctx.session.signature;
  const id = await repo.insertText(ctx.db, { tenantId, kind, version, body: body.trim(), by });
  ctx.audit({
    tenantId,
    target: `${legalTextTitle[kind]} ${name}`,
    ...(newest && { before: { version: newest.editVersion } }),
    after: { version },
  });
  return { id, version };
}
