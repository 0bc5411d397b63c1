// 新增设备类型: makes a cabinet model, changes the one of `?id=`, or begins with the one of `?copyOf=`.
import { cabinetModelContract } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "../../kit/errors.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { PageCard } from "../../ui/page-card.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { CabinetModelForm } from "./cabinet-model-form.tsx";

export default function CabinetModelEditPage() {
  const [params] = useSearchParams();
  const isPlatform = useIsPlatform();
  const id = Number(params.get("id"));
  const copyOf = Number(params.get("copyOf"));
  if (!isPlatform) {
    return (
      <NoModel
        title="设备类型由平台维护"
        hint="您可以在设备类型列表中查看布局与能力；需要修改请联系平台。"
      />
    );
  }
  if (id > 0) return <Existing key={`edit ${id}`} id={id} isCopy={false} />;
  if (copyOf > 0) return <Existing key={`copy ${copyOf}`} id={copyOf} isCopy />;
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
    // What is being edited must not change beneath the hands.
    { isQuiet: true, staleTime: Number.POSITIVE_INFINITY },
  );
  if (data) {
    return (
      <PageCard title={`${isCopy ? "复制" : "编辑"}设备类型：${data.name}`}>
        <CabinetModelForm key={data.version} model={data} isCopy={isCopy} />
      </PageCard>
    );
  }
  if (error instanceof ApiError && error.code === 1) {
    return <NoModel title={error.message} hint="它可能刚刚被删除。" />;
  }
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} />;
  return (
    <PageCard title="设备类型">
      <div className="model-form-loading" role="status" aria-label="正在加载" />
    </PageCard>
  );
}

function NoModel({ title, hint }: { title: string; hint: ReactNode }) {
  return (
    <EmptyState title={title} hint={hint}>
      <Link className="ui-link" to="/cupboard/ModelList">
        返回设备类型
      </Link>
    </EmptyState>
  );
}
