// Row actions on one order, limited by its state; each dialog explains its effect.
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { useState } from "react";
import { usePermissions } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { type ConfirmOptions, useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { CompleteDialog } from "./complete-dialog.tsx";
import { ExceptionDialog } from "./exception-dialog.tsx";
import { ExtendDialog } from "./extend-dialog.tsx";
import { OpenOrderDialog } from "./open-order-dialog.tsx";
import { ACTIONS, type Action, actionText, blockedBy } from "./order-actions.rules.ts";
import { OrderSubject } from "./order-subject.tsx";
import { RecipientDialog } from "./recipient-dialog.tsx";
import { OrderRefundDialog } from "./refund-dialog.tsx";
import "./order-actions.css";

const access = {
  open: "order:open",
  showCode: "sms:reveal",
  resendCode: "order:write",
  changeRecipient: "order:write",
  extend: "order:write",
  complete: "order:write",
  cancel: "order:write",
  refund: "order:refund",
  markException: "order:write",
} as const satisfies Record<Action, string>;

const dangers: readonly Action[] = ["complete", "cancel", "refund", "markException"];

/** `actionsOf` one order, and the dialogs of the actions, to be rendered once per page. */
export function useOrderActions() {
  const may = usePermissions();
  const { ask, dialog } = useAction();
  const [opening, setOpening] = useState<Order | null>(null);
  const [refunding, setRefunding] = useState<Order | null>(null);
  const [correcting, setCorrecting] = useState<Order | null>(null);
  const [failing, setFailing] = useState<Order | null>(null);
  const [extending, setExtending] = useState<Order | null>(null);
  const [completing, setCompleting] = useState<Order | null>(null);
  const show = useWrite(orderContract.showCode);
  const calls = {
    resendCode: useWrite(orderActionContract.resendCode),
    cancel: useWrite(orderActionContract.cancel),
  };
  const asking = (action: keyof typeof calls, order: Order): ConfirmOptions => ({
    ...questionOf(action, order),
    run: (reason) => calls[action].mutateAsync({ params: { id: order.id }, body: { reason } }),
  });
  const runs: Record<Action, (order: Order) => void> = {
    open: setOpening,
    refund: setRefunding,
    changeRecipient: setCorrecting,
    extend: setExtending,
    complete: setCompleting,
    showCode: (order) =>
      ask({
        ...questionOf("showCode", order),
        run: (reason) => show.mutateAsync({ params: { id: order.id }, body: { reason } }),
        outcome: ({ code }) => (
          <ShownCode
            order={order}
            code={code}
            resend={may(access.resendCode) ? () => runs.resendCode(order) : undefined}
          />
        ),
      }),
    resendCode: (order) => ask(asking("resendCode", order)),
    cancel: (order) => ask(asking("cancel", order)),
    markException: setFailing,
  };

  const actionsOf = (order: Order): RowAction[] =>
    ACTIONS.filter((action) => may(access[action])).map((action) => ({
      key: action,
      label: actionText[action],
      blocked: blockedBy(action, order) ?? undefined,
      isDanger: dangers.includes(action),
      run: () => runs[action](order),
    }));

  const dialogs = (
    <>
      {dialog}
      <OpenOrderDialog order={opening} onClose={() => setOpening(null)} />
      <OrderRefundDialog order={refunding} onClose={() => setRefunding(null)} />
      <RecipientDialog order={correcting} onClose={() => setCorrecting(null)} />
      <ExceptionDialog order={failing} onClose={() => setFailing(null)} />
      <ExtendDialog order={extending} onClose={() => setExtending(null)} />
      <CompleteDialog order={completing} onClose={() => setCompleting(null)} />
    </>
  );
  return { actionsOf, dialogs };
}

interface ShownCodeProps {
  order: Order;
  code: string | null;
  resend: (() => void) | undefined;
}

/** A code to be read out, or why it cannot be known. */
function ShownCode({ order, code, resend }: ShownCodeProps) {
  if (code === null) {
    return (
      <>
        <p>
          没有保留当前取件码的短信原文（如只发了订阅消息），无法查看。
          {resend && "可重发取件码：换成新的，旧取件码随即失效。"}
        </p>
        {resend && <Button onClick={resend}>重发取件码</Button>}
      </>
    );
  }
  return (
    <>
      <OrderSubject order={order} />
      <p className="order-code">{code}</p>
      <p>取件时还须输入手机号后四位 {order.recipient.phone.slice(-4)}。请只告知取件人本人。</p>
    </>
  );
}

function questionOf(
  action: "showCode" | "resendCode" | "cancel",
  order: Order,
): Omit<ConfirmOptions, "run" | "outcome"> {
  const subject = <OrderSubject order={order} />;
  switch (action) {
    case "showCode":
      return {
        title: `查看取件码：订单 ${order.id}`,
        effect: (
          <>
            {subject}
            <p>
              请先核实来电人身份。将显示当前有效的取件码；谁看过、为什么看会记入操作审计，并计入每天可查看的次数。
            </p>
          </>
        ),
        confirm: "查看取件码",
        reasons: ["用户未收到短信，已核实身份", "用户忘记取件码，已核实身份", "协助现场取件"],
      };
    case "resendCode":
      return {
        title: `重发取件码：订单 ${order.id}`,
        effect: (
          <>
            {subject}
            <p>将生成新的取件码并发给取件人，旧取件码随即失效；未开通短信通道时不更换。</p>
          </>
        ),
        confirm: "重发取件码",
        reasons: ["用户未收到短信", "用户忘记取件码，已核实身份", "取件码可能泄露"],
        done: "新的取件码已生成，发送结果见订单的“处理记录”",
      };
    case "cancel":
      return {
        title: `取消订单 ${order.id}`,
        effect: (
          <>
            {subject}
            <p>
              订单变为“已取消”，格口释放。箱门未关，或无法确认格口内没有物品时，不能取消；现场核实后可“转故障”。
            </p>
          </>
        ),
        confirm: "取消订单",
        isDanger: true,
        reasons: ["骑手放弃存件", "下错单", "存件超时，现场确认未放入"],
        done: "订单已取消，格口已释放",
      };
  }
}
