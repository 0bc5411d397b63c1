// Short texts for a cabinet: signal bars, state of its settings, counts of its compartments.
import type { Cabinet } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { invalidReadingText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { configSync } from "@cabinet/contract/fleet/cabinet/config-sync.rules.ts";

/** 0–4 bars; usual limits of mobile networks. */
export function signalBars(dbm: number): number {
  return [-105, -95, -85, -70].filter((limit) => dbm >= limit).length;
}

type Settings = Parameters<typeof configSync>[0];

/** Formats as `一致 v3`, `待同步 v2 → v3`, `待同步 v3（设备未上报）`, `不一致 v3：音量` or `部分未上报 v3：音量`. */
export function configText(settings: Settings): string {
  const { desiredConfigVersion: desired, reportedConfigVersion: reported } = settings;
  const { state, differing, unreported } = configSync(settings);
  if (state === "SAME") return `一致 v${desired}`;
  if (state === "DIFFERS") return `不一致 v${desired}：${differing.join("、")}`;
  if (state === "UNREPORTED") return `部分未上报 v${desired}：${unreported.join("、")}`;
  return reported === null
    ? `待同步 v${desired}（设备未上报）`
    : `待同步 v${reported} → v${desired}`;
}

/** Text above 同步配置: the difference and the next step. */
export function configStep(cabinet: Settings & Pick<Cabinet, "connectivity">): string {
  const { state, differing, unreported } = configSync(cabinet);
  const isOnline = cabinet.connectivity === "ONLINE";
  if (state === "SAME") return "设备上报的参数与期望一致。";
  if (state === "PENDING") {
    return isOnline
      ? "参数已下发，等待设备确认；长时间未一致请重新同步。"
      : "设备不在线：参数已保存，设备上线后自动下发。";
  }
  const parts: string[] = [];
  if (differing.length > 0) parts.push(`与期望不一致：${differing.join("、")}，请重新同步。`);
  if (unreported.length > 0) parts.push(`设备未上报：${unreported.join("、")}，无法确认是否生效。`);
  return parts.join("");
}

type Counts = Cabinet["compartments"];

/** Reserved compartments and those with an open door: neither free nor occupied nor faulty. */
export function otherCount({ total, free, occupied, faulty }: Counts): number {
  return Math.max(0, total - free - occupied - faulty);
}

export function countsText(counts: Counts): string {
  const other = otherCount(counts);
  const parts = [`空闲 ${counts.free}`, `占用 ${counts.occupied}`, `故障 ${counts.faulty}`];
  if (other > 0) parts.push(`其他（预约或门未关）${other}`);
  return `${parts.join("，")}，共 ${counts.total} 格`;
}

/** Readings that are ignored because the cabinet reports invalid values. */
export const invalidReadingTexts = (fields: readonly string[] = []): string[] =>
  fields.map(invalidReadingText);
