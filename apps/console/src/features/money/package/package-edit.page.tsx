// 新增套餐 and, with `?id=`, 编辑套餐: price, content and sides.
import { type Package, packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import type { PackageKind } from "@cabinet/contract/money/package/package.rules.ts";
import { useState } from "react";
import { sideBase, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { EditPage } from "../../../ui/display/one-record.tsx";
import { FormPage } from "../../../ui/form/form-frames.tsx";
import { bodyOf, initialOf, PackageForm, packageFields } from "./package-fields.tsx";
import "../../../ui/display/basics.css";

export default function PackageEditPage() {
  return (
    <EditPage
      noun="套餐"
      spec={packageContract.get}
      list={useList()}
      create={<NewPackage />}
      edit={(fetched) => <EditPackage fetched={fetched} />}
    />
  );
}

function useList() {
  return { path: `${sideBase(usePageSide())}/pay/payList` as const, title: "套餐管理" };
}

function NewPackage() {
  const side = usePageSide();
  const isPlatform = useIsPlatform();
  const { tenantId: ownTenantId } = useSignedIn();
  const [kind, setKind] = useState<PackageKind>("BONUS");
  const save = useWrite(packageContract.save);
  const start = { kind: "BONUS" as const, sides: [side], isOnSale: true };
  return (
    <FormPage
      title="新增套餐"
      backTo={useList().path}
      schema={PackageForm}
      fields={packageFields({ kind, isNew: true, isPlatform })}
      initial={isPlatform ? start : { ...start, tenantId: ownTenantId }}
      onValues={(values) => setKind(values.kind ?? "BONUS")}
      submitText="新增"
      submit={async ({ tenantId, ...values }) => {
        await save.mutateAsync({ body: { ...bodyOf(values), ...(isPlatform && { tenantId }) } });
        toast.success(`套餐“${values.name.trim()}”已新增`);
      }}
    />
  );
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
      fields={packageFields({ kind, isNew: false, isPlatform: false })}
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
