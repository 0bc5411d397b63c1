// 退款: amount and reason, with a second confirmation.

import { splitRefund } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import { paidFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { confirm, toast } from "../../../kit/feedback.ts";
import { formatMoney } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { YuanInput, yuanProblem } from "../../../ui/form/yuan-input.tsx";
import { refundableFen } from "./order-actions.rules.ts";

const schema = orderActionContract.refund.body;

export interface RefundDialogProps {
  /** Null while the dialog is closed. */
  order: Order | null;
  onClose: () => void;
}

export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const refund = useWrite(orderActionContract.refund);
  const most = order ? refundableFen(order) : 0;
  return (
    <FormDialog
      open={order !== null}
      title={order ? `退款：订单 ${order.id}` : ""}
      schema={schema}
      initial={{ amountFen: most }}
      fields={[
        {
          name: "amountFen",
          label: "退款金额",
          control: <YuanInput />,
          hint: `最多可退 ${formatMoney(most)}`,
          problem: (value) =>
            yuanProblem(value, "退款金额", most) ?? (value === 0 ? "退款金额须大于 0" : null),
        },
        {
          name: "reason",
          label: "原因",
          control: (
            <Input.TextArea
              rows={2}
              maxLength={200}
              placeholder="请填写退款原因，记入日志和交易记录"
            />
          ),
        },
      ]}
      submitText="退款"
      submit={async (body) => {
        if (!order) return;
        const isSure = await confirm({
          title: `确认退款 ${formatMoney(body.amountFen)}？`,
          content: `将退回付款人的钱包（${splitText(order, body.amountFen)}），不能撤销。`,
          ok: `退款 ${formatMoney(body.amountFen)}`,
          isDanger: true,
        });
        if (!isSure) throw new Error("没有退款：您取消了确认，填写的内容仍在");
        await refund.mutateAsync({ params: { id: order.id }, body });
        toast.success(`已退款 ${formatMoney(body.amountFen)}`);
      }}
      onClose={onClose}
    >
      {order && <Effect order={order} most={most} />}
    </FormDialog>
  );
}

function splitText(order: Order, fen: number): string {
  const split = splitRefund(fen, {
    principalFen: order.paidPrincipalFen - order.refundedPrincipalFen,
    bonusFen: order.paidBonusFen - order.refundedBonusFen,
  });
  if (!split) return formatMoney(fen);
  const parts = [
    split.principalFen > 0 && `本金 ${formatMoney(split.principalFen)}`,
    split.bonusFen > 0 && `赠金 ${formatMoney(split.bonusFen)}`,
  ];
  return parts.filter(Boolean).join("，");
}

function Effect({ order, most }: { order: Order; most: number }) {
  const typed = Form.useWatch<unknown>("amountFen") ?? most;
  const isReady = typeof typed === "number" && typed > 0 && typed <= most;
  return (
    <p>
      已付 {formatMoney(paidFen(order))}，可退 <b>{formatMoney(most)}</b>
      。退回付款人钱包（先退赠金）
      {isReady && <>：{splitText(order, typed)}</>}。
    </p>
  );
}
