// Call records of third parties in SQL; a store-bound account sees only calls about cabinets of its
// stores.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  OpenCall,
  OpenCallDetail,
  OpenCallOutcome,
  openCallContract,
} from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import type { Session } from "../../../platform/context.ts";
import { tenantPredicate } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";

export type CallQuery = Input<typeof openCallContract.list>["query"];

export type OpenCallRow<Row extends OpenCall = OpenCall> = Omit<Row, "summary"> & { call: string };

const outcome = sql`(case when o.refusal is not null then 'UNPROVEN'
  when o.status < 400 then 'OK' when o.status >= 500 then 'FAILED' else 'REFUSED' end)`;
const outcomes: Record<OpenCallOutcome, Sql> = {
  UNPROVEN: sql`o.refusal is not null`,
  OK: sql`o.status < 400`,
  FAILED: sql`o.status >= 500`,
  REFUSED: sql`(o.refusal is null and o.status between 400 and 499)`,
};

function visible(session: Session, tenantId?: number): Sql {
  const own = tenantPredicate(session, sql`o.tenant_id`, tenantId);
  if (!session.isStoreBound) return own;
  return sql`${own} and exists (select from cabinet c
    where c.tenant_id = o.tenant_id and c.id = o.cabinet_id
      and ${cabinetPredicate(session, sql`c`)})`;
}

const columns = sql`
  o.id, o.tenant_id as "tenantId", t.name as "tenantName", o.at, o.app_id as "appId",
  a.name as "appName", o.kid, o.call, o.method, o.target, host(o.address) as address, o.status,
  ${outcome} as outcome, o.result, o.refusal, o.ms, o.request_id as "requestId",
  o.order_id as "orderId", o.third_party_no as "thirdPartyNo"`;

const beside = sql`
  join tenant t on t.id = o.tenant_id
  join open_app a on a.tenant_id = o.tenant_id and a.id = o.app_id`;

export function findOpenCalls(
  db: Db,
  session: Session,
  query: CallQuery,
): Promise<Page<OpenCallRow>> {
  const conditions = [visible(session, query.tenantId)];
  if (query.appId !== undefined) conditions.push(sql`o.app_id = ${query.appId}`);
  if (query.outcome) conditions.push(outcomes[query.outcome]);
  if (query.refusal) conditions.push(sql`o.refusal = ${query.refusal}`);
  if (query.orderId !== undefined) conditions.push(sql`o.order_id = ${query.orderId}`);
  if (query.thirdPartyNo) conditions.push(sql`o.third_party_no = ${query.thirdPartyNo}`);
  const requestId = query.requestId?.trim();
  if (requestId) conditions.push(sql`o.request_id = ${requestId}`);
  if (query.from) conditions.push(sql`o.at >= ${query.from}`);
  if (query.to) conditions.push(sql`o.at <= ${query.to}`);
  const matching = sql`from open_call o where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching,
    rows: sql`
      select ${columns} from (
        select o.* ${matching} order by o.id desc ${pageLimits(query)}) o
      ${beside} order by o.id desc`,
  });
}

export function findOpenCall(
  db: Db,
  session: Session,
  id: number,
): Promise<OpenCallRow<OpenCallDetail> | null> {
  return db.maybe(sql`
    select ${columns}, o.idempotency_key as "idempotencyKey", o.signed_text as "signedText",
      o.request_body as "requestBody", o.response_body as "responseBody"
    from open_call o ${beside} where o.id = ${id} and ${visible(session)}`);
}
