// Starts an impersonation: a second, read-only session that sees what the tenant's administrator sees.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Visit, visitContract } from "@cabinet/contract/visit/visit.contract.ts";
import type { Ctx } from "../../platform/context.ts";
import { refuse } from "../../platform/errors.ts";
import { recheckSessions } from "../../platform/live.ts";
import { makeToken } from "../auth/index.ts";
import { requireTenant } from "../tenant/index.ts";
import { endVisitsOf, insertVisit } from "./visit.sql.ts";

export async function startVisit(
  ctx: Ctx,
  { params, body }: Input<typeof visitContract.start>,
): Promise<Visit> {
  const { db, session } = ctx;
  if (params.id === session.tenantId) refuse("VISIT_OWN_TENANT");
  const { id, name } = await requireTenant(ctx, params.id);
  await endVisitsOf(db, session);
  await recheckSessions(db, { tenantId: session.tenantId, operatorId: session.operatorId });
  const { token, tokenHash } = makeToken();
  const { seconds } = await insertVisit(db, session, id, tokenHash);
  ctx.audit({ tenantId: id, target: name, reason: body.reason.trim(), after: { seconds } });
  return { token, tenantId: id, tenantName: name, seconds };
}
