// 格口管理: the cabinet of `?id=` drawn as it stands, live, with all that is done to its doors.
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { compartmentContract } from "@cabinet/contract/compartment/compartment.contract.ts";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "../../kit/errors.ts";
import { useIsLive } from "../../kit/live.ts";
import { invalidate, useCall } from "../../kit/query.ts";
import { useLiveRefresh } from "../../ui/live.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { BoardView } from "./board-view.tsx";
import "./cabinet-frame.css";
import "./compartment-board.css";

/** Mends what a lost push or a failed call left behind. */
const POLL_MS = 30_000;
/** While the push channel is away. */
const FALLBACK_POLL_MS = 5_000;

export default function CompartmentBoardPage() {
  const [params] = useSearchParams();
  const id = Number(params.get("id"));
  if (!Number.isSafeInteger(id) || id < 1) {
    return <NoCabinet title="没有指定设备" hint="请从设备列表选择一台设备，再点“格口管理”。" />;
  }
  return <OneCabinet key={id} cabinetId={id} />;
}

function OneCabinet({ cabinetId }: { cabinetId: number }) {
  const isLive = useIsLive();
  const input = { params: { id: cabinetId } };
  const options = { isQuiet: true, refetchInterval: isLive ? POLL_MS : FALLBACK_POLL_MS };
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
  if (error instanceof ApiError && error.code === 1) {
    return <NoCabinet title={error.message} hint="它可能已被移除，或属于其他租户。" />;
  }
  if (error) return <ErrorState message={error.message} onRetry={refresh} />;
  return <LoadingBoard />;
}

function NoCabinet({ title, hint }: { title: string; hint: string }) {
  return (
    <EmptyState title={title} hint={hint}>
      <Link className="ui-link" to="/cupboard/index">
        返回设备列表
      </Link>
    </EmptyState>
  );
}

const SKELETON_DOORS = Array.from({ length: 24 }, (_, index) => index);

/** As tall as what comes in its place. */
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
