// SQL that assigns the demo's orders to third parties and derives their API calls.
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
import { MESSAGE_DAYS } from "../period.ts";

interface Caller {
  tenantId: number;
  appId: number;
  kid: string;
}

/** Assigns orders with a third-party number to the application; most of them are in sync with it. */
export async function claimOrders(db: Db, { tenantId, appId }: Caller): Promise<void> {
  await db.run(sql`
    update storage_order set app_id = ${appId}
    where tenant_id = ${tenantId} and third_party_no is not null`);
  await db.run(sql`
    insert into business_order (tenant_id, order_id, app_id, third_party_no, created_at, told_state,
      told_at)
    select ord.tenant_id, ord.id, ${appId}, ord.third_party_no, ord.created_at,
      case when ord.id % 23 = 0 then 'PENDING' when ord.id % 37 <> 0 then ord.state end,
      case when ord.id % 23 = 0 then ord.created_at
        when ord.id % 37 <> 0 then coalesce(ord.ended_at, ord.stored_at, ord.created_at) end
    from storage_order ord where ord.tenant_id = ${tenantId} and ord.third_party_no is not null
    on conflict do nothing`);
}

const headOf = (target: string) => `CAB1-HMAC-SHA256\n${target}`;

/** Calls in a range of hours ago: the one that created each order, and occasional reads. */
export async function insertOrderCalls(
  db: Db,
  caller: Caller,
  [from, to]: readonly [number, number],
): Promise<void> {
  const { tenantId, appId, kid } = caller;
  await db.run(sql`
    insert into open_call (tenant_id, at, app_id, kid, call, method, target, address, status, result,
      ms, request_id, idempotency_key, signed_text, request_body, response_body, order_id,
      cabinet_id, third_party_no)
    select business_order.tenant_id, ord.created_at + request.later, ${appId}, ${kid},
      request.method || ' ' || request.path, request.method,
      replace(request.path, '{id}', ord.id::text), '203.0.113.24', 200, 'OK',
      18 + (ord.id % 40)::int,
      gen_random_uuid()::text, case when request.method = 'POST' then gen_random_uuid()::text end,
      null,
      case when request.method = 'POST' then jsonb_build_object('thirdPartyNo',
        business_order.third_party_no,
        'cabinetSn', cabinet.sn, 'size', ord.size, 'recipientPhone', '138****0000', 'opensDoor',
        true)::text
      end,
      jsonb_build_object('code', 0, 'data', jsonb_build_object('id', ord.id, 'thirdPartyNo',
        business_order.third_party_no, 'state', case when request.method = 'POST' then 'PENDING'
          else ord.state end,
        'cabinetSn', cabinet.sn, 'no', ord.compartment_no), 'errMsg', '')::text,
      ord.id, ord.cabinet_id, business_order.third_party_no
    from business_order
    join storage_order ord on ord.tenant_id = business_order.tenant_id
      and ord.id = business_order.order_id
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    join (values ('POST', '/open/v1/order', interval '0'),
      ('GET', '/open/v1/order/{id}', interval '25 minutes')) request (method, path, later)
      on request.method = 'POST' or ord.id % 3 = 0
    where business_order.tenant_id = ${tenantId} and ord.id >= first_order_id(now() - make_interval(days => ${MESSAGE_DAYS + 1}))
      and ord.created_at + request.later >= now() - make_interval(mins => ${Math.round(from * 60)})
      and ord.created_at + request.later < now() - make_interval(mins => ${Math.round(to * 60)})
    order by ord.created_at + request.later`);
}

export interface FailedCall {
  hoursAgo: number;
  method: string;
  path: string;
  status: number;
  result: string;
  refusal: string | null;
  address: string;
  text: string;
}

/** Inserts a refused call with its reason. */
export async function insertFailedCall(
  db: Db,
  { tenantId, appId, kid }: Caller,
  call: FailedCall,
): Promise<void> {
  const answer = { code: 1, data: null, errMsg: call.text, errCode: call.result };
  await db.run(sql`
      insert into open_call (tenant_id, at, app_id, kid, call, method, target, address, status,
        result, refusal, ms, request_id, signed_text, response_body)
      values (${tenantId}, now() - make_interval(mins => ${Math.round(call.hoursAgo * 60)}),
        ${appId}, ${kid}, ${`${call.method} ${call.path}`}, ${call.method}, ${call.path},
        ${call.address}, ${call.status}, ${call.result}, ${call.refusal}, 9,
        gen_random_uuid()::text, ${headOf(`${call.method}\ncabinet.example.cn\n${call.path}\n`)},
        ${JSON.stringify(answer)})`);
}
