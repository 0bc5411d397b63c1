// Display texts of a reconciliation run: scope, findings, bill state.
import type { ReconciliationRun } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import {
  type BillState,
  billStateText,
  type RunState,
  runResultText,
  runStateText,
} from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";

const billTone: Record<BillState, Tone> = {
  NONE: "quiet",
  WAITING: "waiting",
  COMPARED: "good",
  FAILED: "bad",
};
const runTone: Record<RunState, Tone> = {
  QUEUED: "waiting",
  RUNNING: "waiting",
  DONE: "good",
  FAILED: "bad",
};

export function isRunning({ state }: Pick<ReconciliationRun, "state">): boolean {
  return state === "QUEUED" || state === "RUNNING";
}

/** A run that found nothing is no good news while differences of other runs are open. */
export function RunStatus({ run, open = 0 }: { run: ReconciliationRun; open?: number }) {
  if (run.state !== "DONE") {
    return <Status tone={runTone[run.state]}>{runStateText[run.state]}</Status>;
  }
  return (
    <Status tone={run.found > 0 ? "doubtful" : run.known > 0 || open > 0 ? "quiet" : "good"}>
      {runResultText(run)}
    </Status>
  );
}

export function BillStatus({ state }: { state: BillState }) {
  return <Status tone={billTone[state]}>{billStateText[state]}</Status>;
}

export function scopeText({
  orders,
  journals,
  wallets,
  cards,
  topUps,
  billRows,
}: ReconciliationRun): string {
  const parts = [
    `订单 ${formatNumber(orders)}`,
    `流水 ${formatNumber(journals)}`,
    `钱包 ${formatNumber(wallets)}`,
    `套餐卡 ${formatNumber(cards)}`,
    `充值 ${formatNumber(topUps)}`,
    ...(billRows > 0 ? [`账单 ${formatNumber(billRows)} 行`] : []),
  ];
  return `核对${parts.join("、")}`;
}
