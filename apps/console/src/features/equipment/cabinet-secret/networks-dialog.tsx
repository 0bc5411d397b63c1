// IP allow-list of a cabinet: one address or network on each line.
import {
  cabinetSecretContract,
  type KeyedCabinet,
  Network,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { MAX_NETWORKS } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import Input from "antd/es/input";
import { Type } from "typebox";
import { networksOf, networksProblem } from "../../../domain/key/networks.ts";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";

const Lines = Strict({ lines: Type.String() });

const fields: FieldOf<typeof Lines>[] = [
  {
    name: "lines",
    label: "允许的 IP 或网段（每行一条，留空为不限）",
    control: <Input.TextArea rows={6} placeholder={"10.1.2.0/24\n203.0.113.9"} />,
    problem: (value) => networksProblem(Network, value, MAX_NETWORKS),
    hint: "设备连接时检查；已连接的设备不受影响，下次连接起生效。",
  },
];

export interface NetworksDialogProps {
  /** Null: the dialog is closed. */
  cabinet: KeyedCabinet | null;
  onClose: () => void;
}

export function NetworksDialog({ cabinet, onClose }: NetworksDialogProps) {
  const save = useWrite(cabinetSecretContract.saveNetworks);
  return (
    <FormDialog
      open={cabinet !== null}
      title="IP 白名单"
      schema={Lines}
      fields={fields}
      initial={{ lines: cabinet?.networks.join("\n") ?? "" }}
      submit={async ({ lines }) => {
        const networks = [...new Set(networksOf(lines))];
        await save.mutateAsync({ params: { id: cabinet?.cabinetId ?? 0 }, body: { networks } });
        toast.success(networks.length > 0 ? `已保存 ${networks.length} 条` : "已改为不限");
      }}
      onClose={onClose}
    >
      {cabinet && (
        <p>
          设备
          <b>
            “{cabinet.name}”（{cabinet.sn}）
          </b>
          只能从以下地址连接。
        </p>
      )}
    </FormDialog>
  );
}
