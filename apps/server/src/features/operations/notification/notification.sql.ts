// SQL for the states that somebody should deal with, each with its count and the time since which it lasts.

import { EXPIRING_DAYS } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { LOW_SEGMENTS } from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import {
  isPlatformStaff,
  mayDo,
  type Session,
  tenantPredicate,
} from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { join, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { serviceStateSql } from "../../link/cabinet-condition/index.ts";
import { webhookPlace, webhookStateOf } from "../../messaging/webhook/index.ts";
import { waitingStateSql } from "../../money/review/index.ts";
import { tenantExpiresOnSql, tenantStateSql } from "../../organization/tenant/index.ts";
import type { FailingWebhook, StateRow } from "./notification.rules.ts";

/** The only name of a group; `max` in place of a subquery. */
const onlyName = (name: Sql) => sql`case when count(*) = 1 then max(${name}) else '' end`;
const dayStart = (day: Sql) => sql`(${day})::timestamp at time zone 'Asia/Shanghai'`;

/** Latest first. */
export async function findFailingWebhooks(db: Db, session: Session): Promise<FailingWebhook[]> {
  if (session.isStoreBound || !mayDo(session, "callback:read")) return [];
  const rows = await db.many<Omit<FailingWebhook, "place">>(sql`
    select endpoint.name, endpoint.tenant_id = ${session.tenantId} as is_own, endpoint.state_at as at
    from callback_endpoint endpoint
    where ${tenantPredicate(session, sql`endpoint.tenant_id`)} and endpoint.deleted_at is null
      and ${webhookStateOf(sql`endpoint`)} = 'FAILING'
    order by endpoint.state_at desc`);
  return rows.map((row) => ({ ...row, place: webhookPlace(row.name) }));
}

/** A balance is low since the first entry after the last one that left enough. */
const sms = (session: Session) => sql`
  select 'SMS', count(*)::int, ${onlyName(sql`tenant.name`)}, max(coalesce((
    select min(credit_entry.at) from sms_credit_entry credit_entry
    where credit_entry.tenant_id = account.tenant_id and credit_entry.id > coalesce((
      select max(high_credit_entry.id) from sms_credit_entry high_credit_entry
      where high_credit_entry.tenant_id = account.tenant_id
        and high_credit_entry.balance_after >= ${LOW_SEGMENTS}), 0)),
    recharge.at))
  from sms_account account
  join tenant on tenant.id = account.tenant_id
  join lateral (
    select max(recharge.at) as at from sms_recharge recharge
    where recharge.tenant_id = account.tenant_id) recharge on recharge.at is not null
  where ${tenantPredicate(session, sql`account.tenant_id`)}
    and account.balance - account.held < ${LOW_SEGMENTS}
  having count(*) > 0`;

const smsChannel = sql`
  select 'SMS_CHANNEL', 1, '', coalesce(checked_at, edited_at) from sms_channel
  where is_on and check_state = 'FAILED'`;

const services = (session: Session) => sql`
  select 'SERVICE_' || term.state, count(*)::int,
    coalesce((min(service.ends_on) filter (where term.state = 'EXPIRING'))::text, ''),
    max(case term.state when 'STOPPED' then service.stopped_at
      when 'EXPIRED' then ${dayStart(sql`service.ends_on + 1`)}
      else ${dayStart(sql`service.ends_on - ${EXPIRING_DAYS}::int`)} end)
  from cabinet
  join cabinet_service service on service.tenant_id = cabinet.tenant_id
    and service.cabinet_id = cabinet.id
  cross join lateral (select ${serviceStateSql(sql`service`)}) term(state)
  where cabinet.lifecycle <> 'RETIRED' and ${cabinetPredicate(session, sql`cabinet`)}
    and term.state in ('EXPIRING', 'EXPIRED', 'STOPPED')
  group by term.state`;

const warningStart = sql`tenant.expires_at - make_interval(days => ${EXPIRING_DAYS}::int)`;

const tenants = sql`
  select 'TENANT_' || term.state, count(*)::int, ${onlyName(sql`tenant.name`)},
    max(case term.state when 'EXPIRED' then tenant.expires_at else ${warningStart} end)
  from tenant cross join lateral (select ${tenantStateSql(sql`tenant`)}) term(state)
  where term.state in ('EXPIRING', 'EXPIRED')
  group by term.state`;

const ownTerm = (session: Session) => sql`
  select 'OWN_TERM', 1, ${tenantExpiresOnSql(sql`tenant`)}::text,
    ${warningStart}
  from tenant where tenant.id = ${session.tenantId} and ${tenantStateSql(sql`tenant`)} = 'EXPIRING'`;

/** Only of what the account may see; store-bound accounts do not see tenant-wide states. */
export function findStates(db: Db, session: Session): Promise<StateRow[]> {
  const isWide = !session.isStoreBound;
  const isPlatform = isPlatformStaff(session);
  const found = [
    isWide && mayDo(session, "sms-credit:read") && sms(session),
    isPlatform && smsChannel,
    isPlatform && tenants,
    mayDo(session, "cabinet:read") && services(session),
    ownTerm(session),
    waitingStateSql(session),
  ].filter((part) => part !== false);
  return db.many(sql`
    select kind, count, name, at from (${join(found, " union all ")}) state(kind, count, name, at)`);
}
