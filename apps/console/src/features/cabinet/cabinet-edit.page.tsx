// 编辑设备: one cabinet's basics, prices and settings, its wishes beside what it reports, live.
import { type CabinetDetail, cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "../../kit/errors.ts";
import { useIsLive } from "../../kit/live.ts";
import { usePermission } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { useLiveRefresh } from "../../ui/live.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { CabinetEditForm } from "./cabinet-edit-form.tsx";
import { CabinetEditHeading } from "./cabinet-edit-heading.tsx";
import "../../ui/basics.css";
import "./cabinet-edit.css";

/** Mends what a lost push left behind; the second one while the push channel is away. */
const POLL_MS = 30_000;
const FALLBACK_POLL_MS = 5_000;

export default function CabinetEditPage() {
  const [params] = useSearchParams();
  const id = Number(params.get("id"));
  const mayWrite = usePermission("cabinet:write");
  if (!Number.isSafeInteger(id) || id < 1) {
    return <NoCabinet title="没有指定设备" hint="请从设备列表选择一台设备，再点“编辑”。" />;
  }
  if (!mayWrite) {
    return (
      <NoCabinet title="没有编辑设备的权限" hint="需要时请联系管理员在角色中开通“编辑设备”。" />
    );
  }
  return <OneCabinet key={id} id={id} />;
}

function OneCabinet({ id }: { id: number }) {
  const isLive = useIsLive();
  const answer = useCall(
    cabinetContract.get,
    { params: { id } },
    { isQuiet: true, refetchInterval: isLive ? POLL_MS : FALLBACK_POLL_MS },
  );
  useLiveRefresh("cabinet", () => answer.refetch(), { cabinetId: id, pace: "close" });
  if (answer.data) {
    const cabinet: CabinetDetail = answer.data;
    return (
      <div className="cabinet-edit">
        <CabinetEditHeading cabinet={cabinet} refresh={() => answer.refetch()} />
        <CabinetEditForm cabinet={cabinet} refresh={async () => (await answer.refetch()).data} />
      </div>
    );
  }
  if (answer.error instanceof ApiError && answer.error.code === 1) {
    return <NoCabinet title={answer.error.message} hint="它可能已被移除，或属于其他租户。" />;
  }
  if (answer.error) {
    return <ErrorState message={answer.error.message} onRetry={() => void answer.refetch()} />;
  }
  return <LoadingPage />;
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

const SKELETON_LINES = Array.from({ length: 8 }, (_, index) => index);

function LoadingPage() {
  return (
    <div className="cabinet-edit" role="status" aria-label="正在加载">
      <div className="cabinet-edit-loading">
        {SKELETON_LINES.map((index) => (
          <span key={index} className="ui-skeleton" />
        ))}
      </div>
    </div>
  );
}
