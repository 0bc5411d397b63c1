// 新增设备型号: creates a cabinet model, edits the one of `?id=`, or copies the one of `?copyOf=`.
import {
  type CabinetModelDetail,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { useState } from "react";
import { useCall } from "../../../kit/query.ts";
import { RecordFailure, RecordLoading, useIdParam } from "../../../ui/display/one-record.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { CabinetModelForm } from "./cabinet-model-form.tsx";

const list = { path: "/cupboard/ModelList", title: "设备型号" } as const;

export default function CabinetModelEditPage() {
  const id = useIdParam("id");
  const copyOf = useIdParam("copyOf");
  if (id !== null) return <Existing key={`edit ${id}`} id={id} isCopy={false} />;
  if (copyOf !== null) return <Existing key={`copy ${copyOf}`} id={copyOf} isCopy />;
  return (
    <PageCard title="新增设备型号">
      <CabinetModelForm model={null} isCopy={false} />
    </PageCard>
  );
}

function Existing({ id, isCopy }: { id: number; isCopy: boolean }) {
  const answer = useCall(cabinetModelContract.get, { params: { id } }, { staleTime: 0 });
  if (answer.data && answer.isFetchedAfterMount) {
    return <Edit fetched={answer.data} isCopy={isCopy} />;
  }
  if (!answer.error) return <RecordLoading />;
  const retry = () => void answer.refetch();
  const hint = "可能已被删除。";
  return <RecordFailure error={answer.error} hint={hint} list={list} onRetry={retry} />;
}

/** Keeps the version it was opened with: a later fetch must not change the form. */
function Edit({ fetched, isCopy }: { fetched: CabinetModelDetail; isCopy: boolean }) {
  const [model] = useState(fetched);
  return (
    <PageCard title={`${isCopy ? "复制" : "编辑"}设备型号：${model.name}`}>
      <CabinetModelForm model={model} isCopy={isCopy} />
    </PageCard>
  );
}
