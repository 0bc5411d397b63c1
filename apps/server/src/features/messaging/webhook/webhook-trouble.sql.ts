// SQL for the troubles of webhook endpoints and their last notification.
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/db.ts";
import type { TroubleFacts, WebhookTrouble } from "./webhook-trouble.rules.ts";

export interface EndpointKey {
  tenantId: number;
  id: number;
}

export interface TroubledEndpoint extends TroubleFacts {
  name: string;
  stateReason: string;
}

const msOf = (at: Sql) => sql`extract(epoch from ${at})::float8 * 1000`;

/** Deliveries given up and not replayed since; `isGone` selects those refused with 410. */
const deadOf = (isGone: boolean) => sql`
  callback_delivery d where d.tenant_id = e.tenant_id and d.endpoint_id = e.id
    and d.state = 'DEAD' and d.purpose = 'EVENT' and (d.last_outcome = 'GONE') = ${isGone}`;

/** The endpoint was disabled by a 410 answer (same transaction, same time), not by a person. */
const isGone = sql`
  e.state = 'DISABLED' and exists (select from ${deadOf(true)} and d.ended_at = e.state_at)`;

/** Endpoints with something new since the last notification. */
export function findTroubled(db: Db): Promise<EndpointKey[]> {
  return db.many(sql`
    select e.tenant_id as "tenantId", e.id from callback_endpoint e
    where e.deleted_at is null and (
      ((e.state = 'FAILING' or ${isGone}) and e.state_at > coalesce(e.told_at, '-infinity'))
      or (e.state <> 'DISABLED' and exists (
        select from ${deadOf(false)} and d.ended_at > coalesce(e.told_at, '-infinity'))))
    order by e.tenant_id, e.id`);
}

/** Null when the endpoint was deleted or is locked by another process; the next turn retries. */
export function lockTroubled(
  db: Db,
  { tenantId, id }: EndpointKey,
): Promise<TroubledEndpoint | null> {
  return db.maybe(sql`
    select e.name, e.state_reason as "stateReason",
      case when e.state = 'FAILING' then 'FAILING' when ${isGone} then 'GONE' end as state,
      ${msOf(sql`e.state_at`)} as "stateMs",
      case when e.state <> 'DISABLED' then (
        select ${msOf(sql`max(d.ended_at)`)} from ${deadOf(false)}) end as "deadMs",
      ${msOf(sql`e.last_success_at`)} as "lastSuccessMs", ${msOf(sql`e.told_at`)} as "notifiedMs",
      e.told_trouble as "notifiedTrouble", ${msOf(sql`now()`)} as "nowMs"
    from callback_endpoint e
    where e.tenant_id = ${tenantId} and e.id = ${id} and e.deleted_at is null
    for no key update skip locked`);
}

export async function saveNotified(
  db: Db,
  { tenantId, id }: EndpointKey,
  trouble: WebhookTrouble,
): Promise<void> {
  await db.run(sql`
    update callback_endpoint set told_at = now(), told_trouble = ${trouble}
    where tenant_id = ${tenantId} and id = ${id}`);
}
