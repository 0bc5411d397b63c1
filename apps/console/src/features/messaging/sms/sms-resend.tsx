// Resend action of a text message: confirmation with cost, or where to resend it instead.

import { type SmsMessage, smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { resendObstacle } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderPath } from "../../../domain/order-link.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";

/** Row action `resendOf` a message, null without permission to send; render `dialog` once. */
export function useSmsResend() {
  const maySend = usePermission("sms:send");
  const maySeeOrders = usePermission("order:read");
  const resend = useWrite(smsContract.resend, { invalidates: [orderContract.timeline] });
  const { ask, dialog } = useAction();

  const askResend = (message: SmsMessage) =>
    ask({
      title: "重发短信",
      effect: (
        <p>
          将把同样内容的{messageScenarioText[message.scene]}短信再发给 <b>{message.phone}</b>
          ，通道收下后扣 {message.segments} 条；原来的一条保持不变。
        </p>
      ),
      confirm: "重发",
      reasons: ["用户没有收到短信", "通道恢复后补发", "余额充足后补发"],
      run: (reason) => resend.mutateAsync({ params: { id: message.id }, body: { reason } }),
      done: "已重新提交，稍后可看到结果",
    });

  const resendOf = (message: SmsMessage): RowAction => {
    const { scene, orderId, orderSide, isMoot } = message;
    const base = { key: "resend", label: "重发" };
    if (
      scene === "PICKUP_CODE" &&
      !isMoot &&
      orderId !== null &&
      orderSide !== null &&
      maySeeOrders
    ) {
      return { ...base, to: orderPath(orderSide, orderId) };
    }
    return { ...base, blocked: resendObstacle(message), run: () => askResend(message) };
  };

  return { resendOf: maySend ? resendOf : null, dialog };
}
