// 编辑设备: basics, pricing and settings of a cabinet, with desired next to live reported values.
import {
  type CabinetDetail,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { useCall } from "../../../kit/query.ts";
import {
  NoRecord,
  RecordFailure,
  RecordLoading,
  useIdParam,
} from "../../../ui/display/one-record.tsx";
import { useLiveRefresh, usePollMs } from "../../../ui/live/live.tsx";
import { CabinetEditForm } from "./cabinet-edit-form.tsx";
import { CabinetEditHeading } from "./cabinet-edit-heading.tsx";
import "../../../ui/display/basics.css";
import "./cabinet-edit.css";

const list = { path: "/cupboard/index", title: "设备列表" } as const;

export default function CabinetEditPage() {
  const id = useIdParam("id");
  if (id === null) {
    const hint = "请从设备列表选择一台设备，再点“编辑”。";
    return <NoRecord title="没有指定设备" hint={hint} list={list} />;
  }
  return <OneCabinet key={id} id={id} />;
}

function OneCabinet({ id }: { id: number }) {
  const refetchInterval = usePollMs();
  const answer = useCall(cabinetContract.get, { params: { id } }, { refetchInterval });
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
  if (!answer.error) return <RecordLoading />;
  const hint = "可能已被移除，或属于其他租户。";
  const retry = () => void answer.refetch();
  return <RecordFailure error={answer.error} hint={hint} list={list} onRetry={retry} />;
}
