// Malfunctions of absence: after a grace, of one cabinet or of its whole store, and over by themselves.
import type { Db } from "../../platform/db.ts";
import type { AbsenceReports } from "../device/index.ts";
import { tellSoon } from "../maintenance-message/index.ts";
import {
  findOutage,
  judgeOutage,
  outageText,
  restText,
  TELL_AFTER_SECONDS,
} from "./outage.rules.ts";
import {
  type AbsentCabinet,
  endAbsences,
  endOutage,
  findCabinetsOfStores,
  findOpenOutages,
  findUntoldAbsences,
  joinOutage,
  type OpenOutage,
  openAbsences,
  openOutage,
  type StoreKey,
  saveOutage,
} from "./outage.sql.ts";

export const absenceReports: AbsenceReports = {
  async sweep(db) {
    const ended = await endAbsences(db);
    const untold = await findUntoldAbsences(db, TELL_AFTER_SECONDS);
    const open: OpenOutage[] = [];
    for (const outage of await findOpenOutages(db)) {
      if (!(await follow(db, outage))) open.push(outage);
    }
    if (untold.length > 0) await tell(db, untold, open);
    return [...ended, ...untold];
  },
};

const keyOf = ({ tenantId, storeId }: StoreKey) => `${tenantId} ${storeId}`;

async function tell(
  db: Db,
  untold: readonly AbsentCabinet[],
  outages: readonly OpenOutage[],
): Promise<void> {
  const inStores = untold.flatMap(({ storeId, ...key }) =>
    storeId === null ? [] : [{ ...key, storeId }],
  );
  const told = new Set<number>();
  const stores = Map.groupBy(inStores, keyOf);
  const known = new Map(outages.map((outage) => [keyOf(outage), outage]));
  const firsts = [...stores.values()].flatMap(([first]) => first ?? []);
  const rows = firsts.length > 0 ? await findCabinetsOfStores(db, firsts) : [];
  const cabinets = Map.groupBy(rows, keyOf);
  for (const [key, gone] of stores) {
    const goneIds = gone.map(({ cabinetId }) => cabinetId);
    const open = known.get(key);
    const members = open ? goneIds : findOutage(cabinets.get(key) ?? []);
    const [store] = gone;
    if (!store || !members.some((id) => goneIds.includes(id))) continue;
    const id = open?.id ?? (await begin(db, store, members.length));
    await joinOutage(db, { ...store, id }, members);
    for (const cabinetId of members) told.add(cabinetId);
  }
  const alone = untold.filter(({ cabinetId }) => !told.has(cabinetId));
  await tellSoon(db, await openAbsences(db, alone));
}

async function begin(db: Db, store: StoreKey, total: number): Promise<number> {
  const id = await openOutage(db, store, total);
  await tellSoon(db, [{ tenantId: store.tenantId, id }]);
  return id;
}

/** True when the outage is over. */
async function follow(db: Db, outage: OpenOutage): Promise<boolean> {
  const step = judgeOutage(outage, outage.lineBackMs, outage.nowMs);
  if (step.do !== "WAIT") {
    const rest = await endOutage(db, outage);
    await tellSoon(db, await openAbsences(db, rest, restText));
    return true;
  }
  const now = { description: outageText(outage), lineBackMs: step.lineBackMs };
  const isSame = now.description === outage.description && now.lineBackMs === outage.lineBackMs;
  if (!isSame) await saveOutage(db, outage, now);
  return false;
}
