// Desired and reported version of the settings, their difference, and 同步配置.
import {
  type CabinetDetail,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { Action } from "../../../ui/display/action.tsx";
import { configStep } from "./cabinet-display.rules.ts";

export function ConfigSync({ cabinet }: { cabinet: CabinetDetail }) {
  const sync = useWrite(cabinetContract.syncConfig);
  const { desiredConfigVersion: desired, reportedConfigVersion: reported, connectivity } = cabinet;
  const isOnline = connectivity === "ONLINE";
  return (
    <div className="config-sync">
      <dl>
        <div>
          <dt>期望</dt>
          <dd>
            v{desired}
            {cabinet.desiredConfigAt && <span>{formatDateTime(cabinet.desiredConfigAt)} 修改</span>}
          </dd>
        </div>
        <div>
          <dt>上报</dt>
          <dd>
            {reported === null ? "设备未上报" : `v${reported}`}
            {cabinet.reportedConfigAt && (
              <span>{formatDateTime(cabinet.reportedConfigAt)} 收到</span>
            )}
          </dd>
        </div>
      </dl>
      <p>{configStep(cabinet)}</p>
      <Action
        disabled={!isOnline || cabinet.lifecycle === "RETIRED"}
        title={isOnline ? "" : "设备不在线：参数会在它上线时自动同步，不用操作"}
        question={{
          title: "同步配置",
          effect: (
            <>
              向设备“{cabinet.name}”重新下发已保存的参数 v{desired}
              ，设备收到后即生效。未保存的修改不会下发。
            </>
          ),
          confirm: "同步",
          run: () => sync.mutateAsync({ params: { id: cabinet.id } }),
          done: "参数已下发，设备确认后显示为一致",
        }}
      >
        同步配置
      </Action>
    </div>
  );
}
