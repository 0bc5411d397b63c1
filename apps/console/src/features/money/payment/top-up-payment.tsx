// WeChat result and refunds of one top-up, with their states.
import {
  paymentContract,
  type TopUpRefund,
} from "@cabinet/contract/money/payment/payment.contract.ts";
import {
  type TopUpRefundState,
  topUpRefundStateText,
} from "@cabinet/contract/money/payment/payment.rules.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { DrawerSection } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import { DrawerRow } from "../../../ui/list/drawer-list.tsx";
import "../../../ui/display/basics.css";
import "../../../ui/list/drawer-list.css";

const refundTone: Record<TopUpRefundState, Tone> = {
  PROCESSING: "waiting",
  DONE: "good",
  ABNORMAL: "bad",
  FAILED: "bad",
};

/** Section of the top-up's drawer for accounts that may refund it. */
export function TopUpRefunds({ topUpId }: { topUpId: number }) {
  const answer = useCall(paymentContract.topUp, { params: { id: topUpId } });
  const check = useWrite(paymentContract.checkTopUp, { toasts: true });
  const { data } = answer;
  if (!data) return <AnswerState answer={answer} />;
  return (
    <DrawerSection title="退款">
      {data.problem && <p>{data.problem}</p>}
      <ul className="ui-drawer-rows">
        {data.refunds.map((refund) => (
          <RefundRow key={refund.id} refund={refund} />
        ))}
      </ul>
      {data.refunds.length === 0 && (
        <p className="ui-cell-none">没有退款，现在可退 {formatMoney(data.refundableFen)}</p>
      )}
      {data.channel === "WECHAT" && (
        <Button
          loading={check.isPending}
          onClick={() =>
            check.mutate(
              { params: { id: topUpId } },
              { onSuccess: () => toast.success("正在向微信支付核实，请稍候刷新") },
            )
          }
        >
          向微信支付核实
        </Button>
      )}
    </DrawerSection>
  );
}

function RefundRow({ refund }: { refund: TopUpRefund }) {
  const { state, principalFen, bonusFen, outRefundNo, createdAt, actorName, reason } = refund;
  return (
    <DrawerRow
      name={
        <>
          {formatMoney(principalFen)}
          {bonusFen > 0 && `，收回赠金 ${formatMoney(bonusFen)}`}
          <small>
            {formatDateTime(createdAt)} {actorName}：{reason}
          </small>
          <small>{outRefundNo}</small>
        </>
      }
      state={
        <>
          <Status tone={refundTone[state]}>{topUpRefundStateText[state]}</Status>
          {refund.problem && <small>{refund.problem}</small>}
        </>
      }
    />
  );
}
