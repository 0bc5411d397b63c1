// Form that registers or edits one device; a new device's activation code is shown once.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  DeviceChange,
  type DeviceStock,
  deviceStockContract,
  type IssuedCode,
  NewDevice,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { normalizeSn } from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import AutoComplete from "antd/es/auto-complete";
import Input from "antd/es/input";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { counted } from "../../../ui/form/counted.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";

/** Normalizes while typing: pasted spaces are removed, full-width characters made half-width. */
function SnInput(props: Control<string>) {
  const { value, onChange, id } = props;
  return (
    <Input
      {...(id && { id })}
      maxLength={40}
      placeholder="铭牌上的编号，如：ZC26S24A0001"
      value={value ?? ""}
      onChange={(event) => onChange?.(event.target.value)}
      onBlur={(event) => onChange?.(normalizeSn(event.target.value))}
    />
  );
}

function useFields(isOpen: boolean): FieldOf<typeof DeviceChange>[] {
  const models = useCall(cabinetModelContract.options, {}, { enabled: isOpen, toasts: true });
  const batches = useCall(deviceStockContract.batches, {}, { enabled: isOpen });
  return [
    {
      name: "modelId",
      label: "型号",
      control: <OneSelect answer={models} placeholder="请选择型号" />,
    },
    {
      name: "batch",
      label: "批次",
      control: (
        <AutoComplete
          placeholder="如：2026-11 首批"
          options={batches.data?.map((value) => ({ value })) ?? []}
          showSearch={{ filterOption: true }}
        />
      ),
    },
    {
      name: "remark",
      label: "备注",
      control: <Input.TextArea rows={2} count={counted(200)} />,
    },
  ];
}

interface AddDeviceProps {
  open: boolean;
  onClose: () => void;
  onCode: (code: IssuedCode) => void;
}

export function AddDevice({ open, onClose, onCode }: AddDeviceProps) {
  const add = useWrite(deviceStockContract.add);
  const fields: FieldOf<typeof NewDevice>[] = [
    {
      name: "sn",
      label: "设备编号",
      hint: "8–32 位大写字母和数字，登记后不能修改",
      control: <SnInput />,
    },
    ...useFields(open),
  ];
  return (
    <FormDialog
      open={open}
      title="登记新设备"
      schema={NewDevice}
      fields={fields}
      submitText="登记"
      submit={async (body) => onCode(await add.mutateAsync({ body }))}
      onClose={onClose}
    />
  );
}

export function ChangeDevice({
  device,
  onClose,
}: {
  device: DeviceStock | null;
  onClose: () => void;
}) {
  const change = useWrite(deviceStockContract.change);
  const fields = useFields(device !== null);
  return (
    <FormDialog
      open={device !== null}
      title={`编辑 ${device?.sn ?? ""}`}
      schema={DeviceChange}
      fields={fields}
      {...(device && {
        initial: { modelId: device.modelId, batch: device.batch, remark: device.remark },
      })}
      submit={async (body) => {
        if (!device) return;
        await change.mutateAsync({ params: { id: device.id }, body });
        toast.success(`${device.sn} 已保存`);
      }}
      onClose={onClose}
    >
      {device && device.state !== "IN_STOCK" && (
        <p className="ui-form-note">设备已分配，型号不能再更换；批次和备注可以修改。</p>
      )}
    </FormDialog>
  );
}
