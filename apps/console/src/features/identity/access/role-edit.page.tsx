// 新增角色, and with `&id=` 编辑角色: grants and stores of a role.
import {
  type RoleDetail,
  RoleDraft,
  roleContract,
} from "@cabinet/contract/identity/access/role.contract.ts";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { type Static, Type } from "typebox";
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
import { roleChanged } from "./role-actions.tsx";
import { type RoleStores, roleFields } from "./role-fields.tsx";

const list = { path: "/set/role", title: "角色管理" };
const goneHint = "它可能已被删除，或属于其他租户。";

const { storeScope: _, storeIds: __, ...plainFields } = RoleDraft.properties;
/** Fields of the call, with the stores as a single value. */
const RoleForm = Type.Object({
  tenantId: Type.Integer({ minimum: 1 }),
  ...plainFields,
  stores: Type.Unsafe<RoleStores>({}),
});
type RoleForm = Static<typeof RoleForm>;

/** A field that was never touched has no value. */
function draftOf({ name = "", remark = "", stores, entryIds = [] }: Partial<RoleForm>): RoleDraft {
  const { storeScope = "ALL", storeIds = [] } = stores ?? {};
  return { name, remark, storeScope, storeIds, entryIds };
}

export default function RoleEditPage() {
  const [params] = useSearchParams();
  const id = useIdParam("id");
  if (!params.has("id")) return <NewRole />;
  if (id === null) return <NoRecord title="没有指定角色" hint={goneHint} list={list} />;
  return <OldRole key={id} id={id} />;
}

function NewRole() {
  const isPlatform = useIsPlatform();
  const { tenantId: ownTenantId } = useSignedIn();
  const create = useWrite(roleContract.create, roleChanged);
  return (
    <FormPage
      title="新增角色"
      backTo={list.path}
      schema={RoleForm}
      fields={roleFields(isPlatform)}
      initial={isPlatform ? {} : { tenantId: ownTenantId }}
      submitText="新增"
      submit={async (values) => {
        const { tenantId } = values;
        await create.mutateAsync({ body: { ...draftOf(values), ...(isPlatform && { tenantId }) } });
        toast.success(`角色“${values.name.trim()}”已新增，可在列表中加入成员`);
      }}
    />
  );
}

function OldRole({ id }: { id: number }) {
  const answer = useCall(roleContract.get, { params: { id } }, { staleTime: 0 });
  // Waits for a fresh answer: a cached one from another page may be outdated.
  if (answer.data && answer.isFetchedAfterMount) return <EditRole fetched={answer.data} />;
  if (!answer.error) return <RecordLoading />;
  const retry = () => void answer.refetch();
  return <RecordFailure error={answer.error} hint={goneHint} list={list} onRetry={retry} />;
}

/** Keeps the version that the form was opened with, regardless of later refetches. */
function EditRole({ fetched }: { fetched: RoleDetail }) {
  const [role] = useState(fetched);
  const update = useWrite(roleContract.update, roleChanged);
  const { tenantId, name, remark, entryIds, storeScope } = role;
  return (
    <FormPage
      title={`编辑角色：${role.name}`}
      backTo={list.path}
      schema={RoleForm}
      fields={roleFields(false)}
      initial={{
        ...{ tenantId, name, remark, entryIds },
        stores: { storeScope, storeIds: role.stores.map(({ id }) => id) },
      }}
      submit={async (values) => {
        const body = { ...draftOf(values), editVersion: role.editVersion };
        await update.mutateAsync({ params: { id: role.id }, body });
        toast.success(`角色“${values.name.trim()}”已保存，成员的下一次操作即按新权限`);
      }}
    />
  );
}
