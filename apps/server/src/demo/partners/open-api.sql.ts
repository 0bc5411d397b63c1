// SQL that assigns the demo's orders to third parties and derives their API calls.
import { type Db, sql } from "../../platform/db/db.ts";

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
    select o.tenant_id, o.id, ${appId}, o.third_party_no, o.created_at,
      case when o.id % 23 = 0 then 'PENDING' when o.id % 37 <> 0 then o.state end,
      case when o.id % 23 = 0 then o.created_at
        when o.id % 37 <> 0 then coalesce(o.ended_at, o.stored_at, o.created_at) end
    from storage_order o where o.tenant_id = ${tenantId} and o.third_party_no is not null
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
    select b.tenant_id, o.created_at + k.later, ${appId}, ${kid}, k.method || ' ' || k.path, k.method,
      replace(k.path, '{id}', o.id::text), '203.0.113.24', 200, 'OK', 18 + (o.id % 40)::int,
      gen_random_uuid()::text, case when k.method = 'POST' then gen_random_uuid()::text end, null,
      case when k.method = 'POST' then jsonb_build_object('thirdPartyNo', b.third_party_no,
        'cabinetSn', c.sn, 'size', o.size, 'recipientPhone', '138****0000', 'opensDoor', true)::text
      end,
      jsonb_build_object('code', 0, 'data', jsonb_build_object('id', o.id, 'thirdPartyNo',
        b.third_party_no, 'state', case when k.method = 'POST' then 'PENDING' else o.state end,
        'cabinetSn', c.sn, 'no', o.compartment_no), 'errMsg', '')::text,
      o.id, o.cabinet_id, b.third_party_no
    from business_order b
    join storage_order o on o.tenant_id = b.tenant_id and o.id = b.order_id
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    join (values ('POST', '/open/v1/order', interval '0'),
      ('GET', '/open/v1/order/{id}', interval '25 minutes')) k (method, path, later)
      on k.method = 'POST' or o.id % 3 = 0
    where b.tenant_id = ${tenantId} and o.id >= first_order_id(now() - interval '8 days')
      and o.created_at + k.later >= now() - make_interval(mins => ${Math.round(from * 60)})
      and o.created_at + k.later < now() - make_interval(mins => ${Math.round(to * 60)})
    order by o.created_at + k.later`);
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
