// Row actions on one firmware for platform staff, limited by its state.
import {
  type Firmware,
  firmwareContract,
} from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import type { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { modelsText } from "./firmware-columns.tsx";

export function useFirmwareActions(
  ask: ReturnType<typeof useAction>["ask"],
  edit: (firmware: Firmware) => void,
) {
  const release = useWrite(firmwareContract.release);
  const withdraw = useWrite(firmwareContract.withdraw);
  const remove = useWrite(firmwareContract.remove);

  const askRelease = (firmware: Firmware) =>
    ask({
      title: "发布固件",
      effect: (
        <>
          固件<b> {firmware.version}</b>（{modelsText(firmware)}
          ）发布后，租户可以新建下发任务。发布本身不会升级任何设备；发布后文件和最低版本不能修改。
        </>
      ),
      confirm: "发布",
      run: () => release.mutateAsync({ params: { id: firmware.id } }),
      done: `固件 ${firmware.version} 已发布`,
    });

  const askWithdraw = (firmware: Firmware) =>
    ask({
      title: "撤回固件",
      effect: (
        <>
          固件<b> {firmware.version}</b>
          将不能再下发，所有租户正在进行的下发任务会停止。已升级的 {firmware.runningCount}{" "}
          台设备不受影响。撤回后不能恢复。
        </>
      ),
      confirm: "撤回",
      isDanger: true,
      reasons: ["发现严重缺陷", "厂家要求撤回", "上传了错误的文件"],
      run: async (reason) => {
        const { stopped } = await withdraw.mutateAsync({
          params: { id: firmware.id },
          body: { reason },
        });
        const also = stopped > 0 ? `，停止了 ${stopped} 个下发任务` : "";
        toast.success(`固件 ${firmware.version} 已撤回${also}`);
      },
    });

  const askRemove = (firmware: Firmware) =>
    ask({
      title: "删除固件",
      effect: (
        <>
          草稿<b> {firmware.version}</b>及其文件将被删除，不能恢复。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: firmware.id } }),
      done: `已删除 ${firmware.version}`,
    });

  return (firmware: Firmware): RowAction[] => {
    const { state } = firmware;
    const isDraft = state === "DRAFT";
    return [
      isDraft
        ? { key: "release", label: "发布", run: () => askRelease(firmware) }
        : {
            key: "withdraw",
            label: "撤回",
            isDanger: true,
            blocked: state === "WITHDRAWN" ? "已经撤回" : undefined,
            run: () => askWithdraw(firmware),
          },
      { key: "edit", label: "修改说明", run: () => edit(firmware) },
      {
        key: "remove",
        label: "删除",
        isDanger: true,
        blocked: isDraft ? undefined : "只有草稿可以删除；已发布的请撤回",
        run: () => askRemove(firmware),
      },
    ];
  };
}
