// One past outage of a whole demo store: a store malfunction, with events in its cabinets' logs.
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
import type { PlacedStory } from "../orders/placed-story.ts";
import { insertRows } from "../rows.sql.ts";
import { MINUTE, SECOND, type Span } from "./cabinet.ts";

/** Alert delay: 90 seconds of silence until offline, plus a minute. */
const NOTIFIED_AFTER_MS = 90 * SECOND + MINUTE;

export async function insertStoreOutage(
  db: Db,
  place: { tenantId: number; storeId: number; storeName: string },
  { from, to }: Span,
  stories: readonly PlacedStory[],
): Promise<void> {
  const { tenantId, storeId, storeName } = place;
  const notifiedAt = new Date(from + NOTIFIED_AFTER_MS).toISOString();
  const back = new Date(to).toISOString();
  const total = stories.length;
  if (total < 2) return;
  const { id } = await db.one<{ id: number }>(sql`
    insert into malfunction (tenant_id, store_id, kind, state, description, created_at, updated_at)
    values (${tenantId}, ${storeId}, 'OFFLINE', 'CLOSED',
      ${`门店断网或断电：${total} 台设备离线，已恢复 ${total}/${total} 台`}, ${notifiedAt}, ${back})
    returning id`);
  const payload = { malfunctionId: id, storeName, total };
  await insertRows(
    db,
    "outage_cabinet",
    stories.map(({ cabinetId }) => ({
      tenant_id: tenantId,
      malfunction_id: id,
      cabinet_id: cabinetId,
      last_seen_at: new Date(from).toISOString(),
      back_at: back,
    })),
  );
  const events = [
    { kind: "STORE_OUTAGE", received_at: notifiedAt, payload: { ...payload, back: 0 } },
    { kind: "STORE_OUTAGE_ENDED", received_at: back, payload: { ...payload, back: total } },
  ];
  await insertRows(
    db,
    "cabinet_event",
    stories.flatMap(({ cabinetId }) =>
      events.map((event) => ({ tenant_id: tenantId, cabinet_id: cabinetId, ...event })),
    ),
  );
}
