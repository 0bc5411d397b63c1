// 强制完成: a person says that the goods are out, and types how much of the amount owed is charged.
import { owedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { MoneyDialog } from "../../../domain/money-dialog.tsx";
import { formatMoney } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { type OrderDialogProps, OrderSubject } from "./order-subject.tsx";

const reasons = ["现场确认物品已取走，门磁未上报", "用户电话确认已取件", "设备故障，人工取出交付"];

export function CompleteDialog({ order, onClose }: OrderDialogProps) {
  const complete = useWrite(orderActionContract.complete);
  if (!order) return null;
  const { id } = order;
  const owed = owedFen(order);
  return (
    <MoneyDialog
      title={`强制完成：订单 ${id}`}
      action="收取"
      mostFen={owed}
      mayBeNone
      hint={`待付 ${formatMoney(owed)}，从余额扣除；余额不足时不扣，记为“待支付”。少收的部分免除`}
      reasons={reasons}
      submitText="物品已取出，强制完成"
      isDanger
      preview={() => (
        <>
          <OrderSubject order={order} />
          <p>
            请先确认物品已经取出：订单直接变为“已完成”，取件码失效，箱门不会打开，格口可能马上分配给下一位用户。传感器仍检测到物品时会被拒绝。
          </p>
        </>
      )}
      submit={({ fen: chargeFen, reason }) =>
        complete.mutateAsync({ params: { id }, body: { chargeFen, reason } })
      }
      done={() => "订单已完成，格口已释放"}
      onClose={onClose}
    />
  );
}
