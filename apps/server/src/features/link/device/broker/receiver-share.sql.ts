// Liveness table through which the gateways at an outside broker find each other.
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";

/** Each gateway reports every second. */
const GONE_AFTER_SECONDS = 5;

/** Records that this gateway is alive; returns all that are, in an order that all know. */
export async function reportAlive(db: Db, gatewayId: string): Promise<string[]> {
  await db.run(sql`
    insert into gateway (id) values (${gatewayId})
    on conflict (id) do update set seen_at = clock_timestamp()`);
  await db.run(sql`
    delete from gateway where id in (
      select id from gateway
      where seen_at < clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})
      for update skip locked)`);
  const alive = await db.many<{ id: string }>(sql`
    select id from gateway
    where seen_at >= clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})
    order by id`);
  return alive.map(({ id }) => id);
}

/** Removes a stopping gateway: the others take over at once. */
export async function reportGone(db: Db, gatewayId: string): Promise<void> {
  await db.run(sql`delete from gateway where id = ${gatewayId}`);
}
