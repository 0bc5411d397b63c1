// 新增套餐 and, with `?id=`, 编辑套餐: price, content and sides.
import { type Package, packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import type { PackageKind } from "@cabinet/contract/money/package/package.rules.ts";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { sideBase, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import {
  NoRecord,
  RecordFailure,
  RecordLoading,
  useIdParam,
} from "../../../ui/display/one-record.tsx";
import { FormPage } from "../../../ui/form/form-frames.tsx";
import { bodyOf, initialOf, PackageForm, packageFields } from "./package-fields.tsx";
import "../../../ui/display/basics.css";

const goneHint = "它可能已被删除，或属于其他租户。";

export default function PackageEditPage() {
  const [params] = useSearchParams();
  const id = useIdParam("id");
  const list = useList();
  if (!params.has("id")) return <NewPackage />;
  if (id === null) return <NoRecord title="没有指定套餐" hint={goneHint} list={list} />;
  return <OldPackage key={id} id={id} />;
}

function useList() {
  return { path: `${sideBase(usePageSide())}/pay/payList`, title: "套餐管理" };
}

function NewPackage() {
  const side = usePageSide();
  const isPlatform = useIsPlatform();
  const { tenantId: ownTenantId } = useSignedIn();
  const [kind, setKind] = useState<PackageKind>("BONUS");
  const save = useWrite(packageContract.save);
  const start = { kind, sides: [side], isOnSale: true };
  return (
    <FormPage
      title="新增套餐"
      backTo={useList().path}
      schema={PackageForm}
      fields={packageFields({ kind, setKind, isNew: true, isPlatform })}
      initial={isPlatform ? start : { ...start, tenantId: ownTenantId }}
      submitText="新增"
      submit={async ({ tenantId, ...values }) => {
        await save.mutateAsync({ body: { ...bodyOf(values), ...(isPlatform && { tenantId }) } });
        toast.success(`套餐“${values.name.trim()}”已新增`);
      }}
    />
  );
}

function OldPackage({ id }: { id: number }) {
  const answer = useCall(packageContract.get, { params: { id } }, { staleTime: 0 });
  const list = useList();
  // Wait for a fetch after mount: cached data from another page may be older than the package is.
  if (answer.data && answer.isFetchedAfterMount) return <EditPackage fetched={answer.data} />;
  if (!answer.error) return <RecordLoading />;
  const retry = () => void answer.refetch();
  return <RecordFailure error={answer.error} hint={goneHint} list={list} onRetry={retry} />;
}

/** Keeps the `editVersion` it was opened with: a later fetch must not defeat optimistic locking. */
function EditPackage({ fetched }: { fetched: Package }) {
  const [sold] = useState(fetched);
  const { id, kind, editVersion, held } = sold;
  const save = useWrite(packageContract.save);
  return (
    <FormPage
      title={`编辑套餐：${sold.name}`}
      backTo={useList().path}
      schema={PackageForm}
      fields={packageFields({ kind, setKind: () => {}, isNew: false, isPlatform: false })}
      initial={initialOf(sold)}
      submit={async ({ tenantId: _, ...values }) => {
        await save.mutateAsync({ body: { ...bodyOf(values), id, editVersion } });
        toast.success(`套餐“${values.name.trim()}”已保存`);
      }}
    >
      {held > 0 && (
        <p className="ui-form-note">
          还有 {held} 张已购买的卡可以使用，它们按购买时的内容继续有效；修改只影响之后的购买。
        </p>
      )}
    </FormPage>
  );
}
