// SQL for the demo's recent order events as webhooks, and for its receiver's addresses.
import type { SentEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { type Db, sql } from "../../platform/db/db.ts";

export interface PublishedStep {
  tenantId: number;
  orderId: number;
  appId: number | null;
  at: string;
  type: SentEventType;
  data: Readonly<Record<string, unknown>>;
}

/** Companies with third parties, with the name of their first account. */
export function findPublishingTenants(db: Db): Promise<{ tenantId: number; name: string }[]> {
  return db.many(sql`
    select t.id as "tenantId", o.display_name as name from tenant t
    join lateral (
      select display_name from operator where tenant_id = t.id and user_type <> 2 order by id limit 1
    ) o on true
    where t.id <> 1 and t.suspended_at is null
      and exists (select from storage_order s where s.tenant_id = t.id)
    order by t.id limit 2`);
}

/** Newest `limit` order steps of the last two days, in chronological order. */
export function findPublishedSteps(
  db: Db,
  tenantId: number,
  limit: number,
): Promise<PublishedStep[]> {
  return db.many(sql`
    select * from (
      select o.tenant_id as "tenantId", o.id as "orderId", o.app_id as "appId", e.at, k.type, jsonb_build_object(
        'orderId', o.id, 'thirdPartyNo', o.third_party_no, 'state', e.to_state,
        'cabinetSn', c.sn, 'compartmentNo', o.compartment_no) as data
      from order_event e
      join storage_order o on o.tenant_id = e.tenant_id and o.id = e.order_id
      join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
      join (values ('PENDING', 'order.created'), ('DEPOSITING', 'order.depositing'),
        ('STORED', 'order.stored'), ('OVERDUE', 'order.overdue'), ('PICKING', 'order.picking'),
        ('COMPLETED', 'order.completed'), ('CANCELLED', 'order.cancelled'),
        ('TAKEN_BACK', 'order.taken_back'), ('EXCEPTION', 'order.exception')) k (state, type)
        on k.state = e.to_state
      where e.tenant_id = ${tenantId} and o.id >= first_order_id(now() - interval '3 days')
        and e.at between now() - interval '2 days' and now() - interval '10 minutes'
      order by e.at desc, e.id desc limit ${limit}) lately
    order by at`);
}

/** The application that places orders, created first; its events go to the demo's own receiver. */
export function findOrderingApp(db: Db, tenantId: number): Promise<{ id: number; name: string }> {
  return db.one(sql`
    select id, name from open_app where tenant_id = ${tenantId} order by id limit 1`);
}

/** Points the endpoints of the demo's receiver to its current port. */
export async function moveReceiver(db: Db, path: string, url: string): Promise<void> {
  await db.run(sql`
    update callback_endpoint set url = ${url}
    where url ~ ('^http://127[.]0[.]0[.]1:[0-9]+' || ${path} || '$') and deleted_at is null`);
}

/** Sealed secrets of the endpoints at this URL, with their owners. */
export function findReceiverSecrets(
  db: Db,
  url: string,
): Promise<{ tenantId: number; id: number; sealed: Buffer }[]> {
  return db.many(sql`
    select e.tenant_id as "tenantId", e.id, s.sealed from callback_endpoint e
    join callback_secret s on s.tenant_id = e.tenant_id and s.endpoint_id = e.id
    where e.url = ${url} and e.deleted_at is null
      and (s.expires_at is null or s.expires_at > now())`);
}
