// SQL for the demo's login log and audit log, derived from records in other tables.
import type { Db } from "../platform/db/db.ts";
import { sql } from "../platform/db/sql.ts";

const DAYS = 21;
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

/** A documentation address (RFC 5737), stable per account. */
const addressSql = sql`('203.0.113.' || (10 + operator.id % 200))::inet`;

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
      select moment.at + make_interval(secs => case when result.outcome = 'SIGNED_IN' then 24
        else 0 end) as at,
        operator.tenant_id, operator.id as operator_id, operator.username,
        result.outcome, ${addressSql} as address,
        case when operator.user_type = 2 then ${SAFARI} else ${CHROME} end as user_agent
      from operator
      cross join generate_series(0, ${DAYS}) day
      cross join lateral (select hashint8(operator.id * 97 + day) & 1023 as chance) dice
      cross join lateral (
        select date_trunc('day', ${until}::timestamptz, 'Asia/Shanghai') - make_interval(days => day)
          + make_interval(hours => 8, mins => dice.chance % 140,
            secs => dice.chance % 53) as at) moment
      cross join lateral (
        select 'SIGNED_IN' as outcome union all
        select 'CREDENTIALS_WRONG' where dice.chance % 9 = 0) result
      where operator.disabled_at is null and dice.chance % 7 > 0 and moment.at < ${until}
        and (not operator.must_change_password or operator.last_sign_in_at is not null)
        and moment.at <= coalesce(operator.last_sign_in_at, ${until})
      union all
      select ${until}::timestamptz - make_interval(days => 3, secs => 40 * n), null, null, 'r***',
        case when n < 3 then 'THROTTLED' else 'CREDENTIALS_WRONG' end, '198.51.100.23'::inet,
        'python-requests/2.32.3'
      from generate_series(1, 8) n
    ) attempt
    order by at`);
  await db.run(sql`
    update operator set last_sign_in_at = latest.at
    from (select tenant_id, operator_id, max(at) as at from login_log
      where outcome = 'SIGNED_IN' group by tenant_id, operator_id) latest
    where operator.tenant_id = latest.tenant_id and operator.id = latest.operator_id
      and (operator.last_sign_in_at is null or operator.last_sign_in_at < latest.at)`);
}

/** In chronological order, as the audit chain requires. */
async function insertActions(db: Db, until: string): Promise<void> {
  await db.run(sql`
    insert into audit_log (at, tenant_id, actor_tenant_id, actor_id, actor_name, call, summary,
      target, reason, before, after, address, request_id)
    select action.at, action.tenant_id, operator.tenant_id, operator.id, operator.username,
      action.call, action.summary, action.target, action.reason,
      action.before, action.after, ${addressSql}, md5(action.target || action.at::text)::uuid::text
    from (
      select login.at, login.tenant_id, login.operator_id, 'POST /auth/token/admin/login' as call,
        '登录' as summary, '账号 ' || login.username as target, null as reason, null::jsonb as before,
        null::jsonb as after
      from login_log login where login.outcome = 'SIGNED_IN'
      union all
      select command.created_at, command.tenant_id, command.actor_id,
        case command.kind when 'OPEN' then 'POST /admin/v1/locker/{id}/open'
          else 'POST /admin/v1/locker/{id}/restart' end,
        case command.kind when 'OPEN' then '远程开门' else '重启设备' end,
        '设备 ' || cabinet.sn || coalesce(' · ' || command.compartment_no || ' 号格口', ''),
        command.reason, null,
        jsonb_build_object('commandId', command.id, 'kind', command.kind, 'no',
          command.compartment_no, 'side', command.side)
      from command join cabinet on cabinet.tenant_id = command.tenant_id
        and cabinet.id = command.cabinet_id
      where command.actor_kind = 'OPERATOR' and command.actor_id is not null
      union all
      select date_trunc('day', ${until}::timestamptz, 'Asia/Shanghai')
          - make_interval(days => 4 + store.id::int % 11, mins => 511 - 37 * (store.id::int % 12)),
          store.tenant_id,
        operator.id, 'PUT /admin/v1/store/update/{id}', '编辑门店',
        '门店 ' || store.name || '（' || store.code || '）', null,
        jsonb_build_object('name', store.name, 'code', store.code, 'region', store.region,
          'address', store.address,
          'openingHours', '08:00-20:00', 'contactName', ''),
        jsonb_build_object('name', store.name, 'code', store.code, 'region', store.region, 'address', store.address,
          'openingHours', store.opening_hours, 'contactName', store.contact_name)
      from store
      join operator on operator.tenant_id = store.tenant_id and operator.user_type = 1
        and operator.username like 'demo_-operator'
      union all
      select date_trunc('day', ${until}::timestamptz, 'Asia/Shanghai') - interval '9 days 7 hours',
        rule.tenant_id, author.id,
        'PUT /admin/v1/pricing', '设置租户或门店的计费规则',
        '计费规则 租户 ' || tenant.name, null,
        jsonb_build_object('freeMinutes', rule.free_minutes, 'perUseFen', rule.per_use_fen,
          'stepMinutes', rule.step_minutes, 'stepFen', rule.step_fen + 50, 'capFen', null,
          'overdueAfterMinutes', rule.overdue_after_minutes),
        jsonb_build_object('freeMinutes', rule.free_minutes, 'perUseFen', rule.per_use_fen,
          'stepMinutes', rule.step_minutes, 'stepFen', rule.step_fen, 'capFen', rule.cap_fen,
          'overdueAfterMinutes', rule.overdue_after_minutes)
      from pricing_rule rule join tenant on tenant.id = rule.tenant_id
      join lateral (select id from operator where operator.tenant_id = rule.tenant_id
        and operator.user_type = 1
        order by id limit 1) author on true
      where rule.store_id is null and rule.cabinet_id is null
    ) action
    join operator on operator.tenant_id = action.tenant_id and operator.id = action.operator_id
    order by action.at`);
}
