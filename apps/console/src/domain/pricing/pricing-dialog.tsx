// Dialog that sets the pricing rule of a store or tenant and shows how many cabinets use it.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  PricingRuleBody,
  pricingContract,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import type { RatedRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import Form from "antd/es/form";
import { toast } from "../../kit/feedback.ts";
import { useCall, useWrite } from "../../kit/query.ts";
import { FormDialog } from "../../ui/form/form-frames.tsx";
import { PricingExample } from "./pricing-example.tsx";
import { pricingFields } from "./pricing-fields.tsx";

export interface PricingTarget {
  tenantId: number;
  /** Absent: the rule of the tenant. */
  storeId?: number;
  /** Name of the store or tenant. */
  name: string;
}

export interface PricingDialogProps {
  /** Null while the dialog is closed. */
  target: PricingTarget | null;
  /** Fills the form instead of the rule in force. */
  draft?: RatedRule;
  onClose: () => void;
}

const START = { freeMinutes: 0, perUseFen: 0, stepMinutes: 60, overdueAfterMinutes: 1_440 };

export function PricingDialog({ target, draft, onClose }: PricingDialogProps) {
  const { tenantId, storeId, name } = target ?? { tenantId: 0, name: "" };
  const place = { tenantId, ...(storeId !== undefined && { storeId }) };
  const answer = useCall(
    pricingContract.get,
    { query: place },
    { enabled: target !== null, staleTime: 0, toasts: true },
  );
  const save = useWrite(pricingContract.save, { invalidates: [cabinetContract.get] });
  const title = storeId === undefined ? `租户计费规则：${name}` : `门店计费规则：${name}`;
  if (!answer.data) return null;
  const { rule, cabinets } = answer.data;
  return (
    <FormDialog
      open={target !== null}
      title={title}
      width={640}
      schema={PricingRuleBody}
      fields={pricingFields()}
      initial={draft ?? rule ?? START}
      submit={async (values) => {
        const body = { ...place, version: rule?.version ?? 0, rule: values };
        await save.mutateAsync({ body });
        toast.success("计费规则已保存，对之后开始的存放生效");
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">
        {rule ? `现有 ${cabinets} 台设备按这条规则计费。` : "暂未设置规则。"}
        单独设置了规则的设备不受影响。
      </p>
      <TypedExample />
    </FormDialog>
  );
}

function TypedExample() {
  return <PricingExample rule={Form.useWatch([], Form.useFormInstance())} />;
}
