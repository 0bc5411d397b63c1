// Creates the demo in one transaction: tenants, people, stores, models, cabinets and their history.
import { SHANGHAI_MS } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { Db } from "../platform/db/db.ts";
import { type DemoRecord, updateManagers } from "./demo.sql.ts";
import { type DrawnAdvert, insertAdverts } from "./fleet/advert.ts";
import { DAY, type DemoCabinet, HOUR, planCabinets, type Span } from "./fleet/cabinet.ts";
import { demoModels, MODEL_ROWS, spareModel } from "./fleet/model.ts";
import { insertRollouts, type RolloutContext } from "./fleet/rollout.ts";
import { serviceRows } from "./fleet/service.ts";
import { insertStock } from "./fleet/stock.ts";
import { insertStoreOutage } from "./fleet/store-outage.ts";
import { insertAnnouncements } from "./messaging/announcement.ts";
import { insertFaqs } from "./messaging/faq.ts";
import { insertMaintenanceRules } from "./messaging/maintenance.ts";
import { insertMalfunctionProgress } from "./messaging/malfunction.sql.ts";
import { insertSmsCredit } from "./messaging/sms-credit.ts";
import { templateRows } from "./messaging/template.ts";
import { pricingRows } from "./money/pricing.ts";
import { insertBusiness } from "./orders/business.ts";
import type { PlacedStory } from "./orders/placed-story.ts";
import { writeStory } from "./orders/story.ts";
import { type DemoActor, insertAccounts } from "./organization/account.ts";
import { type DemoStore, demoTenants } from "./organization/place.ts";
import { legalTextRows, settingRows, webPageRows } from "./organization/setting.ts";
import { insertCompanies, insertSmallTenants } from "./organization/tenant.ts";
import { insertRows, insertRowsReturningIds } from "./rows.sql.ts";
import { cabinetRow, commandRows, compartmentRows, eventRows, malfunctionRows } from "./rows.ts";

interface PlacedTenant {
  tenantId: number;
  storeIds: number[];
  actors: DemoActor[];
}

export async function makeDemo(
  db: Db,
  now: number,
  adverts: DrawnAdvert[][],
  firmware: Pick<RolloutContext, "maker" | "images">,
): Promise<DemoRecord> {
  const today = Math.floor((now + SHANGHAI_MS) / DAY) * DAY - SHANGHAI_MS;
  const tenants = await insertTenants(db, now, today);
  const modelIds = await insertModels(db, firmware.maker.publicKey);
  const cabinets = planCabinets(now, today);
  const cabinetIds = await insertRowsReturningIds(
    db,
    "cabinet",
    "sn",
    cabinets.map((cabinet, index) =>
      cabinetRow(cabinet, index, placeOf(cabinet, tenants), modelIds),
    ),
  );
  const stories = writeStories(cabinets, cabinetIds, tenants, today);
  await insertRows(db, "compartment", stories.flatMap(compartmentRows));
  const rules = pricingRows(tenants, stories);
  await insertRows(db, "pricing_rule", rules);
  const errands = await insertBusiness(db, { companies: tenants, stories, rules, now, today });
  await insertRows(
    db,
    "command",
    stories.flatMap((story) => commandRows(story, errands)),
  );
  await insertRows(db, "cabinet_event", eventRows(stories));
  await insertRows(db, "malfunction", malfunctionRows(stories));
  await insertPastOutage(db, stories, tenants, today);
  await insertMalfunctionProgress(db);
  const { services, records } = serviceRows(stories, tenants[0]?.actors[0] as DemoActor, now);
  await insertRows(db, "cabinet_service", services);
  await insertRows(db, "cabinet_service_record", records);
  await insertStock(db, {
    now,
    stories,
    tenantNames: new Map(
      tenants.map(({ tenantId }, nth) => [tenantId, demoTenants[nth]?.name ?? ""]),
    ),
    modelIds,
    keeper: tenants[0]?.actors[0]?.signature ?? "",
  });
  await insertAnnouncements(db, tenants, now);
  await insertFaqs(db, tenants, now);
  const keeper = tenants[0]?.actors[0] as DemoActor;
  const tenantIds = tenants.map(({ tenantId }) => tenantId);
  await insertSmsCredit(db, tenantIds, keeper, now);
  await insertMaintenanceRules(db, tenants.slice(1));
  await insertRows(db, "message_template", templateRows(tenants));
  await insertRollouts(db, { ...firmware, now, stories, keeper, modelIds: [...modelIds.values()] });
  for (const [nth, { tenantId, storeIds, actors }] of tenants.entries()) {
    const place = { tenantId, storeIds, operatorId: actors[1]?.operatorId ?? 0 };
    await insertAdverts(db, adverts[nth] ?? [], place, today);
  }
  return {
    accounts: tenants.flatMap(({ actors }) =>
      actors.map(({ tenantId, operatorId }) => ({ tenantId, operatorId })),
    ),
    simulated: stories
      .filter((story) => story.cabinet.isSimulated)
      .map(({ tenantId, cabinetId, cabinet }) => ({ tenantId, cabinetId, sn: cabinet.sn })),
  };
}

