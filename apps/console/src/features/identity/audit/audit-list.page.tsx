// 操作审计: actions in the console with actor and subject, and the integrity check of the log.
import { type AuditEntry, auditContract } from "@cabinet/contract/identity/audit/audit.contract.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { useCall } from "../../../kit/query.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { AuditDetail, actorText } from "./audit-detail.tsx";
import { ChainCheckButton } from "./chain-check.tsx";

const CALLS_STALE_MS = 3_600_000;

function useAuditFilters() {
  const calls = useCall(auditContract.calls, {}, { staleTime: CALLS_STALE_MS, toasts: true });
  return [
    timeRangeFilter(["from", "to"], "时间"),
    textFilter("actor", "操作人", "账号或姓名"),
    choiceFilter(
      "call",
      "操作",
      calls.data?.map(({ call, summary }) => ({ value: call, label: summary })),
    ),
    textFilter("target", "对象", "编号或名称"),
    textFilter("address", "操作地址", "IP 或其前段"),
    textFilter("request", "请求编号", "完整编号"),
  ];
}

const columns: Column<AuditEntry>[] = [
  timeColumn("at", "时间"),
  {
    key: "actor",
    title: "操作人",
    width: 208,
    value: actorText,
  },
  { key: "summary", title: "操作", width: 152 },
  { key: "target", title: "对象", width: 248, exportWidth: 36 },
  { key: "reason", title: "原因", width: 200, exportWidth: 36 },
  tenantColumn(136),
  { key: "address", title: "操作地址", width: 132, isSecondary: true },
  { key: "requestId", title: "请求编号", width: 292, isSecondary: true, exportWidth: 38 },
];

export const prefetch = listPrefetch(auditContract.list);

export default function AuditListPage() {
  const filters = useAuditFilters();
  const { texts } = useListState();
  return (
    <ListPage
      title="操作审计"
      spec={auditContract.list}
      filters={filters}
      columns={columns}
      rowKey={(entry) => entry.id}
      toolbar={<ChainCheckButton tenantId={Number(texts.tenantId) || undefined} />}
      detail={{
        title: (entry) => entry.summary,
        body: (entry) => <AuditDetail key={entry.id} entry={entry} />,
      }}
      emptyHint="在后台所做的每一次新增、修改、删除和操作都会记录在这里"
    />
  );
}
