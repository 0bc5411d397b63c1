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
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";

export type BusinessOrderQuery = Input<typeof businessOrderContract.list>["query"];

/**
 * Latest state that the third party received: an API answer, or a webhook that its own endpoint
 * accepted.
 */
const deliveredStates = sql`
  left join lateral (
    select n.state, n.at from (
      select b.told_state as state, b.told_at as at where b.told_at is not null
      union all
      (select e.data ->> 'state', d.delivered_at
      from callback_event e
      join callback_delivery d on d.tenant_id = e.tenant_id and d.event_id = e.id
      join callback_endpoint p on p.tenant_id = d.tenant_id and p.id = d.endpoint_id
        and p.app_id = b.app_id
      where e.tenant_id = b.tenant_id and e.order_id = b.order_id and d.delivered_at is not null
        and d.purpose = 'EVENT' and e.data ->> 'state' is not null
      order by e.id desc limit 1)) n
    order by n.at desc limit 1) n on true`;

const difference = sql`(case when n.state is null then 'UNTOLD' when n.state = o.state then 'SAME'
  else 'BEHIND' end)`;
const differences: Record<Difference, Sql> = {
  UNTOLD: sql`n.state is null`,
  SAME: sql`n.state = o.state`,
  BEHIND: sql`n.state <> o.state`,
};

const from = (matching: Sql) => sql`
  from business_order b
  join storage_order o on o.tenant_id = b.tenant_id and o.id = b.order_id
  join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
  ${deliveredStates}
  where ${matching}`;

export function findBusinessOrders(
  db: Db,
  session: Session,
  query: BusinessOrderQuery,
): Promise<Page<Omit<BusinessOrder, "lastCallback">>> {
  const conditions = [cabinetPredicate(session, sql`c`, query.tenantId)];
  if (query.thirdPartyNo) conditions.push(sql`b.third_party_no = ${query.thirdPartyNo}`);
  if (query.orderId !== undefined) conditions.push(sql`b.order_id = ${query.orderId}`);
  if (query.appId !== undefined) conditions.push(sql`b.app_id = ${query.appId}`);
  if (query.state) conditions.push(sql`o.state = ${query.state}`);
  if (query.difference) conditions.push(differences[query.difference]);
  if (query.from) conditions.push(sql`b.order_id >= first_order_id(${query.from}::timestamptz)`);
  if (query.to) conditions.push(sql`b.created_at <= ${query.to}`);
  const matching = from(join(conditions, " and "));
  return findPage(db, {
    matching,
    rows: sql`
      select b.order_id as "orderId", b.tenant_id as "tenantId", t.name as "tenantName",
        b.app_id as "appId", a.name as "appName", b.third_party_no as "thirdPartyNo", b.state,
        b.difference, b.told_as as "toldState", b.told_when as "toldAt", b.side,
        b.cabinet_id as "cabinetId", b.sn as "cabinetSn", b.cabinet_name as "cabinetName",
        s.name as "storeName", b.no, b.size, b.created as "createdAt", b.stored_at as "storedAt",
        b.ended_at as "endedAt", b.price_fen as "priceFen", b.waived_fen as "waivedFen"
      from (
        select b.*, o.state, ${difference} as difference, n.state as told_as, n.at as told_when,
          o.side, o.cabinet_id, c.sn, c.name as cabinet_name, o.store_id, o.compartment_no as no,
          o.size, o.created_at as created, o.stored_at, o.ended_at, o.price_fen, o.waived_fen
        ${matching} order by b.order_id desc ${pageLimits(query)}) b
      join tenant t on t.id = b.tenant_id
      join open_app a on a.tenant_id = b.tenant_id and a.id = b.app_id
      left join store s on s.tenant_id = b.tenant_id and s.id = b.store_id
      order by b.order_id desc`,
  });
}
