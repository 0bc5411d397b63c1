// Account form controls that depend on the tenant: kind, roles, stores.
import { roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import {
  roleIgnoringStores,
  scopeFor,
  storeScopeText,
} from "@cabinet/contract/identity/access/role.rules.ts";
import { operatorContract } from "@cabinet/contract/identity/operator/operator.contract.ts";
import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { errorText } from "@cabinet/contract/kit/errors.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import Form from "antd/es/form";
import Select from "antd/es/select";
import { TenantSelect, type TenantSelectProps } from "../../../domain/tenant/tenant-select.tsx";
import { useCall } from "../../../kit/query.ts";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import type { Control } from "../../../ui/form/control.ts";
import "./account-choices.css";

const OPTIONS_STALE_MS = 30_000;

export function AccountTenant(props: TenantSelectProps) {
  const form = Form.useFormInstance();
  return (
    <TenantSelect
      {...props}
      onChange={(id) => {
        // Roles and stores belong to one tenant, and administrators to the platform alone.
        form.setFieldsValue({ roleIds: [], storeIds: [] });
        if (form.getFieldValue("userType") === 0) form.setFieldsValue({ userType: 1 });
        props.onChange?.(id);
      }}
    />
  );
}

interface KindChoiceProps extends Control<UserType> {
  kinds: readonly UserType[];
}

export function KindChoice({ kinds, value, onChange }: KindChoiceProps) {
  return (
    <ChoiceBar
      label="类型"
      choices={kinds.map((kind) => [String(kind), userTypeText[kind]] as const)}
      chosen={value === undefined ? "" : String(value)}
      onChoose={(kind) => onChange?.(Number(kind) as UserType)}
    />
  );
}

interface IdsSelectProps extends Control<number[]> {
  label: string;
  answer: {
    data?: readonly { id: number; name: string; isWithinReach?: boolean }[] | undefined;
    isLoading: boolean;
  };
}

/** Multi-select; disables and labels options beyond the signed-in account's own permissions. */
function IdsSelect({ id, value = [], onChange, label, answer }: IdsSelectProps) {
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      showSearch={{ optionFilterProp: "label" }}
      placeholder={answer.isLoading ? "正在加载…" : `选择${label}，可多选`}
      loading={answer.isLoading}
      notFoundContent={answer.isLoading ? "正在加载…" : `没有可选的${label}`}
      // Numbers that turn into names would move the button that removes them from under the pointer.
      value={answer.isLoading ? [] : value}
      options={answer.data?.map(({ id: key, name, isWithinReach = true }) => ({
        value: key,
        label: isWithinReach ? name : `${name}（超出您自己的权限）`,
        disabled: !isWithinReach,
      }))}
      onChange={(ids: number[]) => onChange?.(ids)}
    />
  );
}

type OfTenantProps = Control<number[]> & { tenantId: number | undefined };

function useRoleOptions(tenantId: number | undefined) {
  return useCall(
    roleContract.options,
    { query: tenantId ? { tenantId } : {} },
    { enabled: tenantId !== undefined, staleTime: OPTIONS_STALE_MS },
  );
}

interface RolesSelectProps extends OfTenantProps {
  userType: UserType;
  /** The account's stores, if the form has no store control. */
  storeIds?: readonly number[];
}

/** Role select; each option shows the role's store scope. */
export function RolesSelect({ tenantId, userType, storeIds, ...control }: RolesSelectProps) {
  const roles = useRoleOptions(tenantId);
  const data = roles.data?.map((role) => ({
    ...role,
    name: `${role.name}（${storeScopeText[scopeFor(userType, role.storeScope)]}）`,
  }));
  return (
    <>
      <IdsSelect {...control} label="角色" answer={{ data, isLoading: roles.isLoading }} />
      {storeIds && <ScopePreview {...{ tenantId, userType, storeIds }} roleIds={control.value} />}
    </>
  );
}

interface StoresSelectProps extends OfTenantProps {
  userType: UserType;
  roleIds: readonly number[] | undefined;
}

export function StoresSelect({ tenantId, userType, roleIds, ...control }: StoresSelectProps) {
  const stores = useCall(
    storeContract.options,
    { query: tenantId ? { tenantId } : {} },
    { enabled: tenantId !== undefined, staleTime: OPTIONS_STALE_MS },
  );
  const storeIds = control.value ?? [];
  return (
    <>
      <IdsSelect {...control} label="门店" answer={stores} />
      <ScopePreview {...{ tenantId, userType, roleIds, storeIds }} />
    </>
  );
}

interface ScopeProps {
  tenantId: number | undefined;
  userType: UserType;
  roleIds: readonly number[] | undefined;
  storeIds: readonly number[];
}

/** Warns while choosing about stores without effect, which the server would refuse. */
function useIgnoredStores({ tenantId, userType, roleIds = [], storeIds }: ScopeProps) {
  const { data = [] } = useRoleOptions(tenantId);
  const chosen = data.filter(({ id }) => roleIds.includes(id));
  const role = roleIgnoringStores(userType, chosen, storeIds);
  if (userType === 0 && storeIds.length > 0) return errorText("ADMINISTRATOR_STORES");
  return role && errorText("STORES_IGNORED", { role: role.name, count: storeIds.length });
}

/** Stores and cabinets that the account would see, or the reason why the stores have no effect. */
function ScopePreview(props: ScopeProps) {
  const { tenantId, userType, roleIds = [], storeIds } = props;
  const problem = useIgnoredStores(props);
  const isKnown = tenantId !== undefined && (userType === 0 || roleIds.length > 0);
  const { data } = useCall(
    operatorContract.scope,
    {
      body: {
        ...(tenantId !== undefined && { tenantId }),
        userType,
        roleIds: [...roleIds],
        storeIds: [...storeIds],
      },
    },
    { enabled: isKnown && !problem },
  );
  if (problem) {
    return (
      <p className="operator-scope" data-tone="bad" role="alert">
        {problem}
      </p>
    );
  }
  if (!isKnown || !data) return null;
  const stores = data.isStoreBound ? `${data.stores} 家门店` : `全部 ${data.stores} 家门店`;
  return (
    <p className="operator-scope" role="status">
      可见 {stores}、{data.cabinets} 台设备
    </p>
  );
}
