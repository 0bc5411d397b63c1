// Starts an impersonation: a second, read-only session that sees what the tenant's administrator sees.

import type {
  impersonationContract,
  Visit,
} from "@cabinet/contract/identity/impersonation/impersonation.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { makeToken } from "../../../platform/access-token.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { recheckSessions } from "../../../platform/http/live.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { endImpersonationsOf, insertImpersonation } from "../auth/index.ts";

export async function startImpersonation(
  ctx: Ctx,
  { params, body }: Input<typeof impersonationContract.start>,
): Promise<Visit> {
  const { db, session } = ctx;
  if (params.id === session.tenantId) refuse("VISIT_OWN_TENANT");
  const { id, name } = await requireTenant(ctx, params.id);
  await endImpersonationsOf(db, session);
  await recheckSessions(db, { tenantId: session.tenantId, operatorId: session.operatorId });
  const { token, tokenHash } = makeToken(db.vault, "session");
  const { seconds } = await insertImpersonation(db, session, id, tokenHash);
  ctx.audit({ tenantId: id, target: name, reason: body.reason.trim(), after: { seconds } });
  return { token, tenantId: id, tenantName: name, seconds };
}
