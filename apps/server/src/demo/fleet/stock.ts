// Device stock of the demo: origin of each cabinet, and a delivery not yet assigned.
import { randomBytes } from "node:crypto";
import type { StockEventKind } from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import type { PlacedStory } from "../orders/placed-story.ts";
import { Random } from "../random.ts";
import { insertRows, insertRowsReturningIds } from "../rows.sql.ts";
import { DAY, HOUR, MINUTE } from "./cabinet.ts";
import { demoModels } from "./model.ts";

const CODE_DAYS = 90;
const DELIVERED = 24;
const DAMAGED = 2;
/** From an earlier delivery: their activation codes have expired. */
const LEFT_OVER = 4;

const time = (ms: number) => new Date(ms).toISOString();
/** Hash of a code that nobody knows: a new one can be issued in the console. */
const unknownHash = () => `\\x${randomBytes(32).toString("hex")}`;

interface StockEvent {
  sn: string;
  at: number;
  kind: StockEventKind;
  actorName: string;
  detail: string;
}

export interface StockPlan {
  now: number;
  stories: PlacedStory[];
  tenantNames: ReadonlyMap<number, string>;
  modelIds: Map<string, number>;
  /** Name of the platform's staff member. */
  keeper: string;
}

export async function insertStock(db: Db, plan: StockPlan): Promise<void> {
  const events: StockEvent[] = [];
  const rows = [...cabinetsOf(plan, events), ...inStock(plan, events)];
  const ids = await insertRowsReturningIds(db, "device_stock", "sn", rows);
  const idOf = new Map(rows.map(({ sn }, index) => [sn, ids[index]]));
  events.sort((one, other) => one.at - other.at);
  await insertRows(
    db,
    "device_stock_event",
    events.map(({ sn, at, kind, actorName, detail }) => {
      return { stock_id: idOf.get(sn), at: time(at), kind, actor_name: actorName, detail };
    }),
  );
}

function batchOf(at: number): string {
  return `${shanghaiDay(at).slice(0, 7)} 批次`;
}

function rowOf(plan: StockPlan, sn: string, code: string, importedAt: number) {
  return {
    sn,
    model_id: plan.modelIds.get(code),
    batch: batchOf(importedAt),
    remark: "",
    state: "IN_STOCK",
    imported_at: time(importedAt),
    imported_by: plan.keeper,
    owner_tenant_id: null as number | null,
    cabinet_id: null as number | null,
    assigned_at: null as string | null,
    activated_at: null as string | null,
    code_hash: unknownHash() as string | null,
    code_expires_at: time(importedAt + CODE_DAYS * DAY) as string | null,
    claim_hash: null as string | null,
    issued_kid: null as string | null,
    issued_count: 0,
  };
}

/** Assigned devices: activated on the day of their first connection, or still waiting. */
function cabinetsOf(plan: StockPlan, events: StockEvent[]) {
  const { keeper, now } = plan;
  return plan.stories.map(({ cabinet, tenantId, cabinetId }) => {
    const { sn, life } = cabinet;
    const assignedAt = life ? life.from - 20 * HOUR : now - 50 * HOUR;
    const importedAt = assignedAt - 9 * DAY;
    const tenantName = plan.tenantNames.get(tenantId) ?? "";
    const by = { sn, actorName: keeper };
    events.push(
      { ...by, at: importedAt, kind: "IMPORTED", detail: "批量导入" },
      { ...by, at: assignedAt, kind: "ASSIGNED", detail: tenantName },
    );
    if (life) {
      const at = life.from - MINUTE;
      events.push({ sn, at, kind: "ACTIVATED", actorName: "设备", detail: "" });
    }
    return {
      ...rowOf(plan, sn, cabinet.model.code, importedAt),
      state: life ? "ACTIVATED" : "ASSIGNED",
      owner_tenant_id: tenantId,
      cabinet_id: cabinetId,
      assigned_at: time(assignedAt),
      activated_at: life && time(life.from - MINUTE),
      claim_hash: life && unknownHash(),
      issued_count: life ? 1 : 0,
    };
  });
}

/** Unassigned devices: a fresh delivery, a few left over, and some damaged in transport. */
function inStock(plan: StockPlan, events: StockEvent[]) {
  const { keeper, now } = plan;
  const random = new Random(404);
  return Array.from({ length: DELIVERED + LEFT_OVER + DAMAGED }, (_, index) => {
    const { code } = random.pick(demoModels);
    const sn = `ZC26${code}B${String(index + 1).padStart(4, "0")}`;
    const isLeftOver = index >= DELIVERED && index < DELIVERED + LEFT_OVER;
    const isDamaged = index >= DELIVERED + LEFT_OVER;
    const importedAt = isLeftOver ? now - 130 * DAY : now - 2 * DAY - 3 * HOUR;
    const by = { sn, actorName: keeper };
    events.push({ ...by, at: importedAt, kind: "IMPORTED", detail: "批量导入" });
    const row = rowOf(plan, sn, code, importedAt);
    if (!isDamaged) return row;
    events.push({ ...by, at: now - DAY, kind: "SCRAPPED", detail: "运输损坏，柜体变形" });
    return {
      ...row,
      state: "SCRAPPED",
      remark: "到货验收不合格",
      code_hash: null,
      code_expires_at: null,
    };
  });
}
