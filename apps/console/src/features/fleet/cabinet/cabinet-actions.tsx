// Actions on a cabinet that the account's permissions and the cabinet's state allow.
import { type Cabinet, cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { CommandProgress } from "../../../domain/cabinet/command-progress.tsx";
import { pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import type { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";

type Ask = ReturnType<typeof useAction>["ask"];

type ActedOn = Pick<Cabinet, "id" | "sn" | "name" | "lifecycle" | "connectivity">;

/** Actions of a cabinet, the most frequent first. */
export function useCabinetActions<Of extends ActedOn>(ask: Ask, showQr?: (cabinet: Of) => void) {
  const may = usePermissions();
  const pause = useWrite(cabinetContract.pause);
  const resume = useWrite(cabinetContract.resume);
  const retire = useWrite(cabinetContract.retire);
  const sync = useWrite(cabinetContract.syncConfig);
  const restart = useWrite(commandContract.restart, { invalidates: [commandContract.list] });

  const askPause = (cabinet: ActedOn) =>
    ask({
      title: "暂停运营",
      effect: (
        <>
          <NameOf cabinet={cabinet} />
          将停止接收新的存件，直到恢复运营。
        </>
      ),
      confirm: "暂停运营",
      isDanger: true,
      reasons: ["设备检修", "场地施工或断电", "门店暂停营业"],
      run: (reason) => pause.mutateAsync({ params: { id: cabinet.id }, body: { reason } }),
      done: `${cabinet.name} 已暂停运营`,
    });

  const askResume = (cabinet: ActedOn) =>
    ask({
      title: "恢复运营",
      effect: (
        <>
          <NameOf cabinet={cabinet} />
          将重新接收存件。
        </>
      ),
      confirm: "恢复运营",
      reasons: ["检修完成", "场地已恢复", "门店恢复营业"],
      run: (reason) => resume.mutateAsync({ params: { id: cabinet.id }, body: { reason } }),
      done: `${cabinet.name} 已恢复运营`,
    });

  const askRetire = (cabinet: ActedOn) =>
    ask({
      title: "停用设备",
      effect: (
        <>
          <p>
            <NameOf cabinet={cabinet} />
            将永久停用：不再接收存件、不能远程开门，断线后不能再连接。停用后不能恢复运营。
          </p>
          <p>格口内还有物品或预约时不能停用，请先取出物品并清柜。</p>
        </>
      ),
      confirm: "停用设备",
      isDanger: true,
      reasons: ["设备撤场", "设备报废", "更换新设备"],
      run: (reason) => retire.mutateAsync({ params: { id: cabinet.id }, body: { reason } }),
      done: `${cabinet.name} 已停用`,
    });

  const askRestart = (cabinet: ActedOn) =>
    ask({
      title: "重启设备",
      effect: (
        <>
          <NameOf cabinet={cabinet} />
          将立即重启，期间约一分钟不能存取；正在操作的用户会被中断。
        </>
      ),
      confirm: "重启",
      isDanger: true,
      reasons: ["屏幕无响应", "网络异常", "升级后重启"],
      run: (reason) => restart.mutateAsync({ params: { id: cabinet.id }, body: { reason } }),
      outcome: (command) => <CommandProgress command={command} />,
    });

  const askSync = (cabinet: ActedOn) =>
    ask({
      title: "同步配置",
      effect: (
        <>
          向
          <NameOf cabinet={cabinet} />
          重新下发最新参数，设备收到后即生效。
        </>
      ),
      confirm: "同步",
      run: () => sync.mutateAsync({ params: { id: cabinet.id } }),
      done: "参数已下发，设备确认后“配置同步”变为一致",
    });

  const offline = (cabinet: ActedOn, then: string) =>
    cabinet.connectivity === "ONLINE" ? undefined : `设备不在线，${then}`;

  return (cabinet: Of): RowAction[] => {
    const isPaused = cabinet.lifecycle === "PAUSED";
    const actions: (RowAction | false)[] = [
      may("compartment:read") && {
        key: "doors",
        label: "格口管理",
        to: pathTo("/cupboard/blockManage", { id: cabinet.id }),
      },
      may("cabinet:write") && {
        key: "edit",
        label: "编辑",
        to: pathTo("/cupboard/cupboardEdit", { id: cabinet.id }),
      },
      may("command:read") && {
        key: "record",
        label: "操作日志",
        to: pathTo("/cupboard/record", { cabinetId: cabinet.id }),
      },
      may("malfunction:read") && {
        key: "malfunction",
        label: "故障",
        to: pathTo("/malfunction/index", { state: "ALL", cabinetId: cabinet.id }),
      },
      may("cabinet-event:read") && {
        key: "log",
        label: "状态日志",
        to: pathTo("/cupboard/log", { cabinetId: cabinet.id }),
      },
      may("advert:read") && {
        key: "banner",
        label: "广告",
        to: pathTo("/cupboard/banner", { cabinetId: cabinet.id }),
      },
      showQr !== undefined && { key: "qr", label: "二维码", run: () => showQr(cabinet) },
      may("cabinet:write") && {
        key: "sync",
        label: "同步配置",
        blocked: offline(cabinet, "参数会在上线时自动同步"),
        run: () => askSync(cabinet),
      },
      may("command:restart") && {
        key: "restart",
        label: "重启",
        isDanger: true,
        blocked: offline(cabinet, "不能重启"),
        run: () => askRestart(cabinet),
      },
      may("cabinet:write") &&
        (isPaused
          ? { key: "resume", label: "恢复运营", run: () => askResume(cabinet) }
          : {
              key: "pause",
              label: "暂停运营",
              isDanger: true,
              blocked: cabinet.lifecycle === "ACTIVE" ? undefined : "只有运营中的设备可以暂停",
              run: () => askPause(cabinet),
            }),
      may("cabinet:write") && {
        key: "retire",
        label: "停用设备",
        isDanger: true,
        blocked: cabinet.lifecycle === "RETIRED" ? "设备已经停用" : undefined,
        run: () => askRetire(cabinet),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

function NameOf({ cabinet }: { cabinet: ActedOn }) {
  return (
    <>
      设备
      <b>
        “{cabinet.name}”（{cabinet.sn}）
      </b>
    </>
  );
}
