// 操作记录: opening, renewal, adjustment, stop and resumption of cabinet services, with actor and
// reason.
import { serviceActionText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  cabinetServiceContract,
  type ServiceRecord,
} from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link } from "../../../kit/paths.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { changeText, periodText } from "./service-record.rules.ts";
import "../../../ui/display/basics.css";
import "../../../domain/cabinet/log-heading.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  textFilter("keyword", "设备", "输入编号或名称"),
  choiceFilter("action", "操作", choicesOf(serviceActionText)),
  textFilter("actorName", "操作人"),
];

const actionTone: Record<ServiceRecord["action"], Tone> = {
  OPENED: "good",
  RENEWED: "good",
  ADJUSTED: "doubtful",
  STOPPED: "bad",
  RESUMED: "good",
};

const columns: Column<ServiceRecord>[] = [
  timeColumn("at", "时间"),
  {
    key: "action",
    title: "操作",
    width: 100,
    value: (record) => serviceActionText[record.action],
    render: (record) => (
      <Status tone={actionTone[record.action]}>{serviceActionText[record.action]}</Status>
    ),
  },
  { key: "cabinet", title: "设备名称", width: 172, value: (record) => record.cabinetName },
  {
    key: "sn",
    isSecondary: true,
    title: "设备编号",
    width: 140,
    keepsEnd: true,
    value: (row) => row.cabinetSn,
  },
  { key: "tenant", title: "租户", width: 120, value: (record) => record.tenantName },
  { key: "change", title: "变更", width: 276, exportWidth: 44, value: changeText },
  { key: "actor", title: "操作人", width: 200, value: (record) => record.actorName },
  { key: "reason", title: "原因", width: 168, exportWidth: 30 },
];

export const prefetch = listPrefetch(cabinetServiceContract.records);

export default function ServiceRecordPage() {
  const { texts, filter } = useListState();
  const isOfOne = Boolean(texts.cabinetId);
  return (
    <ListPage
      title="操作记录"
      heading={
        <header className="log-heading">
          <h2>操作记录</h2>
          {isOfOne && (
            <button type="button" className="ui-link" onClick={() => filter({ cabinetId: "" })}>
              查看全部设备
            </button>
          )}
          <Link className="ui-link log-back" to="/register/cabinetService">
            返回设备服务
          </Link>
        </header>
      }
      spec={cabinetServiceContract.records}
      filters={filters}
      columns={columns}
      rowKey={(record) => record.id}
      detail={{
        title: (record) => `${serviceActionText[record.action]}：${record.cabinetName}`,
        body: (record) => <RecordDetail record={record} />,
      }}
      emptyHint="开通、续期、停止和恢复服务会记录在这里"
    />
  );
}

function RecordDetail({ record }: { record: ServiceRecord }) {
  const stateText = (isStopped: boolean) => (isStopped ? "已停止" : "未停止");
  return (
    <>
      <DrawerSection title="变更">
        <Facts
          facts={[
            ["操作", serviceActionText[record.action]],
            ["原服务期", periodText(record.before)],
            ["新服务期", periodText(record.after)],
            ["原状态", stateText(record.before.isStopped)],
            ["新状态", stateText(record.after.isStopped)],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="详情">
        <Facts
          facts={[
            ["设备名称", record.cabinetName],
            ["设备编号", record.cabinetSn],
            ["租户", record.tenantName],
            ["操作人", record.actorName],
            ["原因", record.reason],
            ["时间", formatDateTime(record.at)],
          ]}
        />
      </DrawerSection>
    </>
  );
}
