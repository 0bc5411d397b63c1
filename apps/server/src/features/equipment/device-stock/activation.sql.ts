// Activation in the database: the device's row is locked while the activation is decided.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { CabinetKey } from "../../link/device/index.ts";

export interface ActivatingDevice extends CabinetKey {
  id: number;
  codeHash: Buffer | null;
  claimHash: Buffer | null;
  isExpired: boolean;
  issuedKid: string | null;
  issuedCount: number;
}

/** Serialises concurrent activations of one device. */
export function lockDevice(db: Db, sn: string): Promise<ActivatingDevice | null> {
  return db.maybe(sql`
    select id, owner_tenant_id as tenant_id, cabinet_id, code_hash, claim_hash,
      coalesce(code_expires_at <= now(), false) as is_expired, issued_kid, issued_count
    from device_stock where sn = ${sn} for update`);
}

/**
 * Locks the cabinet too: a first connection with the old secret must not race with a new secret.
 */
export async function lockItsCabinet(
  db: Db,
  device: ActivatingDevice | null,
): Promise<{ isInService: boolean; isSecretUnused: boolean }> {
  const { tenantId = null, cabinetId = null, issuedKid = null } = device ?? {};
  const isOfCabinet = sql`tenant_id = ${tenantId} and cabinet_id = ${cabinetId}`;
  const cabinet = await db.maybe<{ isInService: boolean }>(sql`
    select lifecycle <> 'RETIRED' as is_in_service from cabinet
    where tenant_id = ${tenantId} and id = ${cabinetId} for no key update`);
  const secret = await db.maybe(sql`
    select kid from cabinet_secret
    where ${isOfCabinet} and kid = ${issuedKid} and first_used_at is null`);
  return { isInService: cabinet?.isInService ?? false, isSecretUnused: secret !== null };
}

export async function bindDevice(
  db: Db,
  id: number,
  issue: { claimHash: Buffer; kid: string; count: number },
): Promise<void> {
  await db.run(sql`
    update device_stock set state = 'ACTIVATED', activated_at = coalesce(activated_at, now()),
      claim_hash = ${issue.claimHash}, issued_kid = ${issue.kid}, issued_count = ${issue.count}
    where id = ${id}`);
}

/** One statement that writes nothing for an unknown device. */
export async function insertRefusal(db: Db, sn: string, detail: string): Promise<void> {
  await db.run(sql`
    insert into device_stock_event (stock_id, kind, actor_name, detail)
    select id, 'ACTIVATION_REFUSED', '设备', ${detail} from device_stock where sn = ${sn}`);
}

export interface Layout {
  side: "SINGLE" | "DOUBLE";
  serverTime: number;
  compartments: { no: number; boardAddress: string }[];
}

export function findLayout(db: Db, { tenantId, cabinetId }: CabinetKey): Promise<Layout> {
  return db.one(sql`
    select model.side, floor(extract(epoch from now()) * 1000)::bigint as server_time,
      (select coalesce(json_agg(json_build_object('no', comp.no, 'boardAddress', comp.board_address)
          order by comp.no), '[]')
        from compartment comp where comp.tenant_id = cabinet.tenant_id
          and comp.cabinet_id = cabinet.id) as compartments
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    where cabinet.tenant_id = ${tenantId} and cabinet.id = ${cabinetId}`);
}
