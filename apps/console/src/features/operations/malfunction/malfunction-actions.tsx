// Actions on malfunctions, limited by state and permissions; each dialog explains its effect.
import {
  type Malfunction,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  actionProblem,
  type MalfunctionAction,
  malfunctionActionText,
  mayAct,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { type ReactNode, useState } from "react";
import { messageOf, toast } from "../../../kit/feedback.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { type ConfirmOptions, useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { AssignDialog, type Assigning } from "./assign-dialog.tsx";
import { nameOf, placeText } from "./malfunction-status.tsx";
import { NoteDialog } from "./note-dialog.tsx";
import { ResolveDialog } from "./resolve-dialog.tsx";
import { SeverityDialog } from "./severity-dialog.tsx";
import { TestDialog } from "./test-dialog.tsx";

const access = {
  accept: "malfunction:write",
  assign: "malfunction:assign",
  resolve: "malfunction:write",
  close: "malfunction:write",
  ignore: "malfunction:write",
  reopen: "malfunction:write",
  setSeverity: "malfunction:write",
  note: "malfunction:write",
  test: "command:open",
} as const satisfies Record<MalfunctionAction, string>;
/** Display order: the usual next step first. */
const order: readonly MalfunctionAction[] = [
  "accept",
  "resolve",
  "close",
  "assign",
  "test",
  "note",
  "setSeverity",
  "reopen",
  "ignore",
];
const inBatch = ["accept", "assign", "close", "ignore"] as const;
type BatchAction = (typeof inBatch)[number];

const ACCEPTED = "已受理，处理后请填写结果";
const ignoreReasons = ["现场核实一切正常", "传感器误报", "施工或检修引起", "重复登记"];
const reopenReasons = ["故障再次出现", "处理不彻底，现场复核未通过", "误关闭"];

/** `actionsOf` one row, `batchOf` several, and their dialogs, to be rendered once per page. */
export function useMalfunctionActions() {
  const may = usePermissions();
  const { ask, dialog } = useAction();
  const [assigning, setAssigning] = useState<Assigning | null>(null);
  const [chosen, setChosen] = useState<{ action: MalfunctionAction; of: Malfunction } | null>(null);
  const calls = {
    accept: useWrite(malfunctionContract.accept),
    close: useWrite(malfunctionContract.close),
    ignore: useWrite(malfunctionContract.ignore),
    reopen: useWrite(malfunctionContract.reopen),
  };

  const questionOf = (
    action: "accept" | "close" | "ignore" | "reopen",
    rows: readonly Malfunction[],
  ): ConfirmOptions => {
    const ids = rows.map(({ id }) => id);
    const [first] = rows;
    const name = first && rows.length === 1 ? nameOf(first) : `${rows.length} 条故障`;
    const subject = <Chosen rows={rows} />;
    switch (action) {
      case "accept":
        return {
          title: `受理：${name}`,
          effect: (
            <>
              <p>状态变为“处理中”，由您负责处理；不再升级通知其他人。</p>
              {subject}
            </>
          ),
          confirm: "受理",
          run: () => calls.accept.mutateAsync({ body: { ids } }),
          done: ACCEPTED,
        };
      case "close":
        return {
          title: `关闭故障：${name}`,
          effect: (
            <>
              <p>确认已经恢复正常。关闭后如再次出现，可以重开。</p>
              {subject}
            </>
          ),
          confirm: "关闭故障",
          run: () => calls.close.mutateAsync({ body: { ids } }),
          done: "故障已关闭",
        };
      case "ignore":
        return {
          title: `标记误报：${name}`,
          effect: (
            <>
              <p>不再处理，也不再通知。24 小时内设备再报同样的异常只计次数，不另开故障。</p>
              {subject}
            </>
          ),
          confirm: "标记误报",
          isDanger: true,
          reasons: ignoreReasons,
          run: (reason) => calls.ignore.mutateAsync({ body: { ids, reason } }),
          done: "已标记为误报",
        };
      case "reopen":
        return {
          title: `重开：${name}`,
          effect: (
            <p>
              故障回到
              {first?.assigneeName ? `“已派单”，仍由 ${first.assigneeName} 处理` : "“待受理”"}
              ；受理与处理时限从现在重新计算。
            </p>
          ),
          confirm: "重开故障",
          reasons: reopenReasons,
          run: (reason) =>
            calls.reopen.mutateAsync({ params: { id: first?.id ?? 0 }, body: { reason } }),
          done: "故障已重开",
        };
    }
  };

  /** Asks nothing: one's own malfunction begins with one press, and can be handed on afterwards. */
  const accept = async ({ id }: Malfunction) => {
    if (calls.accept.isPending) return;
    try {
      await calls.accept.mutateAsync({ body: { ids: [id] } });
      toast.success(ACCEPTED);
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  const run = (action: MalfunctionAction, of: Malfunction) => {
    if (action === "assign") setAssigning({ rows: [of] });
    else if (action === "accept") void accept(of);
    else if (action === "close" || action === "ignore" || action === "reopen") {
      ask(questionOf(action, [of]));
    } else setChosen({ action, of });
  };

  const actionsOf = (of: Malfunction): RowAction[] => {
    const actions = order
      .filter((action) => may(access[action]) && mayAct(action, of.state))
      .map((action) => ({
        key: action,
        label: action === "assign" && of.assigneeName ? "转派" : malfunctionActionText[action],
        blocked: actionProblem(action, of) ?? undefined,
        isDanger: action === "ignore",
        run: () => run(action, of),
      }));
    // Blocked actions come last.
    return actions.toSorted((a, b) => Number(!!a.blocked) - Number(!!b.blocked));
  };

  const batchOf = (rows: readonly Malfunction[], clear: () => void): ReactNode =>
    inBatch
      .filter((action) => may(access[action]))
      .map((action) => {
        const fit = fitting(action, rows);
        return (
          <Button
            key={action}
            disabled={fit.length === 0}
            danger={action === "ignore"}
            title={fit.length < rows.length ? whyFewer(action, fit, rows) : undefined}
            onClick={() => {
              if (action === "assign") return setAssigning({ rows: fit, onDone: clear });
              const { run: carryOut, ...question } = questionOf(action, fit);
              const runThenClear = async (reason: string) => {
                await carryOut(reason);
                clear();
              };
              ask({ ...question, run: runThenClear });
            }}
          >
            {malfunctionActionText[action]}
            {fit.length < rows.length && ` ${fit.length}`}
          </Button>
        );
      });

  const of = (action: MalfunctionAction) => (chosen?.action === action ? chosen.of : null);
  const close = () => setChosen(null);
  const dialogs = (
    <>
      {dialog}
      <AssignDialog assigning={assigning} onClose={() => setAssigning(null)} />
      <ResolveDialog malfunction={of("resolve")} onClose={close} />
      <NoteDialog malfunction={of("note")} onClose={close} />
      <SeverityDialog malfunction={of("setSeverity")} onClose={close} />
      <TestDialog malfunction={of("test")} onClose={close} />
    </>
  );
  return { actionsOf, batchOf, dialogs };
}

/** Rows the action applies to now, limited to the tenant of the first one. */
function fitting(action: BatchAction, rows: readonly Malfunction[]): Malfunction[] {
  const fit = rows.filter((row) => actionProblem(action, row) === null);
  return fit.filter(({ tenantId }) => tenantId === fit[0]?.tenantId);
}

/** Lists the selected rows when the title cannot name them all. */
function Chosen({ rows }: { rows: readonly Malfunction[] }) {
  return (
    <ul className="malfunction-chosen">
      {rows.map((row) => (
        <li key={row.id}>
          {nameOf(row)} · {placeText(row)}
        </li>
      ))}
    </ul>
  );
}

function whyFewer(
  action: BatchAction,
  fit: readonly Malfunction[],
  rows: readonly Malfunction[],
): string {
  const said = `所选中有 ${fit.length} 条可以${malfunctionActionText[action]}`;
  const isOfOne = new Set(rows.map(({ tenantId }) => tenantId)).size === 1;
  return isOfOne ? said : `${said}；一次只处理一个租户的`;
}
