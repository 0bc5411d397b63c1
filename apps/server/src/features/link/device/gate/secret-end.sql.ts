// Ends the connections that were opened with secrets no longer in force.
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
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
  return close(db, sql`secret.tenant_id = ${tenantId} and secret.cabinet_id = ${cabinetId}`);
}

function close(db: Db, isConcerned: Sql): Promise<EndedSecret[]> {
  return db.many(sql`
    with ended as (
      select secret.tenant_id, secret.cabinet_id, secret.kid from cabinet_secret secret
      where secret.expires_at <= now() and ${isConcerned}
        and secret.expires_at > now() - make_interval(secs => ${LOOK_BACK_SECONDS})
    ), closed as (
      update cabinet set connection_nonce = null, connection_kid = null, is_greeted = false,
        offline_at = case when offline_at is not null then least(offline_at, now()) end
      where (cabinet.tenant_id, cabinet.id) in (
        select cabinet.tenant_id, cabinet.id from ended
        join cabinet on cabinet.tenant_id = ended.tenant_id and cabinet.id = ended.cabinet_id
          and cabinet.connection_kid = ended.kid
        order by cabinet.tenant_id, cabinet.id
        -- A locked row is skipped; the next run, a second later, closes it.
        for no key update of cabinet skip locked)
      returning cabinet.tenant_id, cabinet.id
    )
    select ended.tenant_id, ended.cabinet_id, cabinet.sn, ended.kid,
      (ended.tenant_id, ended.cabinet_id) in (select tenant_id, id from closed) as is_cut
    from ended join cabinet on cabinet.tenant_id = ended.tenant_id
      and cabinet.id = ended.cabinet_id`);
}
