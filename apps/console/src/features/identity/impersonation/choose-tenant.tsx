// 进入租户 from any page: choose tenant and reason for the impersonation.
import { Reason, Strict, TenantId } from "@cabinet/contract/kit/fields.ts";
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import Input from "antd/es/input";
import { useCall } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { counted } from "../../../ui/form/counted.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import { enterTenant, IMPERSONATION_EFFECT, IMPERSONATION_REASONS } from "./enter-tenant.ts";

const Choice = Strict({ tenantId: TenantId, reason: Reason });

export function ChooseTenant({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { tenantId: own } = useSignedIn();
  const { data, isLoading } = useCall(tenantContract.options, {}, { enabled: open, toasts: true });
  const others = data?.filter(({ id }) => id !== own);
  return (
    <FormDialog
      open={open}
      title="进入租户"
      schema={Choice}
      fields={[
        {
          name: "tenantId",
          label: "租户",
          control: <OneSelect answer={{ data: others, isLoading }} placeholder="请选择租户" />,
        },
        {
          name: "reason",
          label: "原因",
          hint: "至少 2 个字，记入该租户的操作审计",
          control: (
            <Input.TextArea
              rows={3}
              maxLength={200}
              count={counted()}
              placeholder={`如：${IMPERSONATION_REASONS[0]}`}
            />
          ),
        },
      ]}
      submitText="进入查看"
      submit={({ tenantId, reason }) => enterTenant(tenantId, reason.trim())}
      onClose={onClose}
    >
      <p className="ui-form-note">{IMPERSONATION_EFFECT}</p>
    </FormDialog>
  );
}
