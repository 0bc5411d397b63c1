// How the facts of a cabinet read at a glance: signal bars, config drift, what is in its doors.
import type { Cabinet } from "@cabinet/contract/cabinet/cabinet.contract.ts";

/** 0–4 bars; usual limits of mobile networks. */
export function signalBars(dbm: number): number {
  return [-105, -95, -85, -70].filter((limit) => dbm >= limit).length;
}

type Versions = Pick<Cabinet, "desiredConfigVersion" | "reportedConfigVersion">;

export function isConfigInSync({ desiredConfigVersion, reportedConfigVersion }: Versions): boolean {
  return reportedConfigVersion === desiredConfigVersion;
}

/** `一致 v3`, `待同步 v2 → v3`, `待同步 v3（设备未上报）` */
export function configText(versions: Versions): string {
  const { desiredConfigVersion: desired, reportedConfigVersion: reported } = versions;
  if (isConfigInSync(versions)) return `一致 v${desired}`;
  return reported === null
    ? `待同步 v${desired}（设备未上报）`
    : `待同步 v${reported} → v${desired}`;
}

type Counts = Cabinet["compartments"];

/** Reserved, or a door stands open: neither free nor occupied nor faulty. */
export function otherCount({ total, free, occupied, faulty }: Counts): number {
  return Math.max(0, total - free - occupied - faulty);
}

export function countsText(counts: Counts): string {
  const other = otherCount(counts);
  const parts = [`空闲 ${counts.free}`, `占用 ${counts.occupied}`, `故障 ${counts.faulty}`];
  if (other > 0) parts.push(`其他（预约或门未关）${other}`);
  return `${parts.join("，")}，共 ${counts.total} 格`;
}
