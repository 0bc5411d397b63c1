// 对账记录: every run, scheduled or manual, with its result.
import {
  type ReconciliationRun,
  reconciliationContract,
} from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { DetailDrawer } from "../../../ui/display/detail-drawer.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { BillStatus, RunStatus, scopeText } from "./run-text.tsx";

export function RunDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <DetailDrawer open={open} title="对账记录" onClose={onClose}>
      <Runs />
    </DetailDrawer>
  );
}

function Runs() {
  const tenantId = Number(useListState().texts.tenantId) || undefined;
  const isPlatform = useIsPlatform();
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    reconciliationContract.runs,
    { query: { page, pageSize, ...(tenantId && { tenantId }) } },
    { keepPreviousData: true },
  );
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText="暂无对账记录"
      row={(run) => <RunRow key={run.id} run={run} hasTenant={isPlatform} />}
    >
      <p className="ui-form-note">
        每天 02:30 自动核对前一天；微信账单上午 10 点后生成，届时自动补核。
      </p>
    </DrawerList>
  );
}

function RunRow({ run, hasTenant }: { run: ReconciliationRun; hasTenant: boolean }) {
  return (
    <DrawerRow
      name={
        <>
          {run.day}
          {hasTenant && `　${run.tenantName}`}
          <small>
            {formatDateTime(run.startedAt)}，{run.actorName}
          </small>
          {run.state === "DONE" && <small>{scopeText(run)}</small>}
          {run.problem && <small>{run.problem}</small>}
        </>
      }
      state={
        <>
          <RunStatus run={run} />
          {run.state === "DONE" && (
            <small>
              <BillStatus state={run.billState} />
            </small>
          )}
        </>
      }
    />
  );
}
