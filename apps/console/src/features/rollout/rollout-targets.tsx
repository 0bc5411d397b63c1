// The cabinets of a roll-out, those that need a look first.
import {
  type Rollout,
  type RolloutTarget,
  rolloutContract,
} from "@cabinet/contract/rollout/rollout.contract.ts";
import { type TargetState, targetStateText } from "@cabinet/contract/rollout/rollout.rules.ts";
import Select from "antd/es/select";
import { useState } from "react";
import { formatTime } from "../../kit/format.ts";
import { useCall } from "../../kit/query.ts";
import { Pagination } from "../../ui/pagination.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { Age, Status } from "../../ui/status.tsx";
import { targetTone } from "./rollout-display.rules.ts";

const FIRST_SIZE = 10;

export function RolloutTargets({ rollout }: { rollout: Rollout }) {
  const [state, setState] = useState<TargetState | undefined>();
  const [stage, setStage] = useState<number | undefined>();
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(FIRST_SIZE);
  const answer = useCall(
    rolloutContract.targets,
    {
      params: { id: rollout.id },
      query: { page, pageSize, ...(state && { state }), ...(stage && { stage }) },
    },
    { isQuiet: true, keepPreviousData: true },
  );
  const { data, error } = answer;
  if (error && !data) {
    return <ErrorState message={error.message} onRetry={() => void answer.refetch()} />;
  }
  const stages = Array.from({ length: rollout.stageCount }, (_, at) => at + 1);
  return (
    <div className="rollout-targets">
      <div className="rollout-targets-filters">
        <Select
          aria-label="批次"
          allowClear
          placeholder="全部批次"
          value={stage}
          options={stages.map((value) => ({ value, label: `第 ${value} 批` }))}
          onChange={(next: number | undefined) => {
            setStage(next);
            setPage(1);
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
            setPage(1);
          }}
        />
      </div>
      <ul>
        {data?.list.map((target) => (
          <Target key={target.cabinetId} target={target} isFirmware={rollout.kind === "FIRMWARE"} />
        ))}
      </ul>
      {data?.total === 0 && <p className="ui-cell-none">没有这样的设备</p>}
      {(data?.total ?? 0) > FIRST_SIZE && (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={data?.total ?? 0}
          onPage={setPage}
          onPageSize={(size) => {
            setPageSize(size);
            setPage(1);
          }}
        />
      )}
    </div>
  );
}

function Target({ target, isFirmware }: { target: RolloutTarget; isFirmware: boolean }) {
  const { state, detail, settledAt, sentAt, isExcused } = target;
  return (
    <li>
      <span className="rollout-target-name">
        {target.cabinetName}
        <small>
          {target.cabinetSn}
          {target.storeName && ` · ${target.storeName}`} · 第 {target.stage} 批
        </small>
        {isFirmware && <small>{versionsText(target)}</small>}
      </span>
      <span className="rollout-target-state">
        <Status tone={targetTone[state]}>{stateText(target)}</Status>
        {detail && <small title={detail}>{detail}</small>}
        <small>
          {isExcused && "已确认 · "}
          {target.attempts > 1 && `第 ${target.attempts} 次 · `}
          <Age time={settledAt ?? sentAt} />
        </small>
      </span>
    </li>
  );
}

function stateText({ state, connectivity, notBefore }: RolloutTarget): string {
  if (state !== "WAITING") return targetStateText[state];
  if (connectivity !== "ONLINE") return "离线，上线后下发";
  return notBefore ? `推迟到 ${formatTime(notBefore)}` : targetStateText.WAITING;
}

function versionsText({ fromVersion, appVersion }: RolloutTarget): string {
  if (!appVersion) return "尚未上报版本";
  return fromVersion && fromVersion !== appVersion
    ? `${fromVersion} → ${appVersion}`
    : `当前 ${appVersion}`;
}
