// Target cabinets of a roll-out, problems first.
import {
  type Rollout,
  type RolloutTarget,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import {
  type TargetState,
  targetStateText,
} from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import Select from "antd/es/select";
import { useState } from "react";
import { useCall } from "../../../kit/query.ts";
import { Age, Status } from "../../../ui/display/status.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { targetTone } from "./rollout-display.rules.ts";
import { targetText } from "./target-text.ts";

export function RolloutTargets({ rollout }: { rollout: Rollout }) {
  const [state, setState] = useState<TargetState | undefined>();
  const [stage, setStage] = useState<number | undefined>();
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    rolloutContract.targets,
    {
      params: { id: rollout.id },
      query: { page, pageSize, ...(state && { state }), ...(stage && { stage }) },
    },
    { keepPreviousData: true },
  );
  const stages = Array.from({ length: rollout.stageCount }, (_, at) => at + 1);
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText="暂无符合条件的设备"
      row={(target) => (
        <Target key={target.cabinetId} target={target} isFirmware={rollout.kind === "FIRMWARE"} />
      )}
    >
      <div className="rollout-targets-filters">
        <Select
          aria-label="批次"
          allowClear
          placeholder="全部批次"
          value={stage}
          options={stages.map((value) => ({ value, label: `第 ${value} 批` }))}
          onChange={(next: number | undefined) => {
            setStage(next);
            pages.setPage(1);
          }}
        />
        <Select
          aria-label="状态"
          allowClear
          placeholder="全部状态"
          value={state}
          options={Object.entries(targetStateText).map(([value, label]) => ({ value, label }))}
          onChange={(next: TargetState | undefined) => {
            setState(next);
            pages.setPage(1);
          }}
        />
      </div>
    </DrawerList>
  );
}

function Target({ target, isFirmware }: { target: RolloutTarget; isFirmware: boolean }) {
  const { state, detail, settledAt, sentAt, isExcused } = target;
  return (
    <DrawerRow
      name={
        <>
          {target.cabinetName}
          <small>
            {target.cabinetSn}
            {target.storeName && ` · ${target.storeName}`} · 第 {target.stage} 批
          </small>
          {isFirmware && <small>{versionsText(target)}</small>}
        </>
      }
      state={
        <>
          <Status tone={targetTone[state]}>{targetText(target)}</Status>
          {detail && <small title={detail}>{detail}</small>}
          <small>
            {isExcused && "已确认 · "}
            {target.attempts > 1 && `第 ${target.attempts} 次 · `}
            <Age time={settledAt ?? sentAt} />
          </small>
        </>
      }
    />
  );
}

function versionsText({ fromVersion, appVersion }: RolloutTarget): string {
  if (!appVersion) return "尚未上报版本";
  return fromVersion && fromVersion !== appVersion
    ? `${fromVersion} → ${appVersion}`
    : `当前 ${appVersion}`;
}
