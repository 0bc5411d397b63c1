// Rows of cabinets and stores, and their audit entries, for tests on the real database.
import { randomBytes } from "node:crypto";
import type { Connectivity, Lifecycle } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type {
  AdminState,
  DoorState,
  ItemState,
  Occupancy,
  Size,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { TestServer } from "./test-server.ts";

export interface CellFixture {
  /** Small by default. */
  size?: Size;
  adminState?: AdminState;
  occupancy?: Occupancy;
  doorFront?: DoorState;
  item?: ItemState;
}

export interface CabinetFixture {
  tenantId: number;
  storeId?: number | null;
  name?: string;
  side?: Side;
  lifecycle?: Lifecycle;
  connectivity?: Connectivity;
  /** True by default. */
  hasItemSensors?: boolean;
  /** Numbered from 1; enabled, free, closed and empty by default. */
  cells?: CellFixture[];
}

export interface MadeCabinet {
  id: number;
  sn: string;
  tenantId: number;
}

const SECONDS_TO_OFFLINE = { ONLINE: 3600, CONNECTING: 3600, OFFLINE: -3600, NEVER: null } as const;

export async function makeCabinet(
  testServer: TestServer,
  fixture: CabinetFixture,
): Promise<MadeCabinet> {
  const { tenantId, side = "SINGLE", connectivity = "ONLINE", hasItemSensors = true } = fixture;
  const sn = `TEST${randomBytes(5).toString("hex").toUpperCase()}`;
  const seconds = SECONDS_TO_OFFLINE[connectivity];
  const cells = (fixture.cells ?? [{}, {}, {}]).map((cell, index) => ({
    no: index + 1,
    size: cell.size ?? "S",
    admin_state: cell.adminState ?? "ENABLED",
    occupancy: cell.occupancy ?? "FREE",
    door_front: cell.doorFront ?? "CLOSED",
    item: cell.item ?? (hasItemSensors ? "EMPTY" : "UNKNOWN"),
  }));
  return testServer.database.transaction("platform", async (db) => {
    const model = await db.one<{ id: number }>(sql`
      insert into cabinet_model (name, side, layout, capabilities)
      values (${`类型 ${side}${hasItemSensors ? "" : " 无传感器"}`}, ${side}, '[]',
        ${["OPEN", "REBOOT", "RESYNC", "CONFIG", ...(hasItemSensors ? ["ITEM_SENSOR"] : [])]})
      on conflict (name) do update set side = excluded.side returning id`);
    const cabinet = await db.one<{ id: number }>(sql`
      insert into cabinet (tenant_id, sn, name, model_id, store_id, lifecycle, last_seen_at,
        offline_at, announced_connectivity, is_greeted)
      values (${tenantId}, ${sn}, ${fixture.name ?? `柜 ${sn}`}, ${model.id},
        ${fixture.storeId ?? null}, ${fixture.lifecycle ?? "ACTIVE"},
        case when ${seconds}::int is not null then now() end,
        now() + make_interval(secs => ${seconds}::int),
        ${connectivity === "CONNECTING" ? "ONLINE" : connectivity}, ${connectivity === "ONLINE"})
      returning id`);
    await db.run(sql`
      insert into compartment (tenant_id, cabinet_id, no, size, board_address, layout_column,
        layout_row, admin_state, occupancy, occupied_since, door_front, door_back, item)
      select ${tenantId}, ${cabinet.id}, no, size, '01-' || no, 1, no, admin_state, occupancy,
        case when occupancy = 'OCCUPIED' then now() - interval '1 hour' end, door_front,
        case when ${side} = 'DOUBLE' then 'CLOSED' end, item
      from json_populate_recordset(null::compartment, ${JSON.stringify(cells)})`);
    return { id: cabinet.id, sn, tenantId };
  });
}

/** Inserts a store with these maintenance accounts as its caretakers. */
export async function makeStore(
  testServer: TestServer,
  tenantId: number,
  operatorIds: number[] = [],
): Promise<number> {
  const code = randomBytes(4).toString("hex");
  return testServer.database.transaction("platform", async (db) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into store (tenant_id, name, code, address)
      values (${tenantId}, ${`门店 ${code}`}, ${code}, '学林街 16 号') returning id`);
    await db.run(sql`
      insert into operator_store (tenant_id, operator_id, store_id)
      select ${tenantId}, unnest(${operatorIds}::bigint[]), ${id}`);
    return id;
  });
}

export interface AuditRow {
  call: string;
  target: string | null;
  reason: string | null;
  before: unknown;
  after: unknown;
  actorName: string;
}

/** Audit entries of a tenant, oldest first. */
export function findAudit(testServer: TestServer, tenantId: number): Promise<AuditRow[]> {
  return testServer.database.read({ tenantId }, (db) =>
    db.many(sql`select call, target, reason, before, after, actor_name from audit_log order by id`),
  );
}
