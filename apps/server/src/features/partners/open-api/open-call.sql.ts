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
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";

export type CallQuery = Input<typeof openCallContract.list>["query"];

export type OpenCallRow<Row extends OpenCall = OpenCall> = Omit<Row, "summary"> & { call: string };

const outcome = sql`(case when open_call.refusal is not null then 'UNPROVEN'
  when open_call.status < 400 then 'OK' when open_call.status >= 500 then 'FAILED'
    else 'REFUSED' end)`;
const outcomes: Record<OpenCallOutcome, Sql> = {
  UNPROVEN: sql`open_call.refusal is not null`,
  OK: sql`open_call.status < 400`,
  FAILED: sql`open_call.status >= 500`,
  REFUSED: sql`(open_call.refusal is null and open_call.status between 400 and 499)`,
};

function visible(session: Session, tenantId?: number): Sql {
  const own = tenantPredicate(session, sql`open_call.tenant_id`, tenantId);
  if (!session.isStoreBound) return own;
  return sql`${own} and exists (select from cabinet
    where cabinet.tenant_id = open_call.tenant_id and cabinet.id = open_call.cabinet_id
      and ${cabinetPredicate(session, sql`cabinet`)})`;
}

const columns = sql`
  open_call.id, open_call.tenant_id, tenant.name as tenant_name, open_call.at, open_call.app_id,
  app.name as app_name, open_call.kid, open_call.call, open_call.method, open_call.target,
  host(open_call.address) as address, open_call.status, ${outcome} as outcome, open_call.result,
  open_call.refusal, open_call.ms, open_call.request_id, open_call.order_id,
  open_call.third_party_no`;

const beside = sql`
  join tenant on tenant.id = open_call.tenant_id
  join open_app app on app.tenant_id = open_call.tenant_id and app.id = open_call.app_id`;

export function findOpenCalls(
  db: Db,
  session: Session,
  query: CallQuery,
): Promise<Page<OpenCallRow>> {
  const requestId = query.requestId?.trim();
  const conditions = and(
    visible(session, query.tenantId),
    query.appId !== undefined && sql`open_call.app_id = ${query.appId}`,
    query.outcome && outcomes[query.outcome],
    query.refusal && sql`open_call.refusal = ${query.refusal}`,
    query.orderId !== undefined && sql`open_call.order_id = ${query.orderId}`,
    query.thirdPartyNo && sql`open_call.third_party_no = ${query.thirdPartyNo}`,
    requestId && sql`open_call.request_id = ${requestId}`,
    periodSql(sql`open_call.at`, query),
  );
  const matching = sql`from open_call where ${conditions}`;
  return findPage(db, {
    matching,
    rows: sql`
      select ${columns} from (
        select open_call.* ${matching} order by open_call.id desc ${pageLimits(query)}) open_call
      ${beside} order by open_call.id desc`,
  });
}

export function findOpenCall(
  db: Db,
  session: Session,
  id: number,
): Promise<OpenCallRow<OpenCallDetail> | null> {
  return db.maybe(sql`
    select ${columns}, open_call.idempotency_key, open_call.signed_text, open_call.request_body,
      open_call.response_body
    from open_call ${beside} where open_call.id = ${id} and ${visible(session)}`);
}
