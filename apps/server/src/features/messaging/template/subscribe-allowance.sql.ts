// SQL for allowances (consents to subscribe messages) and for the binding of people to a
// mini-program.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface AllowanceKey {
  tenantId: number;
  appId: string;
  templateId: string;
  endUserId: number;
}

const isAllowance = (k: AllowanceKey) => sql`
  tenant_id = ${k.tenantId} and app_id = ${k.appId} and template_id = ${k.templateId}
  and end_user_id = ${k.endUserId}`;

/** Consumes one allowance; false when none is left. */
export async function takeAllowance(db: Db, key: AllowanceKey): Promise<boolean> {
  const taken = await db.run(sql`
    update subscribe_allowance set used = used + 1, changed_at = now()
    where ${isAllowance(key)} and greatest(reported, pushed) > used`);
  return taken === 1;
}

/** Returns an allowance: WeChat refused the message, so the person still expects one. */
export async function returnAllowance(db: Db, key: AllowanceKey): Promise<void> {
  await db.run(sql`
    update subscribe_allowance set used = greatest(0, used - 1), changed_at = now()
    where ${isAllowance(key)}`);
}

/** Zeroes the counters: the person withdrew consent, whatever was counted. */
export async function endAllowance(db: Db, key: AllowanceKey): Promise<void> {
  await db.run(sql`
    update subscribe_allowance set changed_at = now(), reported = 0, pushed = 0, used = 0
    where ${isAllowance(key)}`);
}

/** Cap on unused allowances per person and template; a client that reports more is miscounting. */
const MOST_LEFT = 50;

export async function addAllowance(
  db: Db,
  k: AllowanceKey,
  from: "reported" | "pushed",
): Promise<void> {
  const [reported, pushed] = from === "reported" ? [1, 0] : [0, 1];
  await db.run(sql`
    insert into subscribe_allowance as allowance (tenant_id, app_id, template_id, end_user_id,
      reported,
      pushed)
    values (${k.tenantId}, ${k.appId}, ${k.templateId}, ${k.endUserId}, ${reported}, ${pushed})
    on conflict (tenant_id, app_id, template_id, end_user_id) do update set changed_at = now(),
      reported = least(allowance.reported + ${reported}, allowance.used + ${MOST_LEFT}),
      pushed = least(allowance.pushed + ${pushed}, allowance.used + ${MOST_LEFT})`);
}

/** The mini-program that the person is bound to; null when not in the tenant's mini-program. */
export async function findBound(
  db: Db,
  { tenantId, endUserId }: { tenantId: number; endUserId: number },
): Promise<{ appId: string } | null> {
  return db.maybe(sql`
    select mini_program.app_id from mini_program_setting mini_program
    join mini_program_user wechat_user on wechat_user.tenant_id = mini_program.tenant_id
      and wechat_user.app_id = mini_program.app_id
      and wechat_user.end_user_id = ${endUserId}
    where mini_program.tenant_id = ${tenantId}`);
}

export async function findEndUserId(
  db: Db,
  { tenantId, appId, openid }: { tenantId: number; appId: string; openid: string },
): Promise<number | null> {
  const row = await db.maybe<{ id: number }>(sql`
    select end_user_id as id from mini_program_user
    where tenant_id = ${tenantId} and app_id = ${appId} and openid = ${openid}`);
  return row?.id ?? null;
}

/** The end user with this phone; null when there is none. */
export async function findByPhone(
  db: Db,
  { tenantId, phone }: { tenantId: number; phone: string },
): Promise<number | null> {
  const row = await db.maybe<{ id: number }>(sql`
    select id from end_user where tenant_id = ${tenantId} and phone = ${phone}`);
  return row?.id ?? null;
}

export async function findLeft(
  db: Db,
  { tenantId, appId, endUserId }: Omit<AllowanceKey, "templateId">,
): Promise<Map<string, number>> {
  const rows = await db.many<{ templateId: string; left: number }>(sql`
    select template_id, greatest(reported, pushed) - used as "left"
    from subscribe_allowance
    where tenant_id = ${tenantId} and app_id = ${appId} and end_user_id = ${endUserId}`);
  return new Map(rows.map(({ templateId, left }) => [templateId, Math.max(0, left)]));
}
