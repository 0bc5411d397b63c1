// Fields of the role form, and the controls that depend on the role's tenant.
import { RoleDraft, roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import {
  STORE_SCOPES,
  type StoreScope,
  storeScopeProblem,
  storeScopeText,
} from "@cabinet/contract/identity/access/role.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Radio from "antd/es/radio";
import Switch from "antd/es/switch";
import { type Static, Type } from "typebox";
import { CheckTree, type CheckTreeProps } from "../../../domain/menu/check-tree.tsx";
import { TenantSelect, type TenantSelectProps } from "../../../domain/tenant/tenant-select.tsx";
import { useCall } from "../../../kit/query.ts";
import { AnswerState } from "../../../ui/display/states.tsx";
import type { Control } from "../../../ui/form/control.ts";
import { ManySelect } from "../../../ui/form/many-select.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import "./role.css";

/** Stores at which the members work; a value of the form. */
interface RoleStores {
  storeScope: StoreScope;
  storeIds: number[];
}

const { storeScope: _, storeIds: __, ...plainFields } = RoleDraft.properties;
/** Fields of the call, with the stores as a single value. */
export const RoleForm = Type.Object({
  tenantId: Type.Integer({ minimum: 1 }),
  ...plainFields,
  stores: Type.Unsafe<RoleStores>({}),
});
export type RoleForm = Static<typeof RoleForm>;

/** Platform staff choose the tenant of a new role. */
export function roleFields(asksTenant: boolean): FieldOf<typeof RoleForm>[] {
  const fields: FieldOf<typeof RoleForm>[] = [
    {
      name: "name",
      label: "角色名称",
      control: <Input placeholder="如：区域主管" />,
      section: "基本信息",
    },
    { name: "remark", label: "备注", control: <Input /> },
    {
      name: "stores",
      label: "门店范围",
      control: <StoresInput />,
      section: "权限",
      hint: "成员只看到这些门店的设备、订单和故障；本人负责的门店始终可见。运维人员即使选“全部门店”，也只看到负责的和指定的门店",
      problem: (value) => {
        const { storeScope, storeIds } = value as RoleStores;
        return storeScopeProblem(storeScope, storeIds);
      },
      isWide: true,
    },
    {
      name: "needsSecondFactor",
      label: "要求两步验证",
      control: <Switch />,
      valueName: "checked",
      hint: "成员下次登录须先绑定手机验证器，以后登录除密码外还要输入验证码",
      isWide: true,
    },
    {
      name: "entryIds",
      label: "功能权限",
      control: <GrantsInput />,
      isWide: true,
    },
  ];
  if (!asksTenant) return fields;
  const [first, ...rest] = fields;
  const tenantField: FieldOf<typeof RoleForm> = {
    name: "tenantId",
    label: "租户",
    control: <TenantInput />,
    section: "基本信息",
    isWide: true,
  };
  const { section: _, ...name } = first as FieldOf<typeof RoleForm>;
  return [tenantField, name, ...rest];
}

function useOffered() {
  const tenantId = Form.useWatch<number | undefined>("tenantId", { preserve: true });
  const answer = useCall(
    roleContract.grantable,
    { query: tenantId === undefined ? {} : { tenantId } },
    { enabled: tenantId !== undefined, staleTime: 60_000 },
  );
  return { tenantId, answer };
}

function TenantInput(props: TenantSelectProps) {
  const form = Form.useFormInstance();
  return (
    <TenantSelect
      {...props}
      onChange={(id) => {
        // Grants and stores are specific to a tenant: reset them.
        form.setFieldsValue({ entryIds: [], stores: undefined });
        props.onChange?.(id);
      }}
    />
  );
}

function StoresInput({ id, value, onChange }: Control<RoleStores>) {
  const { tenantId, answer } = useOffered();
  const storeIds = value?.storeIds ?? [];
  const stores = answer.data?.stores;
  const chosen = storeIds.map((storeId) => ({
    id: storeId,
    name: stores?.find((store) => store.id === storeId)?.name ?? "…",
  }));
  return (
    <>
      <Radio.Group
        {...(id && { id })}
        value={value?.storeScope}
        options={STORE_SCOPES.map((scope) => ({
          value: scope,
          label: storeScopeText[scope],
          disabled: scope === "ALL" && answer.data?.isStoreBound === true,
          ...(scope === "ALL" &&
            answer.data?.isStoreBound && { title: "您自己只管理部分门店，不能授予全部门店" }),
        }))}
        onChange={(event) => onChange?.({ storeScope: event.target.value, storeIds })}
      />
      {value?.storeScope === "LISTED" &&
        (tenantId === undefined ? (
          <p className="ui-cell-none">请先选择租户</p>
        ) : (
          <div className="role-stores">
            <ManySelect
              label="门店"
              options={stores}
              chosen={chosen}
              onChange={(some) =>
                onChange?.({ storeScope: "LISTED", storeIds: some.map((store) => store.id) })
              }
            />
          </div>
        ))}
    </>
  );
}

function GrantsInput(props: Pick<CheckTreeProps, "id" | "value" | "onChange">) {
  const { tenantId, answer } = useOffered();
  if (tenantId === undefined) return <p className="ui-cell-none">请先选择租户</p>;
  if (!answer.data) return <AnswerState answer={answer} />;
  const own = new Set(answer.data.entryIds);
  return (
    <CheckTree
      {...props}
      tree={answer.data.tree}
      blocked={({ id }) => (own.has(id) ? undefined : "您自己没有这项权限，不能授予或收回")}
    />
  );
}
