// Liveness table through which the gateways at an outside broker find each other.
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";

/** Each gateway reports every second. */
const GONE_AFTER_SECONDS = 5;
/** A gateway that is silent for this long sends nothing either: it is stopped, or cut off from the database. */
const SILENT_AFTER_SECONDS = 3;

/**
 * False if there are gateways at an outside broker and none of them reaches it. An embedded broker has no rows here, and
 * gateways that stop in order delete theirs: the next one sends what is queued meanwhile.
 */
export const isBrokerReachedSql: Sql = sql`(not exists (select from gateway) or exists (
  select from gateway where gateway.is_linked
    and gateway.seen_at > clock_timestamp() - make_interval(secs => ${SILENT_AFTER_SECONDS})))`;

/** Records that this gateway is alive; returns all that are, in an order that all know. */
export async function reportAlive(db: Db, gatewayId: string): Promise<string[]> {
  await db.run(sql`
    insert into gateway (id) values (${gatewayId})
    on conflict (id) do update set seen_at = clock_timestamp(), is_linked = true`);
  await removeGone(db);
  const alive = await db.many<{ id: string }>(sql`
    select id from gateway
    where seen_at >= clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})
    order by id`);
  return alive.map(({ id }) => id);
}

/** Removes gateways that died; also those of an outside broker that is not used any more. */
export async function removeGone(db: Db): Promise<void> {
  await db.run(sql`
    delete from gateway where id in (
      select id from gateway
      where seen_at < clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})
      for update skip locked)`);
}

/** Records that the broker does not answer this gateway; its receivers stay its own for now. */
export async function reportCutOff(db: Db, gatewayId: string): Promise<void> {
  await db.run(sql`update gateway set is_linked = false where id = ${gatewayId}`);
}

/** Removes a stopping gateway: the others take over at once. */
export async function reportGone(db: Db, gatewayId: string): Promise<void> {
  await db.run(sql`delete from gateway where id = ${gatewayId}`);
}
