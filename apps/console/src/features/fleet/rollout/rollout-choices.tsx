// Selects of the roll-out form: released firmware, tenants, stores, models, cabinets.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { firmwareContract } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Form from "antd/es/form";
import Select from "antd/es/select";
import { CabinetSelect } from "../../../domain/cabinet-select.tsx";
import { useCall } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import type { Control } from "../../../ui/form/control.ts";
import type { Named } from "../../../ui/form/many-select.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";

type Choice<Value> = Control<Value, Value | undefined>;

const FRESH = { staleTime: 60_000 };

export function FirmwareInput(given: Choice<number>) {
  const query = { page: 1, pageSize: 100 };
  const { data, isLoading } = useCall(firmwareContract.released, { query }, FRESH);
  const options = data?.list.map(({ id, version, models }) => ({
    id,
    name: `${version}（${models.map((model) => model.name).join("、")}）`,
  }));
  return (
    <OneSelect
      {...given}
      answer={{ data: options, isLoading }}
      placeholder="请选择固件"
      isOptional
    />
  );
}

export function TenantInput(given: Choice<number>) {
  const form = Form.useFormInstance();
  const tenants = useCall(tenantContract.options, {}, FRESH);
  return (
    <OneSelect
      {...given}
      answer={tenants}
      placeholder="请选择租户"
      onChange={(tenantId) => {
        given.onChange?.(tenantId);
        form.setFieldsValue({ storeId: undefined, cabinets: [] });
      }}
    />
  );
}

/** Tenant whose stores and cabinets can be chosen. */
function useTenantId(): number {
  const session = useSignedIn();
  return Form.useWatch<number | undefined>("tenantId", { preserve: true }) ?? session.tenantId;
}

export function StoreInput(given: Choice<number>) {
  const tenantId = useTenantId();
  const stores = useCall(storeContract.options, { query: { tenantId } }, FRESH);
  return <OneSelect {...given} answer={stores} placeholder="全部门店" isOptional />;
}

export function ModelInput(given: Choice<number>) {
  const models = useCall(cabinetModelContract.options, {}, FRESH);
  return <OneSelect {...given} answer={models} placeholder="全部型号" isOptional />;
}

export function SideInput({ id, value, onChange }: Choice<string>) {
  return (
    <Select
      {...(id && { id })}
      allowClear
      placeholder="全部"
      value={value}
      options={Object.entries(sideText).map(([side, label]) => ({ value: side, label }))}
      onChange={(next: string | undefined) => onChange?.(next)}
    />
  );
}

export function CabinetsInput({ value, onChange }: Choice<readonly Named[]>) {
  return (
    <CabinetSelect
      tenantId={useTenantId()}
      chosen={value ?? []}
      onChange={(next) => onChange?.(next)}
    />
  );
}
