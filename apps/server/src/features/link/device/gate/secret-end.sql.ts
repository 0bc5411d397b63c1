// Ends the connections that were opened with secrets no longer in force.
import { type Db, type Sql, sql } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

/** A notification may be lost and a connect may race with its key's end: recheck for this long. */
const LOOK_BACK_SECONDS = 60;

export interface EndedSecret extends CabinetKey {
  sn: string;
  kid: string;
  /** True if the cabinet was connected with it until now. */
  isCut: boolean;
}

/** Returns the secrets that ended recently, and ends the connections opened with one of them. */
export function closeEndedConnections(db: Db): Promise<EndedSecret[]> {
  return close(db, sql`true`);
}

/** Like `closeEndedConnections`, for one cabinet, whose row the caller has locked. */
export function closeEndedConnection(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
): Promise<EndedSecret[]> {
  return close(db, sql`s.tenant_id = ${tenantId} and s.cabinet_id = ${cabinetId}`);
}

function close(db: Db, isConcerned: Sql): Promise<EndedSecret[]> {
  return db.many(sql`
    with ended as (
      select s.tenant_id, s.cabinet_id, s.kid from cabinet_secret s
      where s.expires_at <= now() and ${isConcerned}
        and s.expires_at > now() - make_interval(secs => ${LOOK_BACK_SECONDS})
    ), closed as (
      update cabinet c set connection_nonce = null, connection_kid = null, is_greeted = false,
        offline_at = case when offline_at is not null then least(offline_at, now()) end
      where (c.tenant_id, c.id) in (
        select c.tenant_id, c.id from ended e
        join cabinet c on c.tenant_id = e.tenant_id and c.id = e.cabinet_id
          and c.connection_kid = e.kid
        order by c.tenant_id, c.id
        -- A locked row is skipped; the next run, a second later, closes it.
        for no key update of c skip locked)
      returning c.tenant_id, c.id
    )
    select e.tenant_id as "tenantId", e.cabinet_id as "cabinetId", c.sn, e.kid,
      (e.tenant_id, e.cabinet_id) in (select tenant_id, id from closed) as "isCut"
    from ended e join cabinet c on c.tenant_id = e.tenant_id and c.id = e.cabinet_id`);
}
