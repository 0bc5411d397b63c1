// Columns of the cabinet list, with the cells for doors, signal and settings.

import type { Cabinet, cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  connectivityText,
  lifecycleText,
  storeOutageText,
} from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { serviceStateText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { configSync } from "@cabinet/contract/fleet/cabinet/config-sync.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { ServiceStatus } from "../../../domain/cabinet/cabinet-service.tsx";
import { ConnectivityStatus, LifecycleStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Age, Status } from "../../../ui/display/status.tsx";
import { CellText } from "../../../ui/list/data-table.tsx";
import { timeLinesWidth } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import { configText, countsText, otherCount, signalBars } from "./cabinet-display.rules.ts";
import "./cabinet-columns.css";

type CabinetColumn = ColumnOf<typeof cabinetContract.list>;

const nameColumn: CabinetColumn = { key: "name", title: "设备名称", width: 180, sort: "name" };

export const cabinetColumns: CabinetColumn[] = [
  nameColumn,
  tenantColumn(96),
  { key: "sn", title: "编号", width: 132, keepsEnd: true, sort: "sn" },
  {
    key: "connectivity",
    title: "在线",
    width: 100,
    value: connectivityLine,
    render: (row) => <CabinetConnectivity cabinet={row} />,
  },
  {
    key: "compartments",
    title: "空闲 / 占用 / 故障",
    width: 172,
    value: (row) => countsText(row.compartments),
    render: (row) => <CompartmentBar counts={row.compartments} />,
    exports: [
      { header: "格口总数", width: 10, value: (row) => row.compartments.total },
      { header: "空闲", width: 10, value: (row) => row.compartments.free },
      { header: "占用", width: 10, value: (row) => row.compartments.occupied },
      { header: "故障", width: 10, value: (row) => row.compartments.faulty },
    ],
  },
  { key: "store", title: "门店", width: 124, value: (row) => row.storeName },
  {
    key: "lastSeenAt",
    title: "最近心跳",
    ...timeLinesWidth,
    sort: "lastSeenAt",
    value: (row) => row.lastSeenAt && formatDateTime(row.lastSeenAt),
    render: (row) => (
      <span className="ui-cell-lines">
        <Age time={row.lastSeenAt} />
      </span>
    ),
  },
  {
    key: "lifecycle",
    title: "运营状态",
    width: 88,
    value: (row) => lifecycleText[row.lifecycle],
    render: (row) => <LifecycleStatus of={row.lifecycle} />,
  },
  {
    key: "service",
    title: "服务状态",
    width: 98,
    value: (row) => serviceStateText[row.service.state],
    render: (row) => <ServiceStatus service={row.service} />,
    exports: [
      { header: "服务状态", width: 10, value: (row) => serviceStateText[row.service.state] },
      { header: "服务到期日", width: 14, format: "date", value: (row) => row.service.endsOn },
    ],
  },
  { key: "model", isSecondary: true, title: "型号", width: 132, value: (row) => row.modelName },
  {
    key: "side",
    isSecondary: true,
    title: "单双面",
    width: 72,
    value: (row) => sideText[row.side],
  },
  {
    key: "signal",
    isSecondary: true,
    title: "信号",
    width: 104,
    value: (row) => row.signalDbm,
    render: (row) => <Signal dbm={row.signalDbm} />,
    exports: [{ header: "信号（dBm）", width: 12, value: (row) => row.signalDbm }],
  },
  { key: "appVersion", isSecondary: true, title: "程序版本", width: 92 },
  {
    key: "config",
    title: "配置同步",
    width: 208,
    exportWidth: 24,
    value: configText,
    render: (row) => <ConfigStatus cabinet={row} />,
  },
];

function connectivityLine({ connectivity, storeOutage }: Cabinet): string {
  const text = connectivityText[connectivity];
  return storeOutage ? `${text}（${storeOutageText(storeOutage)}）` : text;
}

/** Adds 门店断网 if the outage affects the whole store, not just this cabinet. */
function CabinetConnectivity({ cabinet }: { cabinet: Cabinet }) {
  return (
    <span className="cabinet-connectivity">
      <ConnectivityStatus of={cabinet.connectivity} />
      {cabinet.storeOutage && <small title={storeOutageText(cabinet.storeOutage)}>门店断网</small>}
    </span>
  );
}

export function ConfigStatus({ cabinet }: { cabinet: Cabinet }) {
  const text = configText(cabinet);
  return (
    <Status tone={configSync(cabinet).state === "SAME" ? "good" : "doubtful"} title={text}>
      {text}
    </Status>
  );
}

export function CompartmentBar({ counts }: { counts: Cabinet["compartments"] }) {
  const parts = [
    ["free", counts.free],
    ["occupied", counts.occupied],
    ["faulty", counts.faulty],
    ["other", otherCount(counts)],
  ] as const;
  return (
    <span className="cabinet-doors" title={countsText(counts)}>
      <span className="cabinet-doors-bar" aria-hidden="true">
        {parts.map(([name, count]) => (
          <i key={name} data-part={name} style={{ flexGrow: count }} />
        ))}
      </span>
      <span>
        {counts.free} / {counts.occupied} / <b data-none={counts.faulty === 0}>{counts.faulty}</b>
      </span>
    </span>
  );
}

export function Signal({ dbm }: { dbm: number | null }) {
  if (dbm === null) return <CellText>{null}</CellText>;
  const bars = signalBars(dbm);
  return (
    <span className="cabinet-signal" title={`${dbm} dBm`}>
      <span className="cabinet-signal-bars" data-bars={bars} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </span>
      {dbm}
    </span>
  );
}
