// Form fields of a store, with controls that depend on its tenant.

import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { openingHoursProblem } from "@cabinet/contract/kit/opening-hours.rules.ts";
import { coordinatesProblem } from "@cabinet/contract/kit/place.rules.ts";
import {
  type StoreDetail,
  StoreDraft,
  storeContract,
} from "@cabinet/contract/organization/store/store.contract.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { type Static, Type } from "typebox";
import { TenantSelect, type TenantSelectProps } from "../../../domain/tenant/tenant-select.tsx";
import { useCall } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { counted } from "../../../ui/form/counted.ts";
import { OpeningHoursInput } from "../../../ui/form/opening-hours-input.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { RegionInput } from "../../../ui/form/region-input.tsx";
import { MapPicker, type MapPickerProps, type Place } from "../../../ui/map-picker/map-picker.tsx";
import { ContactPhoneInput } from "./contact-phone.tsx";

const { address: _, longitude: __, latitude: ___, ...plainFields } = StoreDraft.properties;
/** Form values: the call's fields, with address and coordinates combined as `place`. */
export const StoreForm = Type.Object({
  tenantId: Type.Integer({ minimum: 1 }),
  ...plainFields,
  place: Type.Optional(Type.Unsafe<Place>({})),
});
export type StoreForm = Static<typeof StoreForm>;

interface StoreFieldsInput {
  /** Platform staff also choose the tenant of a new store. */
  isPlatform: boolean;
  /** Null for a new store. */
  store: StoreDetail | null;
}

export function storeFields({ isPlatform, store }: StoreFieldsInput): FieldOf<typeof StoreForm>[] {
  const tenantField: FieldOf<typeof StoreForm> = {
    name: "tenantId",
    label: "租户",
    control: <StoreTenant />,
    isWide: true,
  };
  const fields: FieldOf<typeof StoreForm>[] = [
    { name: "name", label: "门店名称", control: <Input /> },
    {
      name: "code",
      label: "门店编码",
      control: store ? <Input placeholder="如：HZ-07" /> : <CodeInput />,
      hint: "字母、数字、- 和 _，同一租户内不能重复",
    },
    {
      name: "managerId",
      label: "负责人",
      control: <ManagerSelect store={store} />,
    },
    {
      name: "openingHours",
      label: "营业时间",
      control: <OpeningHoursInput />,
      hint: "未设置时以租户的默认营业时间为准",
      problem: (value) => openingHoursProblem(String(value ?? "")),
      isWide: true,
    },
    { name: "region", label: "所在地区", control: <RegionInput />, section: "位置" },
    {
      name: "place",
      label: "地址与坐标",
      control: <StorePlace />,
      problem: (value) => (value ? coordinatesProblem(value as Place) : null),
      isWide: true,
    },
    {
      name: "contactName",
      label: "联系人",
      control: <Input placeholder="如：门店店长" />,
      section: "联系人",
    },
    {
      name: "contactPhone",
      label: "联系电话",
      control: (
        <ContactPhoneInput
          {...(store && { known: { storeId: store.id, masked: store.contactPhone } })}
        />
      ),
      hint: "列表中隐藏中间四位；查看完整号码会记入操作审计",
    },
    {
      name: "remark",
      label: "备注",
      control: <Input.TextArea rows={3} count={counted(200)} />,
      section: "其他",
      isWide: true,
    },
  ];
  const [first, ...rest] = isPlatform ? [tenantField, ...fields] : fields;
  return first ? [{ ...first, section: "基本信息" }, ...rest] : rest;
}

const useTenantId = () => Form.useWatch<number | undefined>("tenantId", { preserve: true });

function StoreTenant(props: TenantSelectProps) {
  const form = Form.useFormInstance();
  return (
    <TenantSelect
      {...props}
      onChange={(id) => {
        // A manager must belong to the store's tenant.
        form.setFieldValue("managerId", undefined);
        props.onChange?.(id);
      }}
    />
  );
}

/** Offers the next free code; taken through the control, it counts as input. */
function CodeInput({ id, value, onChange }: Control<string>) {
  const tenantId = useTenantId();
  const suggested = useCall(
    storeContract.nextCode,
    { query: tenantId ? { tenantId } : {} },
    { enabled: tenantId !== undefined },
  );
  return (
    <Input
      {...(id && { id })}
      placeholder="如：HZ-07"
      value={value ?? ""}
      onChange={(event) => onChange?.(event.target.value)}
      suffix={
        suggested.data &&
        suggested.data !== value && (
          <button type="button" className="ui-link" onClick={() => onChange?.(suggested.data)}>
            使用建议的 {suggested.data}
          </button>
        )
      }
    />
  );
}

interface ManagerSelectProps extends Control<number | null> {
  store: StoreDetail | null;
}

function ManagerSelect({ id, value, onChange, store }: ManagerSelectProps) {
  const tenantId = useTenantId();
  const managers = useCall(
    storeContract.managers,
    { query: tenantId ? { tenantId } : {} },
    { enabled: tenantId !== undefined, staleTime: 60_000 },
  );
  const options = (managers.data ?? []).map((manager) => ({
    value: manager.id,
    label: `${manager.displayName}（${userTypeText[manager.userType]}）`,
  }));
  // Keep the present manager as an option even if the account is disabled.
  if (store?.managerId && !options.some((option) => option.value === store.managerId)) {
    options.unshift({ value: store.managerId, label: store.managerName ?? "已停用的账号" });
  }
  return (
    <Select
      {...(id && { id })}
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      placeholder={tenantId === undefined ? "请先选择租户" : "选择本租户的一个账号"}
      loading={managers.isLoading}
      notFoundContent={
        tenantId === undefined ? "请先选择租户" : (managers.error?.message ?? "没有可选的账号")
      }
      options={options}
      {...(value && { value })}
      onChange={(chosen: number | undefined) => onChange?.(chosen ?? null)}
    />
  );
}

/** Map picker; an address chosen on the map also fills the region. */
function StorePlace(props: MapPickerProps) {
  const form = Form.useFormInstance();
  const name = Form.useWatch<string | undefined>("name");
  return (
    <MapPicker
      {...props}
      {...(name && { name })}
      onRegion={(region) => form.setFieldValue("region", region)}
    />
  );
}
