// SQL for the demo's login log and audit log, derived from records in other tables.
import { type Db, sql } from "../platform/db/db.ts";

const DAYS = 21;
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

/** A documentation address (RFC 5737), stable per account. */
const addressSql = sql`('203.0.113.' || (10 + o.id % 200))::inet`;

/** Must run last: it reads what the other parts have inserted. */
export async function insertAuditTrail(db: Db, now: number): Promise<void> {
  const until = new Date(now).toISOString();
  await insertSignIns(db, until);
  await insertActions(db, until);
}

/** On most mornings; with a few mistyped passwords and a stranger's attempts. */
async function insertSignIns(db: Db, until: string): Promise<void> {
  await db.run(sql`
    insert into login_log (at, tenant_id, operator_id, username, outcome, address, user_agent)
    select at, tenant_id, operator_id, username, outcome, address, user_agent from (
      select t.at + make_interval(secs => case when w.outcome = 'SIGNED_IN' then 24 else 0 end) as at,
        o.tenant_id, o.id as operator_id, o.username, w.outcome, ${addressSql} as address,
        case when o.user_type = 2 then ${SAFARI} else ${CHROME} end as user_agent
      from operator o
      cross join generate_series(0, ${DAYS}) day
      cross join lateral (select hashint8(o.id * 97 + day) & 1023 as chance) c
      cross join lateral (
        select date_trunc('day', ${until}::timestamptz, 'Asia/Shanghai') - make_interval(days => day)
          + make_interval(hours => 8, mins => c.chance % 140, secs => c.chance % 53) as at) t
      cross join lateral (
        select 'SIGNED_IN' as outcome union all
        select 'CREDENTIALS_WRONG' where c.chance % 9 = 0) w
      where o.disabled_at is null and c.chance % 7 > 0 and t.at < ${until}
        and (not o.must_change_password or o.last_sign_in_at is not null)
        and t.at <= coalesce(o.last_sign_in_at, ${until})
      union all
      select ${until}::timestamptz - make_interval(days => 3, secs => 40 * n), null, null, 'r***',
        case when n < 3 then 'THROTTLED' else 'CREDENTIALS_WRONG' end, '198.51.100.23'::inet,
        'python-requests/2.32.3'
      from generate_series(1, 8) n
    ) attempt
    order by at`);
  await db.run(sql`
    update operator o set last_sign_in_at = l.at
    from (select tenant_id, operator_id, max(at) as at from login_log
      where outcome = 'SIGNED_IN' group by tenant_id, operator_id) l
    where o.tenant_id = l.tenant_id and o.id = l.operator_id
      and (o.last_sign_in_at is null or o.last_sign_in_at < l.at)`);
}

/** In chronological order, as the audit chain requires. */
async function insertActions(db: Db, until: string): Promise<void> {
  await db.run(sql`
    insert into audit_log (at, tenant_id, actor_tenant_id, actor_id, actor_name, call, summary,
      target, reason, before, after, address, request_id)
    select d.at, d.tenant_id, o.tenant_id, o.id, o.username, d.call, d.summary, d.target, d.reason,
      d.before, d.after, ${addressSql}, md5(d.target || d.at::text)::uuid::text
    from (
      select l.at, l.tenant_id, l.operator_id, 'POST /auth/token/admin/login' as call,
        '登录' as summary, '账号 ' || l.username as target, null as reason, null::jsonb as before,
        null::jsonb as after
      from login_log l where l.outcome = 'SIGNED_IN'
      union all
      select c.created_at, c.tenant_id, c.actor_id,
        case c.kind when 'OPEN' then 'POST /admin/v1/locker/{id}/open'
          else 'POST /admin/v1/locker/{id}/restart' end,
        case c.kind when 'OPEN' then '远程开门' else '重启设备' end,
        '设备 ' || b.sn || coalesce(' · ' || c.compartment_no || ' 号格口', ''), c.reason, null,
        jsonb_build_object('commandId', c.id, 'kind', c.kind, 'no', c.compartment_no, 'side', c.side)
      from command c join cabinet b on b.tenant_id = c.tenant_id and b.id = c.cabinet_id
      where c.actor_kind = 'OPERATOR' and c.actor_id is not null
      union all
      select date_trunc('day', ${until}::timestamptz, 'Asia/Shanghai')
          - make_interval(days => 4 + s.id::int % 11, mins => 511 - 37 * (s.id::int % 12)), s.tenant_id,
        a.id, 'PUT /admin/v1/store/update/{id}', '编辑门店',
        '门店 ' || s.name || '（' || s.code || '）', null,
        jsonb_build_object('name', s.name, 'code', s.code, 'region', s.region, 'address', s.address,
          'openingHours', '08:00-20:00', 'contactName', ''),
        jsonb_build_object('name', s.name, 'code', s.code, 'region', s.region, 'address', s.address,
          'openingHours', s.opening_hours, 'contactName', s.contact_name)
      from store s
      join operator a on a.tenant_id = s.tenant_id and a.user_type = 1
        and a.username like 'demo_-operator'
      union all
      select date_trunc('day', ${until}::timestamptz, 'Asia/Shanghai') - interval '9 days 7 hours',
        p.tenant_id, a.id,
        'PUT /admin/v1/pricing', '设置租户或门店的计费规则',
        '计费规则 租户 ' || t.name, null,
        jsonb_build_object('freeMinutes', p.free_minutes, 'perUseFen', p.per_use_fen,
          'stepMinutes', p.step_minutes, 'stepFen', p.step_fen + 50, 'capFen', null,
          'overdueAfterMinutes', p.overdue_after_minutes),
        jsonb_build_object('freeMinutes', p.free_minutes, 'perUseFen', p.per_use_fen,
          'stepMinutes', p.step_minutes, 'stepFen', p.step_fen, 'capFen', p.cap_fen,
          'overdueAfterMinutes', p.overdue_after_minutes)
      from pricing_rule p join tenant t on t.id = p.tenant_id
      join lateral (select id from operator o where o.tenant_id = p.tenant_id and o.user_type = 1
        order by id limit 1) a on true
      where p.store_id is null and p.cabinet_id is null
    ) d
    join operator o on o.tenant_id = d.tenant_id and o.id = d.operator_id
    order by d.at`);
}
