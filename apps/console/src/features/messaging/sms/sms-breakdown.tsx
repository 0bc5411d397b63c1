// Text messages by scene, and failures by reason.
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { smsResultText } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import type {
  SmsOverview,
  SmsScenarioCounts,
} from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import { successRate } from "@cabinet/contract/messaging/sms/sms-statistics.rules.ts";
import { formatNumber, formatShare } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { EmptyState } from "../../../ui/display/states.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { DataTable } from "../../../ui/list/data-table.tsx";
import "../../../ui/display/bar.css";
import "../../../ui/display/basics.css";
import "../../../ui/display/panel.css";

const number = (
  key: string,
  title: string,
  value: (row: SmsScenarioCounts) => number,
): Column<SmsScenarioCounts> => ({
  key,
  title,
  width: 84,
  align: "right",
  value,
  render: (row) => formatNumber(value(row)),
});

const columns: Column<SmsScenarioCounts>[] = [
  { key: "scene", title: "类型", width: 108, value: (row) => messageScenarioText[row.scene] },
  number("written", "写入", (row) => row.written),
  number("delivered", "已送达", (row) => row.delivered),
  number("failed", "失败", (row) => row.failed),
  {
    key: "rate",
    title: "送达率",
    width: 84,
    align: "right",
    value: (row) => successRate(row),
    render: (row) => formatShare(successRate(row)),
  },
  number("used", "使用条数", (row) => row.usedSegments),
];

export function SmsScenarios({ rows }: { rows: readonly SmsScenarioCounts[] | undefined }) {
  return (
    <section className="ui-panel" aria-label="按类型">
      <header>
        <h2>按类型</h2>
      </header>
      {rows?.length === 0 ? (
        <EmptyState title="这段时间没有短信" hint="用户获取验证码、存入物品后，这里按类型统计" />
      ) : (
        <DataTable
          label="按类型"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.scene}
          expectedRows={4}
        />
      )}
    </section>
  );
}

interface SmsFailuresProps {
  data: SmsOverview | undefined;
  tenantId: number | undefined;
}

export function SmsFailures({ data, tenantId }: SmsFailuresProps) {
  const maySeeList = usePermission("sms:read");
  const failures = data?.failures;
  const most = Math.max(1, ...(failures ?? []).map(({ count }) => count));
  return (
    <section className="ui-panel" aria-label="失败原因" aria-busy={!failures}>
      <header>
        <h2>失败原因</h2>
        {maySeeList && failures !== undefined && failures.length > 0 && (
          <Link className="ui-link" to={pathTo("/smsManage/send", { state: "FAILED", tenantId })}>
            查看失败的短信
          </Link>
        )}
      </header>
      {failures?.length === 0 ? (
        <EmptyState
          title="这段时间没有失败的短信"
          hint="未发出或未送达时，这里列出原因和处理办法"
        />
      ) : (
        <ol className="sms-failures">
          {failures?.map((failure) => (
            <li key={`${failure.carrier} ${failure.resultCode}`}>
              <span>{smsResultText({ ...failure, state: "FAILED" }) || "未说明原因"}</span>
              <b className="sms-failure-count">{formatNumber(failure.count)}</b>
              <progress className="ui-bar" value={failure.count} max={most} aria-hidden="true" />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
