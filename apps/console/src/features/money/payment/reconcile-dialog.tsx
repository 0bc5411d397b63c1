// 立即对账: choose the day and, as platform staff, the tenant.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { DayInput } from "../../../ui/form/day-input.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { Field } from "../../../ui/form/record-form.tsx";
import { useListState } from "../../../ui/list/list-state.ts";

export interface ReconcileDialogProps {
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function ReconcileDialog({ open, onClose, onDone }: ReconcileDialogProps) {
  const isPlatform = useIsPlatform();
  const { tenantId: own } = useSignedIn();
  const chosen = Number(useListState().texts.tenantId) || own;
  const run = useWrite(reconciliationContract.run);
  const tenantField: Field<"tenantId"> = {
    name: "tenantId",
    label: "租户",
    control: <TenantSelect />,
  };
  const today = shanghaiDay(Date.now());
  return (
    <FormDialog
      open={open}
      title="立即对账"
      schema={reconciliationContract.run.body}
      initial={{ day: addDays(today, -1), ...(isPlatform && { tenantId: chosen }) }}
      fields={[
        ...(isPlatform ? [tenantField] : []),
        {
          name: "day",
          label: "账期",
          control: <DayInput from={addDays(today, -365)} />,
          hint: "核对这一天的流水、充值与微信账单，以及全部钱包、套餐卡和近 31 天的订单；不改动任何金额",
          problem: (day) => (String(day) > today ? "账期不能晚于今天" : null),
        },
      ]}
      submitText="开始对账"
      submit={async (body) => {
        await run.mutateAsync({ body });
        onDone();
        toast.success("已开始对账，完成后自动显示结果");
      }}
      onClose={onClose}
    />
  );
}
