// Actions on several cabinets at once: 分配门店, 移出门店, 下发参数, 打印二维码.
import {
  type Cabinet,
  CabinetConfig,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { Id, Strict } from "@cabinet/contract/kit/fields.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { useState } from "react";
import { configFields } from "../../../domain/cabinet/cabinet-config-fields.tsx";
import { toast } from "../../../kit/feedback.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Action } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { filledIn } from "./cabinet-edit.rules.ts";
import { CabinetLabels } from "./cabinet-labels.tsx";

const MIXED_TENANTS = "所选设备属于不同租户，门店不能跨租户：请按租户分别选择设备后再分配。";
const StoreChoice = Strict({ storeId: Id });

/** Maximum number of cabinets in one call. */
const MAX_CABINETS = 200;

function idsOf(cabinets: readonly Cabinet[]): number[] {
  if (cabinets.length > MAX_CABINETS) {
    throw new Error(`一次最多处理 ${MAX_CABINETS} 台设备，请减少选择后分批操作`);
  }
  return cabinets.map((cabinet) => cabinet.id);
}

export interface BatchProps {
  cabinets: readonly Cabinet[];
  onDone: () => void;
}

export function CabinetBatch({ cabinets, onDone }: BatchProps) {
  const [open, setOpen] = useState<"store" | "config" | "labels" | null>(null);
  const assign = useWrite(cabinetContract.assignStore);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen("store")}>分配门店</Button>
      <Action
        question={{
          title: "移出门店",
          effect: (
            <>
              以下设备将不再属于任何门店，可随时重新分配：
              <CabinetNames cabinets={cabinets} />
            </>
          ),
          confirm: "移出门店",
          isDanger: true,
          run: async () => {
            const cabinetIds = idsOf(cabinets);
            const reply = await assign.mutateAsync({ body: { cabinetIds, storeId: null } });
            toast.success(`已将 ${reply.changed} 台设备移出门店`);
            onDone();
          },
        }}
      >
        移出门店
      </Action>
      <Button onClick={() => setOpen("config")}>下发参数</Button>
      <Button onClick={() => setOpen("labels")}>打印二维码</Button>
      <AssignStore open={open === "store"} cabinets={cabinets} onClose={close} onDone={onDone} />
      <PushConfig open={open === "config"} cabinets={cabinets} onClose={close} onDone={onDone} />
      <CabinetLabels open={open === "labels"} cabinets={cabinets} onClose={close}>
        <CabinetNames cabinets={cabinets} />
      </CabinetLabels>
    </>
  );
}

function CabinetNames({ cabinets }: { cabinets: readonly Cabinet[] }) {
  const names = cabinets.slice(0, 5).map((cabinet) => cabinet.name);
  const rest = cabinets.length - names.length;
  return (
    <p>
      <b>{names.join("、")}</b>
      {rest > 0 && ` 等 ${cabinets.length} 台设备`}
    </p>
  );
}

interface BatchDialogProps extends BatchProps {
  open: boolean;
  onClose: () => void;
}

function AssignStore({ open, cabinets, onClose, onDone }: BatchDialogProps) {
  const tenantIds = [...new Set(cabinets.map((cabinet) => cabinet.tenantId))];
  const [tenantId] = tenantIds;
  const isMixed = tenantIds.length > 1;
  const stores = useCall(
    storeContract.options,
    { query: tenantId === undefined ? {} : { tenantId } },
    { enabled: open && !isMixed, toasts: true },
  );
  const assign = useWrite(cabinetContract.assignStore);
  const fields: FieldOf<typeof StoreChoice>[] = [
    {
      name: "storeId",
      label: "门店",
      control: <OneSelect answer={stores} placeholder="请选择门店" isDisabled={isMixed} />,
    },
  ];
  return (
    <FormDialog
      open={open}
      title="分配门店"
      schema={StoreChoice}
      fields={fields}
      submitText="分配"
      submit={async ({ storeId }) => {
        if (isMixed) throw new Error(MIXED_TENANTS);
        const cabinetIds = idsOf(cabinets);
        const { changed } = await assign.mutateAsync({ body: { cabinetIds, storeId } });
        toast.success(`已分配 ${changed} 台设备`);
        onDone();
      }}
      onClose={onClose}
    >
      <CabinetNames cabinets={cabinets} />
      {isMixed && <p className="ui-form-note">{MIXED_TENANTS}</p>}
    </FormDialog>
  );
}

function PushConfig({ open, cabinets, onClose, onDone }: BatchDialogProps) {
  const push = useWrite(cabinetContract.pushConfig);
  const mayRollOut = usePermission("rollout:write");
  const isMixed = new Set(cabinets.map((cabinet) => cabinet.tenantId)).size > 1;
  const rollout = {
    cabinetIds: cabinets.map((cabinet) => cabinet.id).join(","),
    tenantId: cabinets[0]?.tenantId,
  };
  return (
    <FormDialog
      open={open}
      title="下发参数"
      schema={CabinetConfig}
      fields={configFields}
      submitText={`下发到 ${cabinets.length} 台设备`}
      submit={async (values) => {
        const config = filledIn(values);
        if (Object.keys(config).length === 0) throw new Error("请至少填写一项要修改的参数");
        const cabinetIds = idsOf(cabinets);
        const { changed } = await push.mutateAsync({ body: { cabinetIds, config } });
        toast.success(`参数已下发到 ${changed} 台设备，离线设备上线后同步`);
        onDone();
      }}
      onClose={onClose}
    >
      <CabinetNames cabinets={cabinets} />
      <p className="ui-form-note">
        只修改填写的项，留空的项保持设备现有值。
        {mayRollOut && !isMixed && (
          <>
            设备较多或没有把握时，可以
            <Link className="ui-link" to={pathTo("/cupboard/index?view=rollouts", rollout)}>
              分批下发
            </Link>
            ：先下发到少数设备，失败过多自动停止，还能回退。
          </>
        )}
      </p>
    </FormDialog>
  );
}
