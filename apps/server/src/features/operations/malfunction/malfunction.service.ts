// Opens and recovers malfunctions from any source: stores them once and sends notifications,
// webhooks and live updates.

import type { MalfunctionEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { severityOfKind } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import type { WebhookData } from "@cabinet/contract/webhook-events.ts";
import type { Db } from "../../../platform/db/db.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { enqueueNotices } from "../../messaging/maintenance-message/index.ts";
import { publishEvent } from "../../messaging/webhook/index.ts";
import { findPublished } from "./malfunction.sql.ts";
import {
  compartmentsOver,
  insertEvents,
  type MalfunctionAt,
  type NewMalfunction,
  openMalfunctions,
  type Place,
  type Recovery,
  recoverMalfunctions,
} from "./malfunction-progress.sql.ts";
import { attachPhotos } from "./photo.service.ts";

export interface CabinetKey {
  tenantId: number;
  cabinetId: number;
}

/** A malfunction with the timeline event of this report. */
export interface Noted extends MalfunctionAt {
  eventId: number;
  isNew: boolean;
}

/**
 * Opens malfunctions or counts up the open ones, and enqueues notifications of the new ones. Returns
 * the new ones and those that a person reported again.
 */
export async function report(db: Db, rows: readonly NewMalfunction[]): Promise<Noted[]> {
  if (rows.length === 0) return [];
  const opened = await openMalfunctions(db, rows);
  const reports = new Map(rows.map((row) => [placeOf(row), row]));
  const noted = opened.filter((at) => at.isNew || reports.get(placeOf(at))?.source === "PERSON");
  const eventIds = await insertEvents(
    db,
    noted.map((at) => {
      const { tenantId, id, isNew } = at;
      const from = reports.get(placeOf(at));
      const words = { actorName: from?.reporterName ?? "", text: from?.description ?? "" };
      const said = { tenantId, id, endUserId: from?.endUserId, ...words };
      return isNew
        ? { ...said, kind: "REPORTED", toState: "CREATED" }
        : { ...said, kind: "REPEATED" };
    }),
  );
  const reported = noted.map((at, index) => ({ ...at, eventId: eventIds[index] ?? 0 }));
  const fresh = reported.filter(({ isNew }) => isNew);
  await enqueueNotices(db, fresh);
  await publish(db, fresh, "malfunction.created");
  await announce(db, opened);
  return reported;
}

const placeOf = (at: Place) =>
  [at.tenantId, at.cabinetId, at.storeId, at.compartmentNo, at.kind].join(" ");

/** Report by a person that something is broken; while the same is open there, it only counts up. */
export async function reportMalfunction(
  db: Db,
  cabinet: CabinetKey,
  compartmentNo: number,
  kind: MalfunctionKind,
  description: string,
  reporterName: string,
): Promise<void> {
  const { tenantId, cabinetId } = cabinet;
  const severity = severityOfKind[kind];
  await report(db, [
    {
      ...{ tenantId, cabinetId, storeId: null, compartmentNo, kind, severity },
      ...{ source: "PERSON", description, reporterName, count: 1 },
    },
  ]);
}

/** Fault at a compartment that follows from a cabinet's reports; while the same is open there, it only counts up. */
export async function reportDeviceFault(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  compartmentNo: number,
  kind: MalfunctionKind,
  description: string,
): Promise<void> {
  const place = { tenantId, cabinetId, storeId: null, compartmentNo, kind };
  const words = { source: "DEVICE", description, reporterName: "", count: 1 } as const;
  await report(db, [{ ...place, ...words, severity: severityOfKind[kind] }]);
}

/** Report by an app user, with photos that they uploaded. */
export async function reportByEndUser(
  db: Db,
  { endUserId, name }: { endUserId: number; name: string },
  at: Pick<Place, "tenantId" | "compartmentNo" | "kind"> & { cabinetId: number },
  { description, photoIds }: { description: string; photoIds: readonly string[] },
): Promise<{ isRepeated: boolean }> {
  const [noted] = await report(db, [
    {
      ...{ ...at, storeId: null, severity: severityOfKind[at.kind], source: "PERSON" },
      ...{ description, reporterName: name, endUserId, count: 1 },
    },
  ]);
  if (!noted) throw new Error("a person's report has an event");
  await attachPhotos(db, { endUserId }, noted, photoIds);
  return { isRepeated: !noted.isNew };
}

/** Recovers the open malfunctions that match and returns them. */
export async function recover(db: Db, recovery: Recovery): Promise<MalfunctionAt[]> {
  const over = await recoverMalfunctions(db, recovery);
  await publish(db, over, "malfunction.resolved");
  await announce(db, over);
  return over;
}

/** Recovery reported by a person for these compartments. */
export async function recoverCompartments(
  db: Db,
  cabinet: CabinetKey,
  compartmentNos: readonly number[],
  kind: MalfunctionKind,
  text: string,
): Promise<void> {
  await recover(db, compartmentsOver(cabinet, compartmentNos, kind, text));
}

/** Live update: consoles reload the malfunctions of these cabinets. */
export async function announce(db: Db, changed: readonly MalfunctionAt[]): Promise<void> {
  const places = new Map(changed.map((at) => [`${at.tenantId} ${at.cabinetId}`, at]));
  for (const { tenantId, cabinetId } of places.values()) {
    await pushLive(db, { tenantId, topic: "malfunction", cabinetId });
  }
}

/** Publishes webhooks when malfunctions begin, are reopened, or end: once for each time. */
export async function publish(
  db: Db,
  changed: readonly MalfunctionAt[],
  type: MalfunctionEventType,
): Promise<void> {
  if (changed.length === 0) return;
  for (const found of await findPublished(db, changed)) {
    const { tenantId, beganAt, endedAt, outcome, ...state } = found;
    const at = type === "malfunction.created" ? "" : `:${outcome === null ? beganAt : endedAt}`;
    const key = `${state.malfunctionId}${at}`;
    const data: WebhookData = outcome === null ? state : { ...state, outcome };
    await publishEvent(db, { tenantId, appId: null, type, key, data });
  }
}
