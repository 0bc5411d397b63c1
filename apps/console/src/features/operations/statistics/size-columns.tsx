// Columns of the size report: one row per cabinet and compartment size.
import type {
  CabinetSizeUse,
  statisticsContract,
} from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  fullMinutes,
  fullMinutesADay,
  occupancyShare,
  type SizeVerdict,
  sizeVerdict,
  sizeVerdictText,
  stayText,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatShare } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";

const tones: Record<SizeVerdict, Tone> = {
  SHORT: "bad",
  FIT: "good",
  SPARE: "doubtful",
  UNKNOWN: "quiet",
};

const meanings: Record<SizeVerdict, string> = {
  SHORT: "平均每天满柜 30 分钟以上，可能有用户因此没有存入",
  FIT: "够用，也没有明显闲置",
  SPARE: "同时占用从未超过一半，可以换成更缺的大小",
  UNKNOWN: "采样不足 3 天，暂不判断",
};

const hourText = (hour: number | null) => (hour === null ? "—" : `${hour}:00–${hour + 1}:00`);

export function sizeColumns(isPlatform: boolean): ColumnOf<typeof statisticsContract.sizes>[] {
  return [
    {
      key: "cabinet",
      title: "设备",
      width: 168,
      sort: "cabinet",
      value: (row) => row.cabinetName,
      render: (row) => (
        <Link className="ui-link" to={pathTo("/cupboard/blockManage", { id: row.cabinetId })}>
          {row.cabinetName}
        </Link>
      ),
    },
    { key: "sn", title: "设备编号", width: 132, keepsEnd: true, isSecondary: true },
    ...(isPlatform ? [tenantColumn<CabinetSizeUse>()] : []),
    { key: "store", title: "门店", width: 132, value: (row) => row.storeName ?? "未分配" },
    { key: "size", title: "大小", width: 64, value: (row) => sizeText[row.size] },
    {
      key: "verdict",
      title: "结论",
      width: 88,
      value: (row) => sizeVerdictText[sizeVerdict(row)],
      render: (row) => {
        const verdict = sizeVerdict(row);
        return (
          <Status tone={tones[verdict]} title={meanings[verdict]}>
            {sizeVerdictText[verdict]}
          </Status>
        );
      },
    },
    {
      key: "full",
      title: "每天满柜",
      width: 104,
      align: "right",
      sort: "full",
      value: (row) => fullMinutesADay(row),
      render: (row) => {
        const minutes = fullMinutesADay(row);
        return minutes ? stayText(minutes) : "—";
      },
      exports: [{ header: "每天满柜（分钟）", width: 16, value: (row) => fullMinutesADay(row) }],
    },
    {
      key: "fullTotal",
      title: "合计满柜",
      width: 104,
      align: "right",
      value: (row) => fullMinutes(row),
      render: (row) => (row.fullSamples > 0 ? stayText(fullMinutes(row)) : "—"),
      exports: [{ header: "合计满柜（分钟）", width: 16, value: (row) => fullMinutes(row) }],
    },
    {
      key: "worst",
      title: "最常满",
      width: 112,
      align: "right",
      value: (row) => hourText(row.worstHour),
    },
    {
      key: "share",
      title: "平均占用率",
      width: 112,
      align: "right",
      sort: "share",
      value: (row) => {
        const share = occupancyShare(row);
        return share === null ? null : Math.round(share * 1_000) / 10;
      },
      render: (row) => formatShare(occupancyShare(row)),
    },
    {
      key: "peak",
      title: "最多同时占用",
      width: 124,
      align: "right",
      sort: "peak",
      value: (row) => `${row.peak} / ${row.compartments}`,
    },
  ];
}
