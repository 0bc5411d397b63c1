// 充值退款, with the bonus taken back and the remaining balance.
import {
  paymentContract,
  type TopUpPayment,
} from "@cabinet/contract/money/payment/payment.contract.ts";
import { bonusTakenBack } from "@cabinet/contract/money/payment/payment.rules.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { MoneyDialog, refundReasons } from "../../../domain/money-dialog.tsx";
import { formatMoney } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import "./payment.css";

export interface TopUpRefundDialogProps {
  /** Null while the dialog is closed. */
  topUp: { id: number; person: string } | null;
  onClose: () => void;
}

const texts = {
  CASH: {
    note: "线下收取的充值：登记后请把钱当面或转账交还用户。",
    effect: "登记为线下退还，并从用户钱包扣除",
    done: "已登记退款，请把钱交还用户",
  },
  WECHAT: {
    note: "原路退回用户的微信支付账户；提交后立即从钱包扣除，若微信退款失败会退回钱包。",
    effect: "原路退回用户的微信支付账户",
    done: "已提交退款，微信处理后原路退回",
  },
};

export function TopUpRefundDialog({ topUp, onClose }: TopUpRefundDialogProps) {
  const params = { id: topUp?.id ?? 0 };
  const answer = useCall(
    paymentContract.topUp,
    { params },
    { enabled: topUp !== null, staleTime: 0, toasts: true },
  );
  const refund = useWrite(paymentContract.refundTopUp, {
    invalidates: [walletContract.topUps, walletContract.list],
  });
  if (!topUp || !answer.data || !answer.isFetchedAfterMount) return null;
  const payment = answer.data;
  const most = payment.refundableFen;
  const { note, effect, done } = texts[payment.channel];
  return (
    <MoneyDialog
      title={`充值退款：${topUp.person}`}
      action="退款"
      mostFen={most}
      hint={`本次充值实付 ${formatMoney(payment.principalFen)}，现在最多可退 ${formatMoney(most)}：已花费、冻结或退回的部分不能退`}
      reasons={refundReasons}
      effectOf={() => effect}
      preview={(fen) => (
        <>
          <p className="ui-form-note">{note}</p>
          {previewOf(payment, fen)}
        </>
      )}
      submit={(body) => refund.mutateAsync({ params, body })}
      done={() => done}
      onClose={onClose}
    />
  );
}

/** Previews the deduction with the same rule that the server applies. */
function previewOf(payment: TopUpPayment, fen: number) {
  const free = {
    principalFen: payment.spendablePrincipalFen,
    bonusFen: payment.spendableBonusFen,
  };
  const bonus = bonusTakenBack(payment, fen, free);
  const rows = [
    ["退回本金", fen],
    ["按比例收回赠金", bonus],
    ["退款后可用余额", free.principalFen + free.bonusFen - fen - bonus],
  ] as const;
  return (
    <table className="payment-preview">
      <tbody>
        {rows.map(([name, amount]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
