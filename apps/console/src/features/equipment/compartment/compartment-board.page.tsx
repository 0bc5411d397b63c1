// 格口管理: live drawing of the cabinet in `?id=`, with all actions on its doors. `?sn=` finds the
// cabinet by its number, for a scanned label.

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { Navigate, useSearchParams } from "react-router";
import { pathTo } from "../../../kit/paths.ts";
import { invalidate, useCall } from "../../../kit/query.ts";
import { NoRecord, RecordFailure, useIdParam } from "../../../ui/display/one-record.tsx";
import { useLiveRefresh, usePollMs } from "../../../ui/live/live.tsx";
import { BoardView } from "./board-view.tsx";
import "./cabinet-frame.css";
import "./compartment-board.css";

const GONE_HINT = "可能已被移除，或属于其他租户。";
const list = { path: "/cupboard/index", title: "设备列表" } as const;

export default function CompartmentBoardPage() {
  const id = useIdParam("id");
  const [params] = useSearchParams();
  const sn = params.get("sn");
  if (id === null && sn) return <CabinetBySn sn={sn} />;
  if (id === null) {
    const hint = "请从设备列表选择一台设备，再点“格口管理”。";
    return <NoRecord title="没有指定设备" hint={hint} list={list} />;
  }
  return <OneCabinet key={id} cabinetId={id} />;
}

function CabinetBySn({ sn }: { sn: string }) {
  const answer = useCall(cabinetContract.list, { query: { page: 1, pageSize: 10, keyword: sn } });
  if (!answer.data) {
    if (!answer.error) return <LoadingBoard />;
    return (
      <RecordFailure
        error={answer.error}
        hint={GONE_HINT}
        list={list}
        onRetry={() => void answer.refetch()}
      />
    );
  }
  const found = answer.data.list.find((each) => each.sn === sn.toUpperCase());
  if (!found) return <NoRecord title={`没有编号为 ${sn} 的设备`} hint={GONE_HINT} list={list} />;
  return <Navigate to={pathTo("/cupboard/blockManage", { id: found.id })} replace />;
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
  return <RecordFailure error={error} hint={GONE_HINT} list={list} onRetry={refresh} />;
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
