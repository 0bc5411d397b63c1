// 分配租户: turns each device into a cabinet of the tenant that awaits activation.
import {
  type DeviceStock,
  deviceStockContract,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import { Type } from "typebox";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { DeviceNames } from "./device-stock-actions.tsx";

const TenantChoice = Strict({ tenantId: Type.Integer({ title: "租户", minimum: 1 }) });

export interface AssignTenantProps {
  /** Empty while the dialog is closed. */
  devices: readonly Pick<DeviceStock, "id" | "sn">[];
  onClose: () => void;
  onDone: () => void;
}

export function AssignTenant({ devices, onClose, onDone }: AssignTenantProps) {
  const isOpen = devices.length > 0;
  const assign = useWrite(deviceStockContract.assign);
  const fields: FieldOf<typeof TenantChoice>[] = [
    {
      name: "tenantId",
      label: "租户",
      control: <TenantSelect />,
    },
  ];
  return (
    <FormDialog
      open={isOpen}
      title="分配租户"
      schema={TenantChoice}
      fields={fields}
      submitText="分配"
      submit={async ({ tenantId }) => {
        const stockIds = devices.map(({ id }) => id);
        const { changed } = await assign.mutateAsync({ body: { stockIds, tenantId } });
        toast.success(`已分配 ${changed} 台设备，租户的设备列表中显示为“未启用”`);
        onDone();
      }}
      onClose={onClose}
    >
      <DeviceNames devices={devices} />
      <p className="ui-form-note">
        设备会按型号生成格口，出现在该租户的设备列表中，现场用激活码激活后自动投入运营。
      </p>
    </FormDialog>
  );
}
