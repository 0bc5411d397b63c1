// SQL for the demo's recent order events as webhooks, and for its receiver's addresses.
import { KEPT_DAYS } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import type { SentEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";

export interface PublishedStep {
  tenantId: number;
  orderId: number;
  appId: number | null;
  at: string;
  type: SentEventType;
  data: Readonly<Record<string, unknown>>;
  /** Among the newest, which every endpoint got. */
  isRecent: boolean;
}

/** Companies with third parties, with the name of their first account. */
export function findPublishingTenants(db: Db): Promise<{ tenantId: number; name: string }[]> {
  return db.many(sql`
    select tenant.id as tenant_id, operator.display_name as name from tenant
    join lateral (
      select display_name from operator where tenant_id = tenant.id and user_type <> 2 order by id
      limit 1
    ) operator on true
    where tenant.id <> 1 and tenant.suspended_at is null
      and exists (select from storage_order ord where ord.tenant_id = tenant.id)
    order by tenant.id limit 2`);
}

/** The newest `recent` order steps, and older ones of the application's orders, in chronological order. */
export function findPublishedSteps(
  db: Db,
  tenantId: number,
  recent: number,
): Promise<PublishedStep[]> {
  return db.many(sql`
    select lately.*, nth <= ${recent} as is_recent from (
      select ord.tenant_id, ord.id as order_id, ord.app_id,
        row_number() over (order by order_event.at desc, order_event.id desc) as nth,
        order_event.at, event_type.type, jsonb_build_object(
        'orderId', ord.id, 'thirdPartyNo', ord.third_party_no, 'state', order_event.to_state,
        'cabinetSn', cabinet.sn, 'compartmentNo', ord.compartment_no) as data
      from order_event
      join storage_order ord on ord.tenant_id = order_event.tenant_id
        and ord.id = order_event.order_id
      join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
      join (values ('PENDING', 'order.created'), ('DEPOSITING', 'order.depositing'),
        ('STORED', 'order.stored'), ('OVERDUE', 'order.overdue'), ('PICKING', 'order.picking'),
        ('COMPLETED', 'order.completed'), ('CANCELLED', 'order.cancelled'),
        ('TAKEN_BACK', 'order.taken_back'), ('EXCEPTION', 'order.exception')) event_type (state,
        type)
        on event_type.state = order_event.to_state
      where order_event.tenant_id = ${tenantId}
        and ord.id >= first_order_id(now() - make_interval(days => ${KEPT_DAYS}))
        and order_event.at < now() - interval '10 minutes') lately
    where nth <= ${recent} or app_id is not null
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
    select endpoint.tenant_id, endpoint.id, callback_secret.sealed
    from callback_endpoint endpoint
    join callback_secret on callback_secret.tenant_id = endpoint.tenant_id
      and callback_secret.endpoint_id = endpoint.id
    where endpoint.url = ${url} and endpoint.deleted_at is null
      and (callback_secret.expires_at is null or callback_secret.expires_at > now())`);
}
