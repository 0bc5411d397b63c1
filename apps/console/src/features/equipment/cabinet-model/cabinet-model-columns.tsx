// Columns of the list of cabinet models.
import type {
  CabinetModel,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { capabilityText } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import { SIZES, sideText, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import { sizesText } from "./layout-drawing.tsx";

export function totalOf({ sizes }: CabinetModel): number {
  return SIZES.reduce((sum, size) => sum + sizes[size], 0);
}

const capabilitiesOf = (row: CabinetModel) =>
  row.capabilities.map((capability) => capabilityText[capability].name).join("、");

export const cabinetModelColumns: ColumnOf<typeof cabinetModelContract.list>[] = [
  { key: "name", title: "名称", width: 160, sort: "name" },
  { key: "side", title: "单双面", width: 68, value: (row) => sideText[row.side] },
  { key: "vendor", title: "厂商", width: 104 },
  {
    key: "total",
    title: "格口数",
    width: 72,
    align: "right",
    value: totalOf,
  },
  {
    key: "sizes",
    title: "大小分布",
    width: 176,
    value: (row) => sizesText(row.sizes),
    exports: SIZES.map((size) => ({
      header: `${sizeText[size]}格（${size}）`,
      width: 10,
      value: (row: CabinetModel) => row.sizes[size],
    })),
  },
  { key: "cabinetCount", title: "使用设备数", width: 104, align: "right", sort: "cabinetCount" },
  {
    key: "heartbeat",
    title: "心跳间隔（秒）",
    width: 116,
    align: "right",
    value: (row) => row.heartbeatSeconds,
  },
  {
    key: "offline",
    title: "离线阈值（秒）",
    width: 116,
    align: "right",
    value: (row) => row.offlineSeconds,
  },
  {
    key: "capabilities",
    isSecondary: true,
    title: "能力",
    width: 240,
    exportWidth: 40,
    value: capabilitiesOf,
  },
  { key: "remark", isSecondary: true, title: "备注", width: 160 },
  timeColumn("updatedAt", "更新时间", { isSecondary: true, sort: "updatedAt" }),
];
