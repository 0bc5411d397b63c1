// SQL for the troubles of webhook endpoints and their last notification.
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
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
  callback_delivery delivery where delivery.tenant_id = endpoint.tenant_id
    and delivery.endpoint_id = endpoint.id
    and delivery.state = 'DEAD' and delivery.purpose = 'EVENT'
    and (delivery.last_outcome = 'GONE') = ${isGone}`;

/** The endpoint was disabled by a 410 answer (same transaction, same time), not by a person. */
const isGone = sql`
  endpoint.state = 'DISABLED' and exists (select
    from ${deadOf(true)} and delivery.ended_at = endpoint.state_at)`;

/** Endpoints with something new since the last notification. */
export function findTroubled(db: Db): Promise<EndpointKey[]> {
  return db.many(sql`
    select endpoint.tenant_id, endpoint.id from callback_endpoint endpoint
    where endpoint.deleted_at is null and (
      ((endpoint.state = 'FAILING' or ${isGone})
        and endpoint.state_at > coalesce(endpoint.told_at, '-infinity'))
      or (endpoint.state <> 'DISABLED' and exists (
        select from ${deadOf(false)} and delivery.ended_at > coalesce(endpoint.told_at,
          '-infinity'))))
    order by endpoint.tenant_id, endpoint.id`);
}

/** Null when the endpoint was deleted or is locked by another process; the next turn retries. */
export function lockTroubled(
  db: Db,
  { tenantId, id }: EndpointKey,
): Promise<TroubledEndpoint | null> {
  return db.maybe(sql`
    select endpoint.name, endpoint.state_reason,
      case when endpoint.state = 'FAILING' then 'FAILING' when ${isGone} then 'GONE' end as state,
      ${msOf(sql`endpoint.state_at`)} as state_ms,
      case when endpoint.state <> 'DISABLED' then (
        select ${msOf(sql`max(delivery.ended_at)`)} from ${deadOf(false)}) end as dead_ms,
      ${msOf(sql`endpoint.last_success_at`)} as last_success_ms, ${msOf(sql`endpoint.told_at`)} as notified_ms,
      endpoint.told_trouble as notified_trouble, ${msOf(sql`now()`)} as now_ms
    from callback_endpoint endpoint
    where endpoint.tenant_id = ${tenantId} and endpoint.id = ${id} and endpoint.deleted_at is null
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
