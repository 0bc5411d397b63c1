// SQL for the use of tenants' limits: reports of each process, and the sums of all.
import type { Db } from "../db/db.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { OwnUse, ReportedUse } from "./tenant-use.rules.ts";

const thisMinute = sql`date_trunc('minute', now())`;

/** Adds this process's use; returns that of all processes, and the limits. */
export async function reportUse(
  db: Db,
  processId: string,
  uses: readonly OwnUse[],
): Promise<ReportedUse[]> {
  const ids = uses.map(({ tenantId }) => tenantId);
  await db.run(sql`
    insert into tenant_use (tenant_id, minute, process_id, requests, live_channels)
    select tenant.id, ${thisMinute}, ${processId}, input.requests, input.live_channels
    from unnest(${ids}::int[], ${uses.map(({ requests }) => requests)}::int[],
      ${uses.map(({ liveChannels }) => liveChannels)}::int[]) input (id, requests, live_channels)
    join tenant on tenant.id = input.id
    on conflict (tenant_id, minute, process_id) do update set
      requests = tenant_use.requests + excluded.requests, live_channels = excluded.live_channels`);
  return db.many(sql`
    select tenant.id as tenant_id, tenant.max_requests, tenant.max_live_channels,
      (select coalesce(sum(tenant_use.requests), 0)::int from tenant_use
        where tenant_use.tenant_id = tenant.id and tenant_use.minute = ${thisMinute})
        as requests,
      ${liveChannelsSql(sql`tenant.id`, processId)} as other_live_channels,
      (60 - extract(second from now()))::float8 as seconds_left
    from tenant where tenant.id = any(${ids}::int[])`);
}

/** Open live channels of a tenant, from the last report of each process but the named one. */
export function liveChannelsSql(tenantId: Sql, exceptProcessId: string | null = null): Sql {
  return sql`
    (select coalesce(sum(latest.live_channels), 0)::int
    from (select distinct on (tenant_use.process_id) tenant_use.live_channels from tenant_use
      where tenant_use.tenant_id = ${tenantId} and tenant_use.process_id is distinct from ${exceptProcessId}::uuid
        and tenant_use.minute between ${thisMinute} - interval '1 minute' and ${thisMinute}
      order by tenant_use.process_id, tenant_use.minute desc) latest)`;
}

/** Most requests of a tenant in one minute of the last hour. */
export function peakRequestsSql(tenantId: Sql): Sql {
  return sql`
    (select coalesce(max(minutes.requests), 0)::int
    from (select sum(tenant_use.requests) as requests from tenant_use
      where tenant_use.tenant_id = ${tenantId} and tenant_use.minute > now() - interval '1 hour'
      group by tenant_use.minute) minutes)`;
}

/** Also rows of the future, which a clock set back has left. */
export async function deleteOldUse(db: Db): Promise<void> {
  await db.run(sql`
    delete from tenant_use
    where minute < now() - interval '1 hour' or minute > now() + interval '1 hour'`);
}
