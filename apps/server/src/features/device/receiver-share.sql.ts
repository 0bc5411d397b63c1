// The gateways at an outside broker tell each other here that they are alive.
import { type Db, sql } from "../../platform/db.ts";

/** They say so each second. */
const GONE_AFTER_SECONDS = 5;

/** Tells that this one is alive. Returns all that are, in an order that all know. */
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

/** It stops: the others take over at once. */
export async function reportGone(db: Db, gatewayId: string): Promise<void> {
  await db.run(sql`delete from gateway where id = ${gatewayId}`);
}
