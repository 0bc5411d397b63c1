// 发送记录: maintenance notices with recipient, read state and text message delivery.
import {
  type MaintenanceNotice,
  maintenanceMessageContract,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  type NoticeSmsState,
  noticeSmsText,
  noticeStepText,
  ruleKindText,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  choiceFilter("step", "类型", choicesOf(noticeStepText)),
  choiceFilter("kind", "故障类型", choicesOf(ruleKindText)),
  textFilter("operator", "接收人"),
  choiceFilter("smsState", "短信", choicesOf(noticeSmsText)),
];

const smsTone: Record<NoticeSmsState, Tone> = {
  NONE: "quiet",
  WAITING: "waiting",
  QUEUED: "good",
  NO_PHONE: "doubtful",
  CAPPED: "doubtful",
  MOOT: "quiet",
};

function consoleText({ byConsole, readAt }: MaintenanceNotice): string {
  if (!byConsole) return "不提醒";
  return readAt ? `已看（${formatDateTime(readAt).slice(5, 16)}）` : "未看";
}

function smsText({ smsState, smsDueAt }: MaintenanceNotice): string {
  return smsDueAt ? `${formatDateTime(smsDueAt).slice(5, 16)} 发出` : noticeSmsText[smsState];
}

const columns: Column<MaintenanceNotice>[] = [
  timeColumn("createdAt", "时间"),
  { key: "step", title: "类型", width: 96, value: ({ step }) => noticeStepText[step] },
  { key: "kind", title: "故障类型", width: 104, value: ({ kind }) => ruleKindText[kind] },
  {
    key: "place",
    title: "位置",
    width: 248,
    exportWidth: 36,
    render: (notice) => <Place notice={notice} />,
  },
  { key: "operator", title: "接收人", width: 112, value: ({ operatorName }) => operatorName },
  {
    key: "console",
    title: "后台提醒",
    width: 172,
    value: consoleText,
    render: (notice) => <CellText>{consoleText(notice)}</CellText>,
  },
  {
    key: "sms",
    title: "短信",
    width: 192,
    value: smsText,
    render: (notice) => <Status tone={smsTone[notice.smsState]}>{smsText(notice)}</Status>,
  },
];

function Place({ notice }: { notice: MaintenanceNotice }) {
  const maySee = usePermission("malfunction:read");
  const { malfunctionId } = notice;
  if (!maySee || malfunctionId === null) return <CellText>{notice.place}</CellText>;
  return (
    <Link
      className="ui-link"
      to={pathTo("/malfunction/incident", { id: malfunctionId })}
      title="查看故障"
    >
      {notice.place}
    </Link>
  );
}

export const prefetch = listPrefetch(maintenanceMessageContract.notices);

export default function MaintenanceNoticeListPage() {
  return (
    <ListPage
      title="维护消息发送记录"
      heading={<ViewSwitch />}
      spec={maintenanceMessageContract.notices}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      detail={{
        title: ({ step, operatorName }) => `${noticeStepText[step]}：${operatorName}`,
        body: (notice) => (
          <DrawerSection title="详情">
            <Facts
              facts={[
                ["类型", noticeStepText[notice.step]],
                ["故障类型", ruleKindText[notice.kind]],
                ["位置", <Place key="place" notice={notice} />],
                ["说明", notice.detail || null],
                ["租户", notice.tenantName],
                ["接收人", notice.operatorName],
                ["后台提醒", consoleText(notice)],
                ["短信", smsText(notice)],
                ["通知时间", formatDateTime(notice.createdAt)],
              ]}
            />
          </DrawerSection>
        ),
      }}
      emptyHint="发生故障或发送测试消息后，记录会显示在这里"
    />
  );
}