/** The first tenant is the platform, which exists already. */
async function insertTenants(db: Db, now: number, today: number): Promise<PlacedTenant[]> {
  const companyIds = await insertCompanies(db, now, today);
  const placed: PlacedTenant[] = [];
  for (const [nth, tenantId] of [1, ...companyIds].entries()) {
    const stores = demoTenants[nth]?.stores ?? [];
    const storeIds = await insertStores(db, tenantId, stores);
    const actors = await insertAccounts(db, nth, tenantId, storeIds, now);
    const managers = stores.map(({ manager }) => actors[manager]?.operatorId ?? null);
    await updateManagers(db, tenantId, storeIds, managers);
    placed.push({ tenantId, storeIds, actors });
  }
  await insertSmallTenants(db, now, today);
  await insertRows(db, "tenant_setting", settingRows(placed));
  await insertRows(db, "web_page_setting", webPageRows(placed));
  await insertRows(db, "legal_text", legalTextRows(placed, new Date(now - 120 * 86_400_000)));
  return placed;
}

function insertStores(db: Db, tenantId: number, stores: readonly DemoStore[]): Promise<number[]> {
  const rows = stores.map((store) => ({
    tenant_id: tenantId,
    code: store.code,
    name: store.name,
    region: store.region,
    address: store.address,
    longitude: store.longitude,
    latitude: store.latitude,
    opening_hours: store.openingHours,
    contact_name: store.contactName,
    contact_phone: store.contactPhone,
  }));
  return insertRowsReturningIds(db, "store", "code", rows);
}

async function insertModels(db: Db, makerKey: string): Promise<Map<string, number>> {
  const models = [...demoModels, spareModel];
  const ids = await insertRowsReturningIds(
    db,
    "cabinet_model",
    "name",
    models.map((model) => ({
      name: model.name,
      side: model.side,
      vendor: model.vendor,
      capabilities: model.capabilities,
      heartbeat_seconds: model.heartbeatSeconds,
      offline_seconds: model.offlineSeconds,
      remark: model.remark,
      grid_columns: model.columns,
      grid_rows: MODEL_ROWS,
      layout: model.layout,
      maker_public_key: makerKey,
    })),
  );
  return new Map(models.map(({ code }, index) => [code, ids[index] as number]));
}

function placeOf(cabinet: DemoCabinet, tenants: PlacedTenant[]) {
  const { tenantId, storeIds } = tenants[cabinet.tenant] as PlacedTenant;
  const storeId = cabinet.store === null ? null : (storeIds[cabinet.store] ?? null);
  return { tenantId, storeId };
}

/** One store lost its network for a while last week, with all its cabinets. */
const storeOutage = { tenant: 1, store: 3, daysAgo: 6, from: 14.2 * HOUR, to: 15.1 * HOUR };

function isInOutage({ tenant, store }: DemoCabinet): boolean {
  return tenant === storeOutage.tenant && store === storeOutage.store;
}

function outageSpan(today: number): Span {
  const day = today - storeOutage.daysAgo * DAY;
  return { from: day + storeOutage.from, to: day + storeOutage.to };
}

async function insertPastOutage(
  db: Db,
  stories: PlacedStory[],
  tenants: PlacedTenant[],
  today: number,
): Promise<void> {
  const { tenantId, storeIds } = tenants[storeOutage.tenant] as PlacedTenant;
  const storeId = storeIds[storeOutage.store] as number;
  const storeName = demoTenants[storeOutage.tenant]?.stores[storeOutage.store]?.name ?? "";
  const span = outageSpan(today);
  const gone = stories.filter(({ cabinet }) => {
    const { life } = cabinet;
    return isInOutage(cabinet) && life !== null && life.from < span.from && life.to > span.to;
  });
  await insertStoreOutage(db, { tenantId, storeId, storeName }, span, gone);
}

function writeStories(
  cabinets: DemoCabinet[],
  cabinetIds: number[],
  tenants: PlacedTenant[],
  today: number,
): PlacedStory[] {
  const outage = outageSpan(today);
  return cabinets.map((cabinet, index) => {
    const chronicle =
      cabinet.life &&
      writeStory(
        cabinet,
        cabinet.life,
        isInOutage(cabinet) ? outage : null,
        1000 * (index + 1),
        today,
      );
    const { actors } = tenants[cabinet.tenant] as PlacedTenant;
    const cabinetId = cabinetIds[index] as number;
    return { cabinet, ...placeOf(cabinet, tenants), cabinetId, actors, chronicle };
  });
}
