// Subscribe messages in the app: templates to ask consent for, and reports of consent.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { MAX_ASKED } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type { appSubscriptionContract } from "@cabinet/contract/messaging/template/template.contract.ts";
import {
  goesBySubscription,
  scenarioSpecs,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import { SIDES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { AppCtx } from "../../../platform/context.ts";
import { addAllowance, findBound, findLeft } from "./subscribe-allowance.sql.ts";
import { findSubscribed } from "./template.sql.ts";

type Contract = typeof appSubscriptionContract;

/** Templates with the fewest allowances first: WeChat's consent prompt shows only a few. */
export async function wantedSubscriptions(
  { db, user }: AppCtx,
  { side, role }: Input<Contract["wanted"]>["query"],
): Promise<Reply<Contract["wanted"]>> {
  const bound = await findBound(db, user);
  if (!bound) return { appId: null, templates: [] };
  const { appId } = bound;
  const left = await findLeft(db, { ...user, appId });
  const wanted = new Map<string, { templateId: string; title: string; left: number }>();
  for (const { scene, plan, templateId, title } of await findSubscribed(db, user.tenantId, side)) {
    if (!goesBySubscription(plan) || !scenarioSpecs[scene].readers.includes(role)) continue;
    wanted.set(templateId, { templateId, title, left: left.get(templateId) ?? 0 });
  }
  const templates = [...wanted.values()].sort((one, other) => one.left - other.left);
  return { appId, templates: templates.slice(0, MAX_ASKED) };
}

/** Ignores templates that are not the tenant's, and people outside its mini-program. */
export async function reportSubscriptions(
  { db, user }: AppCtx,
  { accepted }: Input<Contract["report"]>["body"],
): Promise<null> {
  const bound = await findBound(db, user);
  if (!bound) return null;
  const { tenantId, endUserId } = user;
  const own = await Promise.all(SIDES.map((side) => findSubscribed(db, tenantId, side)));
  const known = new Set(own.flat().map(({ templateId }) => templateId));
  for (const templateId of accepted.filter((id) => known.has(id)).sort()) {
    await addAllowance(db, { tenantId, endUserId, templateId, appId: bound.appId }, "reported");
  }
  return null;
}
