// Malfunctions of absence: opened after a grace period, for one cabinet or its whole store, and
// recovered automatically.

import {
  OUTAGE_SEVERITY,
  severityOfKind,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { AbsenceReports } from "../../link/device/index.ts";
import { type CabinetKey, recover, report } from "./malfunction.service.ts";
import {
  absenceText,
  findOutage,
  judgeOutage,
  NOTIFY_AFTER_SECONDS,
  outageText,
  restText,
} from "./outage.rules.ts";
import {
  type AbsentCabinet,
  absencesOver,
  endAbsences,
  endOutage,
  findCabinetsOfStores,
  findOpenOutages,
  findUnreportedAbsences,
  joinOutage,
  markNotified,
  type OpenOutage,
  outageOver,
  type StoreKey,
  saveOutage,
} from "./outage.sql.ts";

export const absenceReports: AbsenceReports = {
  async sweep(db) {
    const ended = await endAbsences(db);
    if (ended.length > 0) await recover(db, absencesOver(ended, "设备恢复在线"));
    const absences = await findUnreportedAbsences(db, NOTIFY_AFTER_SECONDS);
    const open: OpenOutage[] = [];
    for (const outage of await findOpenOutages(db)) {
      if (!(await follow(db, outage))) open.push(outage);
    }
    if (absences.length > 0) await notifyOutages(db, absences, open);
    return [...ended, ...absences];
  },
};

const keyOf = ({ tenantId, storeId }: StoreKey) => `${tenantId} ${storeId}`;

async function notifyOutages(
  db: Db,
  absences: readonly AbsentCabinet[],
  outages: readonly OpenOutage[],
): Promise<void> {
  const inStores = absences.flatMap(({ storeId, ...key }) =>
    storeId === null ? [] : [{ ...key, storeId }],
  );
  const notified = new Set<number>();
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
    const { tenantId } = store;
    const taken = members.map((cabinetId) => ({ tenantId, cabinetId }));
    await recover(db, absencesOver(taken, `并入门店断网 #${id}`, id));
    for (const cabinetId of members) notified.add(cabinetId);
  }
  const alone = absences.filter(({ cabinetId }) => !notified.has(cabinetId));
  await openAbsences(db, alone, absenceText);
}

const absence = {
  kind: "OFFLINE",
  compartmentNo: null,
  source: "DEVICE",
  reporterName: "",
  count: 1,
} as const;

/** Opens one malfunction per absent cabinet. */
async function openAbsences(
  db: Db,
  cabinets: readonly CabinetKey[],
  description: string,
): Promise<void> {
  if (cabinets.length === 0) return;
  const severity = severityOfKind.OFFLINE;
  await report(
    db,
    cabinets.map(({ tenantId, cabinetId }) => ({
      ...{ ...absence, tenantId, cabinetId, storeId: null, severity, description },
    })),
  );
  await markNotified(db, cabinets);
}

async function begin(db: Db, { tenantId, storeId }: StoreKey, total: number): Promise<number> {
  const description = outageText({ total, back: 0 });
  const severity = OUTAGE_SEVERITY;
  const [opened] = await report(db, [
    { ...absence, tenantId, cabinetId: null, storeId, severity, description },
  ]);
  if (!opened) throw new Error("an outage of this store is open already");
  return opened.id;
}

/** True if the outage is over. */
async function follow(db: Db, outage: OpenOutage): Promise<boolean> {
  const step = judgeOutage(outage, outage.lineBackMs, outage.nowMs);
  if (step.do !== "WAIT") {
    const rest = await endOutage(db, outage);
    await recover(db, outageOver(outage, outageText(outage)));
    await openAbsences(db, rest, restText);
    return true;
  }
  const now = { description: outageText(outage), lineBackMs: step.lineBackMs };
  const isSame = now.description === outage.description && now.lineBackMs === outage.lineBackMs;
  if (!isSame) await saveOutage(db, outage, now);
  return false;
}
