// Refund dialog of a top-up: amount, reason, bonus taken back and remaining balance.
import {
  paymentContract,
  type TopUpPayment,
  TopUpRefundDraft,
} from "@cabinet/contract/money/payment/payment.contract.ts";
import { bonusTakenBack } from "@cabinet/contract/money/payment/payment.rules.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { toast } from "../../../kit/feedback.ts";
import { formatMoney } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { YuanInput, yuanProblem } from "../../../ui/form/yuan-input.tsx";
import "./payment.css";

export interface TopUpRefundDialogProps {
  /** Null while the dialog is closed. */
  topUp: { id: number; person: string } | null;
  onClose: () => void;
}

export function TopUpRefundDialog({ topUp, onClose }: TopUpRefundDialogProps) {
  const answer = useCall(
    paymentContract.topUp,
    { params: { id: topUp?.id ?? 0 } },
    { enabled: topUp !== null, staleTime: 0, toasts: true },
  );
  const refund = useWrite(paymentContract.refundTopUp, {
    invalidates: [walletContract.topUps, walletContract.list],
  });
  if (!topUp || !answer.data || !answer.isFetchedAfterMount) return null;
  const payment = answer.data;
  const most = payment.refundableFen;
  const isCash = payment.channel === "CASH";
  return (
    <FormDialog
      open
      title={`充值退款：${topUp.person}`}
      schema={TopUpRefundDraft}
      initial={{ ...(most > 0 && { fen: most }) }}
      fields={[
        {
          name: "fen",
          label: "退款金额",
          control: <YuanInput />,
          hint: `本次充值实付 ${formatMoney(payment.principalFen)}，现在最多可退 ${formatMoney(most)}：已花费、冻结或退回的部分不能退`,
          problem: (value) => yuanProblem(value, "退款金额", most),
        },
        {
          name: "reason",
          label: "原因",
          control: (
            <Input.TextArea
              rows={2}
              maxLength={200}
              placeholder="记入日志和交易记录，微信退款时用户可见"
            />
          ),
        },
      ]}
      submitText="确认退款"
      submit={async (body) => {
        await refund.mutateAsync({ params: { id: topUp.id }, body });
        toast.success(isCash ? "已登记退款，请把钱交还用户" : "已提交退款，微信处理后原路退回");
      }}
      onClose={onClose}
    >
      <p className="ui-form-note">
        {isCash
          ? "线下收取的充值：登记后请把钱当面或转账交还用户。"
          : "原路退回用户的微信支付账户；提交后立即从钱包扣除，若微信退款失败会退回钱包。"}
      </p>
      <Preview payment={payment} />
    </FormDialog>
  );
}

/** Previews the deduction with the same rule that the server applies. */
function Preview({ payment }: { payment: TopUpPayment }) {
  const typed = Form.useWatch<unknown>("fen");
  const fen = typeof typed === "number" && typed <= payment.refundableFen ? typed : 0;
  const free = {
    principalFen: payment.spendablePrincipalFen,
    bonusFen: payment.spendableBonusFen,
  };
  const bonus = bonusTakenBack(payment, fen, free);
  return (
    <table className="payment-preview">
      <tbody>
        <tr>
          <th scope="row">退回本金</th>
          <td>{formatMoney(fen)}</td>
        </tr>
        <tr>
          <th scope="row">按比例收回赠金</th>
          <td>{formatMoney(bonus)}</td>
        </tr>
        <tr>
          <th scope="row">退款后可用余额</th>
          <td>{formatMoney(free.principalFen + free.bonusFen - fen - bonus)}</td>
        </tr>
      </tbody>
    </table>
  );
}
