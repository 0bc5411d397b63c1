// 格口管理: live drawing of the cabinet in `?id=`, with all actions on its doors.

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { invalidate, useCall } from "../../../kit/query.ts";
import { NoRecord, RecordFailure, useIdParam } from "../../../ui/display/one-record.tsx";
import { useLiveRefresh, usePollMs } from "../../../ui/live/live.tsx";
import { BoardView } from "./board-view.tsx";
import "./cabinet-frame.css";
import "./compartment-board.css";

const list = { path: "/cupboard/index", title: "设备列表" } as const;

export default function CompartmentBoardPage() {
  const id = useIdParam("id");
  if (id === null) {
    const hint = "请从设备列表选择一台设备，再点“格口管理”。";
    return <NoRecord title="没有指定设备" hint={hint} list={list} />;
  }
  return <OneCabinet key={id} cabinetId={id} />;
}

function OneCabinet({ cabinetId }: { cabinetId: number }) {
  const input = { params: { id: cabinetId } };
  const options = { refetchInterval: usePollMs() };
  const cabinet = useCall(cabinetContract.get, input, options);
  const cells = useCall(compartmentContract.list, input, options);
  useLiveRefresh("cabinet", () => cells.refetch(), { cabinetId, pace: "close" });
  const refresh = () => void invalidate(cabinetContract.get, compartmentContract.list);

  if (cabinet.data && cells.data) {
    const failure = cells.error ?? cabinet.error;
    return (
      <BoardView
        cabinet={cabinet.data}
        cells={cells.data}
        failure={failure ? failure.message : null}
        refreshFacts={() => void cabinet.refetch()}
      />
    );
  }
  const error = cabinet.error ?? cells.error;
  if (!error) return <LoadingBoard />;
  const hint = "它可能已被移除，或属于其他租户。";
  return <RecordFailure error={error} hint={hint} list={list} onRetry={refresh} />;
}

const SKELETON_DOORS = Array.from({ length: 24 }, (_, index) => index);

/** Placeholder with the height of the loaded board. */
function LoadingBoard() {
  return (
    <div className="board-page" role="status" aria-label="正在加载">
      <div className="board-heading board-heading-loading">
        <span className="ui-skeleton" />
        <span className="ui-skeleton" />
      </div>
      <div className="legend legend-loading" />
      <div className="board-body">
        <div className="cabinet">
          <div className="cabinet-plate" />
          <div className="board-loading">
            {SKELETON_DOORS.map((index) => (
              <span key={index} className="ui-skeleton" />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
