// 强制完成: a person says that the goods are out, and types how much of the amount owed is charged.
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import { owedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { useId, useState } from "react";
import { formatMoney } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { ActionDialog, type ConfirmOptions } from "../../../ui/display/action.tsx";
import { YuanInput, yuanProblem } from "../../../ui/form/yuan-input.tsx";
import { OrderSubject } from "./order-subject.tsx";

export interface CompleteDialogProps {
  /** Null while the dialog is closed. */
  order: Order | null;
  onClose: () => void;
}

export function CompleteDialog({ order, onClose }: CompleteDialogProps) {
  const complete = useWrite(orderActionContract.complete);
  const [typed, setTyped] = useState<number | string | null>(null);
  const owed = order ? owedFen(order) : 0;
  const problem = yuanProblem(typed, "收取金额", owed);
  const chargeFen = owed === 0 ? 0 : problem || typeof typed !== "number" ? null : typed;
  const close = () => {
    setTyped(null);
    onClose();
  };
  const question: ConfirmOptions | null = order && {
    title: `强制完成：订单 ${order.id}`,
    effect: (
      <>
        <OrderSubject order={order} />
        <p>
          请先确认物品已经取出：订单直接变为“已完成”，取件码失效，箱门不会打开，格口可能马上分配给下一位用户。传感器仍检测到物品时会被拒绝。
        </p>
        {owed > 0 && (
          <ChargeField owed={owed} typed={typed} problem={problem} onChange={setTyped} />
        )}
      </>
    ),
    confirm: "物品已取出，强制完成",
    isDanger: true,
    isBlocked: chargeFen === null,
    reasons: ["现场确认物品已取走，门磁未上报", "用户电话确认已取件", "设备故障，人工取出交付"],
    done: "订单已完成，格口已释放",
    run: (reason) =>
      complete.mutateAsync({
        params: { id: order.id },
        body: { chargeFen: chargeFen ?? 0, reason },
      }),
  };
  return <ActionDialog question={question} onClose={close} />;
}

interface ChargeFieldProps {
  owed: number;
  typed: number | string | null;
  problem: string | null;
  onChange: (typed: number | string | null) => void;
}

function ChargeField({ owed, typed, problem, onChange }: ChargeFieldProps) {
  const [id, hintId] = [useId(), useId()];
  return (
    <div className="order-waive">
      <p>
        待付 <b>{formatMoney(owed)}</b>，从余额扣除；余额不足时不扣，记为“待支付”。
      </p>
      <div className="order-charge">
        <label htmlFor={id}>收取金额</label>
        <YuanInput
          id={id}
          value={typed}
          onChange={onChange}
          aria-invalid={problem !== null}
          aria-describedby={hintId}
        />
        <small id={hintId} role={problem ? "alert" : undefined}>
          {problem ?? "填 0 全部免除；少收的部分免除"}
        </small>
      </div>
    </div>
  );
}
