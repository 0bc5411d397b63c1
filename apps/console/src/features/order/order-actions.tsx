// What an operator does with one order, as far as its state allows; each deed says what it will do.
import type { Order } from "@cabinet/contract/order/order.contract.ts";
import { orderStateText, owedFen } from "@cabinet/contract/order/order.rules.ts";
import { orderDeedContract } from "@cabinet/contract/order/order-deed.contract.ts";
import { useState } from "react";
import { formatMoney } from "../../kit/format.ts";
import { usePermissions } from "../../kit/permission.ts";
import { useWrite } from "../../kit/query.ts";
import { type Question, useAction } from "../../ui/action.tsx";
import type { RowAction } from "../../ui/row-actions.tsx";
import { ExtendDialog } from "./extend-dialog.tsx";
import { OpenOrderDialog } from "./open-order-dialog.tsx";
import { orderChanged } from "./order-changed.ts";
import { personText } from "./order-columns.tsx";
import { blockedBy, DEEDS, type Deed, deedText } from "./order-deeds.rules.ts";
import { RefundDialog } from "./refund-dialog.tsx";

const access = {
  open: "order:open",
  resendCode: "order:write",
  extend: "order:write",
  complete: "order:write",
  cancel: "order:write",
  refund: "order:refund",
  markException: "order:write",
} as const satisfies Record<Deed, string>;

const dangers: readonly Deed[] = ["complete", "cancel", "refund", "markException"];

/** `actionsOf` an order, and the dialogs that they open, to be rendered once. */
export function useOrderActions() {
  const may = usePermissions();
  const { ask, dialog } = useAction();
  const [opening, setOpening] = useState<Order | null>(null);
  const [refunding, setRefunding] = useState<Order | null>(null);
  const [extending, setExtending] = useState<Order | null>(null);
  const calls = {
    resendCode: useWrite(orderDeedContract.resendCode, orderChanged),
    cancel: useWrite(orderDeedContract.cancel, orderChanged),
    markException: useWrite(orderDeedContract.markException, orderChanged),
  };
  const complete = useWrite(orderDeedContract.complete, orderChanged);

  const completing = (order: Order): Question => ({
    ...completeQuestion(order),
    run: (reason) =>
      complete.mutateAsync({ params: { id: order.id }, body: { waives: false, reason } }),
  });
  const asking = (deed: keyof typeof calls, order: Order): Question => ({
    ...questionOf(deed, order),
    run: (reason) => calls[deed].mutateAsync({ params: { id: order.id }, body: { reason } }),
  });
  const runs: Record<Deed, (order: Order) => void> = {
    open: setOpening,
    refund: setRefunding,
    extend: setExtending,
    complete: (order) => ask(completing(order)),
    resendCode: (order) => ask(asking("resendCode", order)),
    cancel: (order) => ask(asking("cancel", order)),
    markException: (order) => ask(asking("markException", order)),
  };

  const actionsOf = (order: Order): RowAction[] =>
    DEEDS.filter((deed) => may(access[deed])).map((deed) => ({
      key: deed,
      label: deedText[deed],
      blocked: blockedBy(deed, order) ?? undefined,
      isDanger: dangers.includes(deed),
      run: () => runs[deed](order),
    }));

  const dialogs = (
    <>
      {dialog}
      <OpenOrderDialog order={opening} onClose={() => setOpening(null)} />
      <RefundDialog order={refunding} onClose={() => setRefunding(null)} />
      <ExtendDialog order={extending} onClose={() => setExtending(null)} />
    </>
  );
  return { actionsOf, dialogs };
}

function Subject({ order }: { order: Order }) {
  return (
    <p>
      <b>
        “{order.cabinetName}”{order.compartmentNo} 号格口
      </b>
      ，取件人 {personText(order.recipient)}，当前“{orderStateText[order.state]}”。
    </p>
  );
}

function completeQuestion(order: Order): Omit<Question, "run"> {
  const owed = owedFen(order);
  return {
    title: `强制完成：订单 ${order.id}`,
    effect: (
      <>
        <Subject order={order} />
        <p>
          订单将直接变为“已完成”，格口随即释放，可能分配给下一位用户；取件码失效，箱门不会打开。
        </p>
        <p>请先确认物品已经取出。传感器仍检测到物品时会被拒绝。</p>
        {owed > 0 && (
          <p>待付 {formatMoney(owed)}：从取件人的余额扣除，余额不足的部分记为“待支付”。</p>
        )}
      </>
    ),
    confirm: "物品已取出，强制完成",
    isDanger: true,
    reasons: ["现场确认物品已取走，门磁未上报", "用户电话确认已取件", "设备故障，人工取出交付"],
    done: "订单已完成，格口已释放",
  };
}

function questionOf(
  deed: "resendCode" | "cancel" | "markException",
  order: Order,
): Omit<Question, "run"> {
  const subject = <Subject order={order} />;
  switch (deed) {
    case "resendCode":
      return {
        title: `重发取件码：订单 ${order.id}`,
        effect: (
          <>
            {subject}
            <p>将生成新的取件码并以短信发给取件人；旧取件码立即失效。</p>
          </>
        ),
        confirm: "重发取件码",
        reasons: ["用户未收到短信", "用户忘记取件码，已核实身份", "取件码可能泄露"],
        done: "新的取件码已发出",
      };
    case "cancel":
      return {
        title: `取消订单 ${order.id}`,
        effect: (
          <>
            {subject}
            <p>
              格口确认为空时，订单变为“已取消”，格口释放；传感器检测到物品、状态未知或箱门未关时，订单转为“异常”，等待人工核实。
            </p>
          </>
        ),
        confirm: "取消订单",
        isDanger: true,
        reasons: ["骑手放弃存件", "下错单", "存件超时，现场确认未放入"],
        done: "已处理，请查看订单的新状态",
      };
    case "markException":
      return {
        title: `转故障：订单 ${order.id}`,
        effect: (
          <>
            {subject}
            <p>
              订单将变为“异常”，不再自动流转和提醒；同时为该格口登记一条故障，等待检修。物品仍可开门取出，处理后用“强制完成”结束。
            </p>
          </>
        ),
        confirm: "转故障",
        isDanger: true,
        reasons: ["箱门打不开", "物品与订单不符", "用户反映物品损坏或丢失", "门磁或传感器异常"],
        done: "订单已转为异常，故障已登记",
      };
  }
}
