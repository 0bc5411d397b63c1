// 新增角色, and with `&id=` 编辑角色: grants and stores of a role.
import {
  type RoleDetail,
  type RoleDraft,
  roleContract,
} from "@cabinet/contract/identity/access/role.contract.ts";
import { useState } from "react";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { EditPage } from "../../../ui/display/one-record.tsx";
import { FormPage } from "../../../ui/form/form-frames.tsx";
import { roleChanged } from "./role-actions.tsx";
import { RoleForm, roleFields } from "./role-fields.tsx";

const list = { path: "/set/role", title: "角色管理" } as const;

function draftOf({ tenantId: _, stores, ...draft }: RoleForm): RoleDraft {
  return { ...draft, ...stores };
}

export default function RoleEditPage() {
  return (
    <EditPage
      noun="角色"
      spec={roleContract.get}
      list={list}
      create={<NewRole />}
      edit={(fetched) => <EditRole fetched={fetched} />}
    />
  );
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

/** Keeps the version that the form was opened with, regardless of later refetches. */
function EditRole({ fetched }: { fetched: RoleDetail }) {
  const [role] = useState(fetched);
  const update = useWrite(roleContract.update, roleChanged);
  const { tenantId, name, remark, entryIds, storeScope, needsSecondFactor } = role;
  return (
    <FormPage
      title={`编辑角色：${role.name}`}
      backTo={list.path}
      schema={RoleForm}
      fields={roleFields(false)}
      initial={{
        ...{ tenantId, name, remark, entryIds, needsSecondFactor },
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
