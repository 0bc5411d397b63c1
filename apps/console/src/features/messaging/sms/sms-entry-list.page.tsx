// 条数变动: list of changes of tenants' text message balances, with the balance after each.
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  type SmsCreditEntry,
  smsCreditContract,
} from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import {
  type SmsCreditKind,
  smsCreditKindText,
} from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatNumber } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, choicesOf } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { SmsAccountBar, useSmsAccount } from "./sms-account-bar.tsx";
import "./sms.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  choiceFilter("kind", "类型", choicesOf(smsCreditKindText)),
];

const toneOf: Record<SmsCreditKind, Tone> = {
  RECHARGE: "good",
  REVERSAL: "doubtful",
  USE: "quiet",
};

const columns: Column<SmsCreditEntry>[] = [
  timeColumn("at", "时间"),
  tenantColumn(144),
  {
    key: "kind",
    title: "类型",
    width: 116,
    value: (row) => smsCreditKindText[row.kind],
    render: (row) => <Status tone={toneOf[row.kind]}>{smsCreditKindText[row.kind]}</Status>,
  },
  {
    key: "segments",
    title: "条数",
    width: 104,
    align: "right",
    render: (row) => `${row.segments > 0 ? "+" : ""}${formatNumber(row.segments)}`,
  },
  {
    key: "balanceAfter",
    title: "之后余额",
    width: 112,
    align: "right",
    render: (row) => formatNumber(row.balanceAfter),
  },
  {
    key: "what",
    title: "业务",
    width: 220,
    value: (row) =>
      row.scene ? `${messageScenarioText[row.scene]}短信 ${row.bizId}` : `充值记录 ${row.bizId}`,
  },
];

export const prefetch = listPrefetch(smsCreditContract.entries);

export default function SmsEntryListPage() {
  return (
    <ListPage
      title="短信条数变动"
      heading={
        <>
          <ViewSwitch />
          <SmsAccountBar
            answer={useSmsAccount(Number(useListState().texts.tenantId) || undefined)}
          />
        </>
      }
      spec={smsCreditContract.entries}
      filters={filters}
      columns={columns}
      rowKey={(row) => row.id}
      live="sms"
      emptyHint="充值、撤回与发送短信之后，每一笔变动会显示在这里"
    />
  );
}
