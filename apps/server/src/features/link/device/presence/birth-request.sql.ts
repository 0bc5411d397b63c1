// Cabinets heard without a session, and when the gateways next request a birth from each.
import {
  BIRTH_REQUEST_AFTER_MS,
  BIRTH_REQUEST_CAP_MS,
  BIRTH_REQUEST_EVERY_MS,
} from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import { type CabinetKey, type Gateway, isReachedBySql, kidsInForceSql } from "./presence.sql.ts";

/** Longer than any heartbeat period: a cabinet silent for this long gets no further requests. */
const FORGET_AFTER_SECONDS = 300;

export interface HeardCabinet extends CabinetKey {
  kid: string;
}

/** Queues a first request after a delay: the usual birth, right after a connect, comes earlier. */
export async function requestBirths(db: Db, heard: readonly HeardCabinet[]): Promise<void> {
  await db.run(sql`
    insert into birth_request as birth (tenant_id, cabinet_id, kid, due_at)
    select "tenantId", "cabinetId", kid,
      now() + make_interval(secs => ${BIRTH_REQUEST_AFTER_MS / 1000})
    from jsonb_to_recordset(${JSON.stringify(heard)}::jsonb)
      as input("tenantId" int, "cabinetId" bigint, kid text)
    on conflict (tenant_id, cabinet_id) do update set kid = excluded.kid, heard_at = now()`);
}

/**
 * The way back after a report that could not be read: the cabinet sends a birth in place of one that was dropped, and a
 * snapshot in place of other reports. The birth ended its session.
 */
export async function requestInPlaceOfDropped(
  db: Db,
  { tenantId, cabinetId, kid }: HeardCabinet,
  kind: string,
): Promise<void> {
  const { isGreeted } = (await db.maybe<{ isGreeted: boolean }>(sql`
    update cabinet set is_greeted = is_greeted and ${kind !== "birth"}::boolean,
      gap_since = coalesce(gap_since, now())
    where tenant_id = ${tenantId} and id = ${cabinetId}
      and ${kid} = any(${kidsInForceSql(sql`cabinet`)})
    returning is_greeted`)) ?? { isGreeted: true };
  if (!isGreeted) await requestBirths(db, [{ tenantId, cabinetId, kid }]);
}

export async function endBirthRequests(
  db: Db,
  tenantId: number,
  cabinetIds: readonly number[],
): Promise<void> {
  await db.run(sql`
    delete from birth_request
    where tenant_id = ${tenantId} and cabinet_id = any(${cabinetIds}::bigint[])`);
}

export interface DueBirth {
  sn: string;
  kid: string;
  /** Nonce of the cabinet's current connection, as the server recorded it. */
  nonce: string | null;
  attempts: number;
}

/** Claims the cabinets whose request is due, with exponential backoff for each. */
export async function claimDueBirths(db: Db, gateway: Gateway): Promise<DueBirth[]> {
  await db.run(sql`
    delete from birth_request
    where heard_at < now() - make_interval(secs => ${FORGET_AFTER_SECONDS})`);
  return db.many(sql`
    update birth_request birth set attempts = attempts + 1,
      due_at = now() + make_interval(secs => least(${BIRTH_REQUEST_CAP_MS / 1000},
        ${BIRTH_REQUEST_EVERY_MS / 1000} * power(2, least(attempts, 10))))
    from cabinet
    where cabinet.tenant_id = birth.tenant_id and cabinet.id = birth.cabinet_id
      and not cabinet.is_greeted and cabinet.lifecycle <> 'RETIRED'
      and ${isReachedBySql(sql`cabinet`, gateway)}
      and (birth.tenant_id, birth.cabinet_id) in (
        select tenant_id, cabinet_id from birth_request where due_at <= now()
        for no key update skip locked)
    returning cabinet.sn, birth.kid, cabinet.connection_nonce as nonce, birth.attempts`);
}
