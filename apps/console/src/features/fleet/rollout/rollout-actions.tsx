// Row actions on one roll-out, limited by its state; each requires a reason.
import { type Rollout, rolloutContract } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import type { ConfirmOptions, useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";

type Action = "pause" | "resume" | "retry" | "revert" | "cancel";

export function useRolloutActions(ask: ReturnType<typeof useAction>["ask"]) {
  const mayWrite = usePermission("rollout:write");
  const calls = {
    pause: useWrite(rolloutContract.pause),
    resume: useWrite(rolloutContract.resume),
    retry: useWrite(rolloutContract.retry),
    revert: useWrite(rolloutContract.revert),
    cancel: useWrite(rolloutContract.cancel),
  };

  return (rollout: Rollout): RowAction[] => {
    if (!mayWrite) return [];
    const { state, kind, counts } = rollout;
    const isOver = state === "FINISHED" || state === "CANCELLED";
    const act = (step: Action, label: string, more: Partial<RowAction> = {}): RowAction => ({
      key: step,
      label,
      ...more,
      run: () =>
        ask({
          ...questionOf(step, rollout),
          run: (reason) =>
            calls[step].mutateAsync({ params: { id: rollout.id }, body: { reason } }),
        }),
    });
    const actions: (RowAction | false)[] = [
      (state === "RUNNING" || state === "SCHEDULED") && act("pause", "暂停"),
      (state === "PAUSED" || state === "STOPPED") && act("resume", "继续"),
      counts.failed > 0 && act("retry", "重试失败设备", { blocked: retryBlocked(rollout) }),
      kind === "CONFIG" &&
        act("revert", "回退参数", {
          isDanger: true,
          blocked:
            state === "STOPPED" || isOver
              ? counts.succeeded + counts.failed + counts.inFlight === 0
                ? "暂无设备收到这些参数"
                : undefined
              : "请先暂停并取消任务，再回退",
        }),
      !isOver && act("cancel", "取消任务", { isDanger: true }),
    ];
    return actions.filter((action) => action !== false);
  };
}

function retryBlocked({ state }: Rollout): string | undefined {
  if (state === "PAUSED") return "任务已暂停，请先继续";
  return state === "CANCELLED" ? "任务已取消，请新建任务" : undefined;
}

function questionOf(step: Action, rollout: Rollout): Omit<ConfirmOptions, "run"> {
  const { name, counts, state, stage } = rollout;
  const title = <b>“{name}”</b>;
  switch (step) {
    case "pause":
      return {
        title: "暂停下发任务",
        effect: (
          <>
            {title}不再向新的设备下发；正在进行的 {counts.inFlight} 台会继续完成。可随时继续。
          </>
        ),
        confirm: "暂停",
        reasons: ["观察已升级设备", "营业高峰期", "等待厂家确认"],
        done: `${name} 已暂停`,
      };
    case "resume":
      return {
        title: "继续下发任务",
        effect:
          state === "STOPPED" ? (
            <>
              {title}因失败过多停在第 {stage} 批。继续表示您已核实现有的 {counts.failed}{" "}
              台失败，它们不再计入失败率；之后再出现过多失败仍会自动停止。
            </>
          ) : (
            <>
              {title}将从第 {stage} 批继续下发。
            </>
          ),
        confirm: "继续下发",
        isDanger: state === "STOPPED",
        reasons: ["失败原因已查明，与固件无关", "厂家确认可以继续", "观察期结束"],
        done: `${name} 已继续`,
      };
    case "retry":
      return {
        title: "重试失败设备",
        effect: (
          <>
            {title}中失败的 {counts.failed} 台设备将重新下发，它们重新计入失败率。
          </>
        ),
        confirm: "重试",
        reasons: ["设备网络已恢复", "现场已处理", "再次尝试"],
        done: "已重新下发，请留意进度",
      };
    case "revert":
      return {
        title: "回退已下发的参数",
        effect: (
          <>
            {title}
            改动过的参数将恢复为下发前的值；之后又被单独修改过的参数保持不变，未下发的设备不再下发。
          </>
        ),
        confirm: "回退参数",
        isDanger: true,
        reasons: ["参数设置有误", "门店要求恢复", "设备表现异常"],
        done: "已回退，离线设备上线后恢复",
      };
    case "cancel":
      return {
        title: "取消下发任务",
        effect: (
          <>
            {title}中还在等待的 {counts.waiting} 台设备不再下发；已下发的 {counts.inFlight}{" "}
            台无法撤回，会跟踪到结束。取消后不能恢复。
          </>
        ),
        confirm: "取消任务",
        isDanger: true,
        reasons: ["版本有问题", "任务建错", "改为其他版本"],
        done: `${name} 已取消`,
      };
  }
}
