// Newest reconciliation run above the list of differences, polled until it ends.
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { useEffect, useState } from "react";
import { formatNumber } from "../../../kit/format.ts";
import { invalidate, useCall } from "../../../kit/query.ts";
import { Age } from "../../../ui/display/status.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { BillStatus, isRunning, RunStatus, scopeText } from "./run-text.tsx";
import "../../../ui/display/basics.css";
import "./payment.css";

const POLL_MS = 1_500;

export function LastRun() {
  const { texts, filter } = useListState();
  const tenantId = Number(texts.tenantId) || undefined;
  const ofTenant = { page: 1, pageSize: 10, ...(tenantId && { tenantId }) };
  const [isFollowing, setIsFollowing] = useState(false);
  const { data, error, refetch } = useCall(
    reconciliationContract.runs,
    { query: ofTenant },
    { refetchInterval: isFollowing ? POLL_MS : false },
  );
  const differences = useCall(reconciliationContract.differences, {
    query: { ...ofTenant, state: "OPEN" },
  });
  const open = differences.data?.total ?? 0;
  const isOpen = data?.list.some(isRunning) ?? false;
  if (isOpen !== isFollowing) setIsFollowing(isOpen);
  useEffect(() => {
    // Refetch the differences when the run ends.
    if (isFollowing) return () => void invalidate(reconciliationContract.differences);
  }, [isFollowing]);
  const run = data?.list[0];
  if (!data && error) {
    return (
      <p className="reconciliation-last" role="alert">
        最近一次对账加载失败
        <button type="button" className="ui-link" onClick={() => void refetch()}>
          重试
        </button>
      </p>
    );
  }
  // Its place is kept: the list below must not move.
  if (!data || differences.isPending) return <p className="reconciliation-last">&nbsp;</p>;
  if (!run) return <p className="reconciliation-last">暂无对账记录，每天 02:30 自动核对前一天</p>;
  return (
    <p className="reconciliation-last">
      <span>
        最近一次对账：<b>{run.day}</b>
      </span>
      <RunStatus run={run} open={open} />
      {open > 0 && (
        <button type="button" className="ui-link" onClick={() => filter({ state: "OPEN" })}>
          待处理差异 {formatNumber(open)} 项
        </button>
      )}
      {run.state === "DONE" && (
        <>
          <span>{scopeText(run)}</span>
          <BillStatus state={run.billState} />
        </>
      )}
      {run.problem && <span>{run.problem}</span>}
      <Age time={run.endedAt ?? run.startedAt} />
    </p>
  );
}
