// Controls of an account's form that depend on its tenant: kind, roles, stores.
import { roleContract } from "@cabinet/contract/access/role.contract.ts";
import type { UserType } from "@cabinet/contract/auth/auth.contract.ts";
import { userTypeText } from "@cabinet/contract/operator/operator.rules.ts";
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import Form from "antd/es/form";
import Select from "antd/es/select";
import { useCall } from "../../kit/query.ts";
import { ChoiceBar } from "../../ui/choice-bar.tsx";
import { TenantSelect, type TenantSelectProps } from "../../ui/tenant-select.tsx";

const OPTIONS_STALE_MS = 30_000;

/** Given by the form. */
interface ControlProps<Value> {
  id?: string;
  value?: Value;
  onChange?: (value: Value) => void;
}

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

interface KindChoiceProps extends ControlProps<UserType> {
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

interface IdsSelectProps extends ControlProps<number[]> {
  label: string;
  answer: {
    data?: readonly { id: number; name: string; isWithinReach?: boolean }[] | undefined;
    isLoading: boolean;
  };
}

/** What goes further than one's own rights stands there greyed, and says so. */
function IdsSelect({ id, value = [], onChange, label, answer }: IdsSelectProps) {
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      showSearch={{ optionFilterProp: "label" }}
      placeholder={`选择${label}，可多选`}
      loading={answer.isLoading}
      notFoundContent={answer.isLoading ? "正在加载…" : `没有可选的${label}`}
      value={value}
      options={answer.data?.map(({ id: key, name, isWithinReach = true }) => ({
        value: key,
        label: isWithinReach ? name : `${name}（超出您自己的权限）`,
        disabled: !isWithinReach,
      }))}
      onChange={(ids: number[]) => onChange?.(ids)}
    />
  );
}

type OfTenantProps = ControlProps<number[]> & { tenantId: number | undefined };

export function RolesSelect({ tenantId, ...control }: OfTenantProps) {
  const roles = useCall(
    roleContract.options,
    { query: tenantId ? { tenantId } : {} },
    { enabled: tenantId !== undefined, isQuiet: true, staleTime: OPTIONS_STALE_MS },
  );
  return <IdsSelect {...control} label="角色" answer={roles} />;
}

export function StoresSelect({ tenantId, ...control }: OfTenantProps) {
  const stores = useCall(
    storeContract.options,
    { query: tenantId ? { tenantId } : {} },
    { enabled: tenantId !== undefined, isQuiet: true, staleTime: OPTIONS_STALE_MS },
  );
  return <IdsSelect {...control} label="门店" answer={stores} />;
}
