// Keys of third parties' applications: issue, rotate, revoke; the plain secret appears once, in the
// reply.
import { randomBytes } from "node:crypto";
import { MAX_ACTIVE_SECRETS } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import type { IssuedKey } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { newKid } from "../../../platform/key-id.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { lockOwn, targetOf } from "./open-app.service.ts";
import * as repo from "./open-app.sql.ts";
import { sealOpenKey } from "./partner.gate.ts";

const SECRET_BYTES = 32;

/**
 * Issues the first key of an application, or a second one; the first stays valid for
 * `overlapHours`.
 */
export async function issueKey(ctx: Ctx, id: number, overlapHours: number): Promise<IssuedKey> {
  requireAllStores(ctx, "接口密钥");
  const { db, session } = ctx;
  const app = await lockOwn(ctx, id);
  const known = await repo.findKeysOf(db, app);
  const active = known.filter(({ isInForce }) => isInForce);
  if (active.length >= MAX_ACTIVE_SECRETS) {
    refuse("OPEN_KEY_LIMIT", { kids: active.map(({ kid }) => kid).join("、") });
  }
  const { tenantId, appId, name, code } = app;
  const kid = newKid(app.today, new Set(known.map((key) => key.kid)));
  const secret = `cabsk_${randomBytes(SECRET_BYTES).toString("base64url")}`;
  const sealedSecret = sealOpenKey(db.vault, { tenantId, appId, kid }, secret);
  await repo.insertKey(db, app, { kid, sealedSecret, by: session.signature });
  const previousKid = active[0]?.kid ?? null;
  const previousExpiresAt =
    previousKid && (await repo.endAfter(db, app, previousKid, overlapHours));
  ctx.audit({
    ...{ tenantId, target: targetOf(app) },
    before: { kids: active.map((key) => key.kid) },
    after: { kid, previousKid, previousExpiresAt },
  });
  return { name, app: code, kid, secret, previousKid, previousExpiresAt };
}

/** Effective immediately: the next request signed with the key is refused. */
export async function revokeKey(
  ctx: Ctx,
  id: number,
  { kid, reason }: { kid: string; reason: string },
): Promise<null> {
  requireAllStores(ctx, "接口密钥");
  const app = await lockOwn(ctx, id);
  const key = (await repo.findKeysOf(ctx.db, app)).find((one) => one.kid === kid);
  if (!key) refuse("NOT_FOUND", { what: `密钥 ${kid} ` });
  if (!key.isInForce) {
    refuse("STATE_NOT_ALLOWED", { what: `密钥 ${kid} `, state: "已失效", action: "吊销" });
  }
  await repo.revoke(ctx.db, app, kid, ctx.session.signature);
  ctx.audit({
    ...{ tenantId: app.tenantId, target: `${targetOf(app)} · 密钥 ${kid}`, reason },
    before: { expiresAt: key.expiresAt },
    after: { isRevoked: true },
  });
  return null;
}
