// Dialog that credits a tenant with text messages: count, price, reason and new balance.

import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import {
  type SmsAccount,
  SmsRechargeDraft,
  smsCreditContract,
} from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import {
  fenPerSegment,
  MAX_RECHARGE_FEN,
  MAX_RECHARGE_SEGMENTS,
} from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import { toast } from "../../../kit/feedback.ts";
import { formatNumber } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { type FieldOf, FormField } from "../../../ui/form/record-form.tsx";
import { YuanInput, yuanProblem } from "../../../ui/form/yuan-input.tsx";

/** Calls that show sms balances, invalidated after a change. */
export const smsCreditChanged = { invalidates: [tenancyContract.list] };

interface RechargeDialogProps {
  /** Null while the dialog is closed. */
  account: SmsAccount | null;
  onClose: () => void;
}

export function RechargeDialog({ account, onClose }: RechargeDialogProps) {
  const recharge = useWrite(smsCreditContract.recharge, smsCreditChanged);
  return (
    <FormDialog
      open={account !== null}
      title={account ? `短信充值：${account.tenantName}` : ""}
      schema={SmsRechargeDraft}
      initial={{ tenantId: account?.tenantId ?? 0 }}
      fields={[]}
      submitText="确认充值"
      submit={async ({ segments, amountFen, reason }) => {
        if (!account) return;
        const { tenantId } = account;
        const { left } = await recharge.mutateAsync({
          body: { tenantId, segments, amountFen, reason },
        });
        toast.success(`已为 ${account.tenantName} 充值，可用 ${formatNumber(left)} 条`);
      }}
      onClose={onClose}
    >
      {fields.map((field) => (
        <FormField key={field.name} schema={SmsRechargeDraft} field={field} />
      ))}
      {account && <Preview account={account} />}
    </FormDialog>
  );
}

const fields: FieldOf<typeof SmsRechargeDraft>[] = [
  {
    name: "segments",
    label: "充值条数",
    control: (
      <InputNumber
        precision={0}
        min={1}
        max={MAX_RECHARGE_SEGMENTS}
        suffix="条"
        placeholder="按计费条数"
      />
    ),
  },
  {
    name: "amountFen",
    label: "充值金额",
    control: <YuanInput placeholder="赠送填 0" />,
    hint: "租户为此支付的金额，只作记录，不动用任何钱包",
    problem: (value) => yuanProblem(value, "充值金额", MAX_RECHARGE_FEN),
  },
  {
    name: "reason",
    label: "说明",
    control: (
      <Input.TextArea rows={2} maxLength={200} placeholder="如：合同号、付款凭证；租户可以看到" />
    ),
  },
];

/** Preview of the new balance and the unit price. */
function Preview({ account }: { account: SmsAccount }) {
  const segments = Form.useWatch<unknown>("segments");
  const amountFen = Form.useWatch<unknown>("amountFen");
  if (typeof segments !== "number") return null;
  const fen = typeof amountFen === "number" ? fenPerSegment(amountFen, segments) : null;
  return (
    <p className="sms-preview" role="status">
      <span>
        可用条数 {formatNumber(account.left)} → <b>{formatNumber(account.left + segments)}</b>
      </span>
      {fen !== null && <small>单价 {(fen / 100).toFixed(4)} 元/条</small>}
    </p>
  );
}
