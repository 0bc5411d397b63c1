// Console sessions: listing them and forcing sign-out.

import { deviceOf } from "@cabinet/contract/identity/login-log/user-agent.rules.ts";
import type { OnlineSession } from "@cabinet/contract/identity/session/session.contract.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Ctx } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { recheckSessions } from "../../../platform/http/live.ts";
import { findManageable, requireManageable } from "../access/index.ts";
import { deleteSession } from "../auth/index.ts";
import { findSession, findSessions, type SessionQuery } from "./session.sql.ts";

export async function listSessions(ctx: Ctx, query: SessionQuery): Promise<Page<OnlineSession>> {
  const page = await findSessions(ctx.db, ctx.session, query);
  const manageable = await findManageable(ctx, page.list);
  const list = page.list.map(({ operatorId, ...row }) => ({
    ...row,
    device: deviceOf(row.userAgent),
    isManageable: manageable.has(operatorId),
  }));
  return { ...page, list };
}

/** Ends a session: its next request gets 401 and its live channel closes at once. */
export async function endSession(ctx: Ctx, id: number, reason: string): Promise<null> {
  const found = await findSession(ctx.db, ctx.session, id);
  if (!found) refuse("NOT_FOUND", { what: "会话" });
  const { tenantId, operatorId, username, address, createdAt, tokenHash } = found;
  if (tokenHash.equals(ctx.session.tokenHash)) refuse("SESSION_IS_OWN");
  await requireManageable(ctx, { tenantId, operatorId });
  ctx.audit({
    tenantId,
    target: `账号 ${username} 的会话`,
    reason,
    before: { address, createdAt },
  });
  await deleteSession(ctx.db, tokenHash);
  await recheckSessions(ctx.db, { tenantId, operatorId });
  return null;
}
