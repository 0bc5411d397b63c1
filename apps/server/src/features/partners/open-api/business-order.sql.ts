// Third parties' orders beside ours in SQL, with the state they last received by an API answer or a
// webhook.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  BusinessOrder,
  businessOrderContract,
} from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import type { Difference } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, endSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";

export type BusinessOrderQuery = Input<typeof businessOrderContract.list>["query"];

/**
 * Latest state that the third party received: an API answer, or a webhook that its own endpoint
 * accepted.
 */
const deliveredStates = sql`
  left join lateral (
    select candidate.state, candidate.at from (
      select business_order.told_state as state, business_order.told_at as at
      where business_order.told_at is not null
      union all
      (select event.data ->> 'state', delivery.delivered_at
      from callback_event event
      join callback_delivery delivery on delivery.tenant_id = event.tenant_id
        and delivery.event_id = event.id
      join callback_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id
        and endpoint.id = delivery.endpoint_id
        and endpoint.app_id = business_order.app_id
      where event.tenant_id = business_order.tenant_id and event.order_id = business_order.order_id
        and delivery.delivered_at is not null
        and delivery.purpose = 'EVENT' and event.data ->> 'state' is not null
      order by event.id desc limit 1)) candidate
    order by candidate.at desc limit 1) notified on true`;

const difference = sql`(case when notified.state is null then 'UNTOLD'
  when notified.state = ord.state then 'SAME'
  else 'BEHIND' end)`;
const differences: Record<Difference, Sql> = {
  UNTOLD: sql`notified.state is null`,
  SAME: sql`notified.state = ord.state`,
  BEHIND: sql`notified.state <> ord.state`,
};

const from = (matching: Sql) => sql`
  from business_order
  join storage_order ord on ord.tenant_id = business_order.tenant_id
    and ord.id = business_order.order_id
  join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
  ${deliveredStates}
  where ${matching}`;

export function findBusinessOrders(
  db: Db,
  session: Session,
  query: BusinessOrderQuery,
): Promise<Page<Omit<BusinessOrder, "lastCallback">>> {
  const conditions = and(
    cabinetPredicate(session, sql`cabinet`, query.tenantId),
    query.thirdPartyNo && sql`business_order.third_party_no = ${query.thirdPartyNo}`,
    query.orderId !== undefined && sql`business_order.order_id = ${query.orderId}`,
    query.appId !== undefined && sql`business_order.app_id = ${query.appId}`,
    query.state && sql`ord.state = ${query.state}`,
    query.difference && differences[query.difference],
    query.from && sql`business_order.order_id >= first_order_id(${query.from}::timestamptz)`,
    query.to && sql`business_order.order_id < first_order_id(${endSql(query.to)})`,
  );
  const matching = from(conditions);
  return findPage(db, {
    matching,
    rows: sql`
      select business_order.order_id, business_order.tenant_id, tenant.name as tenant_name,
        business_order.app_id, app.name as app_name, business_order.third_party_no,
        business_order.state, business_order.difference, business_order.told_as as told_state,
        business_order.told_when as told_at, business_order.side, business_order.cabinet_id,
        business_order.sn as cabinet_sn, business_order.cabinet_name, store.name as store_name,
        business_order.no, business_order.size, business_order.created as created_at,
        business_order.stored_at, business_order.ended_at, business_order.price_fen,
        business_order.waived_fen
      from (
        select business_order.*, ord.state, ${difference} as difference, notified.state as told_as,
          notified.at as told_when,
          ord.side, ord.cabinet_id, cabinet.sn, cabinet.name as cabinet_name, ord.store_id,
          ord.compartment_no as no,
          ord.size, ord.created_at as created, ord.stored_at, ord.ended_at, ord.price_fen,
          ord.waived_fen
        ${matching} order by business_order.order_id desc ${pageLimits(query)}) business_order
      join tenant on tenant.id = business_order.tenant_id
      join open_app app on app.tenant_id = business_order.tenant_id
        and app.id = business_order.app_id
      left join store on store.tenant_id = business_order.tenant_id
        and store.id = business_order.store_id
      order by business_order.order_id desc`,
  });
}
