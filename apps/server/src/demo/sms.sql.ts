// Which of the demo's orders had a code sent, and the codes that open their compartments.
import type { PricingRule } from "@cabinet/contract/pricing/pricing.rules.ts";
import { type Db, sql } from "../platform/db.ts";

export interface SentCode {
  tenantId: number;
  cabinetId: number;
  orderId: number;
  at: string;
  phone: string;
  place: string;
  no: number;
  rule: PricingRule;
  /** What the tenant has in front of its texts. */
  sign: string;
  /** Its goods lie there still. */
  isLive: boolean;
}

/** In the order of time. */
export function findCodesSent(db: Db): Promise<SentCode[]> {
  return db.many(sql`
    select o.tenant_id as "tenantId", o.cabinet_id as "cabinetId", o.id as "orderId", e.at, r.phone,
      case when starts_with(c.name, s.name) then c.name else concat_ws(' ', s.name, c.name) end as place,
      o.compartment_no as no, o.pricing -> 'rule' as rule, coalesce(t.sms_sign, '') as sign,
      l.order_id is not null as "isLive"
    from storage_order o
    join lateral (
      select max(at) as at from order_event e
      where e.tenant_id = o.tenant_id and e.order_id = o.id and e.kind = 'CODE_SENT'
    ) e on e.at is not null
    join end_user r on r.tenant_id = o.tenant_id and r.id = o.recipient_id
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    left join store s on s.tenant_id = o.tenant_id and s.id = o.store_id
    left join tenant_setting t on t.tenant_id = o.tenant_id
    left join live_order l on l.tenant_id = o.tenant_id and l.order_id = o.id
    where o.id >= first_order_id(now() - interval '7 days') or l.order_id is not null
    order by e.at, o.id`);
}

export async function writeCodes(
  db: Db,
  codes: { orderId: number; hash: Buffer }[],
): Promise<void> {
  const hashes = codes.map(({ hash }) => hash.toString("hex"));
  await db.run(sql`
    update live_order l set code_hash = decode(n.hash, 'hex')
    from unnest(${codes.map(({ orderId }) => orderId)}::bigint[], ${hashes}::text[])
      n (order_id, hash)
    where l.order_id = n.order_id`);
}
