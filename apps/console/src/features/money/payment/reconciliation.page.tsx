// 对账: differences between orders, ledger, wallets and WeChat's bill, and the runs.
import {
  type Difference,
  reconciliationContract,
} from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import {
  differenceAreaText,
  differenceKindText,
  differenceStateText,
  mayCredit,
} from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatMoney, formatMoneyChange } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { invalidate, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { listSums } from "../../../ui/list/list-sums.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { differenceColumns } from "./difference-columns.tsx";
import { DifferenceDetail } from "./difference-detail.tsx";
import { LastRun } from "./last-run.tsx";
import { ReconcileDialog } from "./reconcile-dialog.tsx";
import { RunDrawer } from "./run-drawer.tsx";

const filters = [
  choiceFilter("state", "状态", choicesOf(differenceStateText)),
  choiceFilter("area", "范围", choicesOf(differenceAreaText)),
  choiceFilter("kind", "差异", choicesOf(differenceKindText)),
  textFilter("subject", "单号/用户", "单号或姓名"),
];

const sums = listSums(
  reconciliationContract.differenceSums,
  ({ expectedFen, actualFen, gapFen, ...of }) => ({
    ...of,
    texts: {
      expected: formatMoney(expectedFen),
      actual: formatMoney(actualFen),
      gap: formatMoneyChange(gapFen),
    },
  }),
);

export const prefetch = listPrefetch(reconciliationContract.differences);

export default function ReconciliationPage() {
  const mayWrite = usePermission("reconciliation:write");
  const { ask, dialog } = useAction();
  const [open, setOpen] = useState<"run" | "runs" | null>(null);
  const resolve = useWrite(reconciliationContract.resolve);
  const credit = useWrite(reconciliationContract.credit);
  const close = () => setOpen(null);

  const askResolve = (difference: Difference) =>
    ask({
      title: "标记为已处理",
      effect: (
        <>
          <p>
            <b>{differenceKindText[difference.kind]}</b>（{difference.subject}）将从待处理中移出。
          </p>
          <p>
            仅记录处理结果，不变动资金。差异仍存在时显示为“已知差异”，金额变化时恢复为“待处理”。
          </p>
        </>
      ),
      confirm: "标记为已处理",
      reasons: ["已核对，金额无误", "已用调整余额更正", "已在商户平台原路退回"],
      run: (reason) => resolve.mutateAsync({ params: { id: difference.id }, body: { reason } }),
      done: "已标记为已处理",
    });
  const askCredit = (difference: Difference) =>
    ask({
      title: "补记入账",
      effect: (
        <>
          充值单 <b>{difference.subject}</b> 关闭后收到的 <b>{formatMoney(difference.actualFen)}</b>{" "}
          将记入 {difference.userName || difference.phone} 的钱包，并按充值单发放赠金。
        </>
      ),
      confirm: "补记入账",
      reasons: ["用户确认已付款", "商户平台已核实到账"],
      run: (reason) => credit.mutateAsync({ params: { id: difference.id }, body: { reason } }),
      done: "已补记入账",
    });

  const actionsOf = (difference: Difference): RowAction[] => {
    const blocked = difference.state === "RESOLVED" ? "已处理" : undefined;
    return [
      ...(mayCredit(difference.kind)
        ? [{ key: "credit", label: "补记入账", blocked, run: () => askCredit(difference) }]
        : []),
      { key: "resolve", label: "处理", blocked, run: () => askResolve(difference) },
    ];
  };

  return (
    <>
      <ListPage
        title="对账差异"
        spec={reconciliationContract.differences}
        heading={
          <>
            <ViewSwitch />
            <LastRun />
          </>
        }
        filters={filters}
        columns={differenceColumns}
        sums={sums}
        rowKey={(difference) => difference.id}
        toolbar={
          <>
            {mayWrite && (
              <Button type="primary" onClick={() => setOpen("run")}>
                立即对账
              </Button>
            )}
            <Button onClick={() => setOpen("runs")}>对账记录</Button>
          </>
        }
        actions={
          mayWrite && { width: 140, of: (difference) => difference.subject, list: actionsOf }
        }
        detail={{
          title: (difference) => differenceKindText[difference.kind],
          body: (difference) => <DifferenceDetail difference={difference} />,
        }}
        emptyHint="每天 02:30 自动核对前一天的订单、流水、钱包、套餐卡与微信账单，不一致的列在这里"
      />
      {dialog}
      <ReconcileDialog
        open={open === "run"}
        onClose={close}
        onDone={() => void invalidate(reconciliationContract.runs)}
      />
      <RunDrawer open={open === "runs"} onClose={close} />
    </>
  );
}
