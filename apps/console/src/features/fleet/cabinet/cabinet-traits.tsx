// Read-only properties of a cabinet from its model and its own reports.

import {
  type Capability,
  capabilityText,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { type DescriptionItem, Facts } from "../../../ui/display/detail-drawer.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { Signal } from "./cabinet-columns.tsx";
import { countsText, invalidReadingTexts } from "./cabinet-display.rules.ts";
import "./cabinet-detail.css";

/** Unknown words are shown as they are: a model may be newer than this version. */
export function capabilitiesText(words: readonly string[]): string | null {
  const names = words.map((word) => capabilityText[word as Capability]?.name ?? word);
  return names.length > 0 ? names.join("、") : null;
}

/** One row that says which readings are ignored; none while all are valid. */
export function readingFacts(fields?: readonly string[]): DescriptionItem[] {
  const texts = invalidReadingTexts(fields);
  if (texts.length === 0) return [];
  return [
    [
      "读数异常",
      <span key="v" className="cabinet-readings">
        {texts.map((text) => (
          <Status key={text} tone="doubtful">
            {text}
          </Status>
        ))}
      </span>,
    ],
  ];
}

export function CabinetTraits({ cabinet }: { cabinet: CabinetDetail }) {
  const isPlatform = useIsPlatform();
  const { temperatureC, clockSkewSeconds } = cabinet;
  const facts: (DescriptionItem | false)[] = [
    ["编号", cabinet.sn],
    isPlatform && ["租户", cabinet.tenantName],
    ["型号", `${cabinet.modelName}（${sideText[cabinet.side]}）`],
    ["厂商", cabinet.modelVendor || null],
    ["能力", capabilitiesText(cabinet.modelCapabilities)],
    ["格口", countsText(cabinet.compartments)],
    ["程序版本", cabinet.appVersion],
    ["最近心跳", <Age key="v" time={cabinet.lastSeenAt} />],
    ["信号", <Signal key="v" dbm={cabinet.signalDbm} />],
    ["柜内温度", temperatureC === null ? null : `${temperatureC} ℃`],
    ["设备时钟偏差", clockSkewSeconds === null ? null : `${clockSkewSeconds} 秒`],
    ...readingFacts(cabinet.invalidReadings),
    ["登记时间", formatDateTime(cabinet.createdAt)],
    [
      "最近修改",
      cabinet.editedAt ? `${formatDateTime(cabinet.editedAt)}，${cabinet.editedBy}` : "未修改过",
    ],
  ];
  return (
    <PageCard title="设备信息">
      <Facts facts={facts.filter((fact) => fact !== false)} />
    </PageCard>
  );
}
