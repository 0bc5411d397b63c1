// 退款 of an order, to the wallets of its payers.
import { splitRefund } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import { paidFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { MoneyDialog, refundReasons } from "../../../domain/money-dialog.tsx";
import { formatMoney } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { refundableFen } from "./order-actions.rules.ts";
import type { OrderDialogProps } from "./order-subject.tsx";

export function OrderRefundDialog({ order, onClose }: OrderDialogProps) {
  const refund = useWrite(orderActionContract.refund);
  if (!order) return null;
  const { id } = order;
  const most = refundableFen(order);
  return (
    <MoneyDialog
      title={`退款：订单 ${id}`}
      action="退款"
      mostFen={most}
      hint={`最多可退 ${formatMoney(most)}`}
      reasons={refundReasons}
      effectOf={(fen) => `退回付款人的钱包（${splitText(order, fen)}）`}
      preview={(fen) => (
        <p>
          已付 {formatMoney(paidFen(order))}。退回付款人的钱包，先退赠金
          {fen > 0 && `：${splitText(order, fen)}`}。
        </p>
      )}
      submit={({ fen: amountFen, reason }) =>
        refund.mutateAsync({ params: { id }, body: { amountFen, reason } })
      }
      done={(fen) => `已退款 ${formatMoney(fen)}`}
      onClose={onClose}
    />
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
