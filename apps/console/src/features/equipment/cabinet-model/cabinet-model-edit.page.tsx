// 新增设备类型: creates a cabinet model, edits the one of `?id=`, or copies the one of `?copyOf=`.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { useCall } from "../../../kit/query.ts";
import { RecordFailure, RecordLoading, useIdParam } from "../../../ui/display/one-record.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { CabinetModelForm } from "./cabinet-model-form.tsx";

const list = { path: "/cupboard/ModelList", title: "设备类型" };

export default function CabinetModelEditPage() {
  const id = useIdParam("id");
  const copyOf = useIdParam("copyOf");
  if (id !== null) return <Existing key={`edit ${id}`} id={id} isCopy={false} />;
  if (copyOf !== null) return <Existing key={`copy ${copyOf}`} id={copyOf} isCopy />;
  return (
    <PageCard title="新增设备类型">
      <CabinetModelForm model={null} isCopy={false} />
    </PageCard>
  );
}

function Existing({ id, isCopy }: { id: number; isCopy: boolean }) {
  const { data, error, refetch } = useCall(
    cabinetModelContract.get,
    { params: { id } },
    // Never refetched: the form must not change while it is being edited.
    { staleTime: Number.POSITIVE_INFINITY },
  );
  if (data) {
    return (
      <PageCard title={`${isCopy ? "复制" : "编辑"}设备类型：${data.name}`}>
        <CabinetModelForm key={data.version} model={data} isCopy={isCopy} />
      </PageCard>
    );
  }
  if (error) {
    const retry = () => void refetch();
    return <RecordFailure error={error} hint="它可能刚刚被删除。" list={list} onRetry={retry} />;
  }
  return <RecordLoading />;
}
