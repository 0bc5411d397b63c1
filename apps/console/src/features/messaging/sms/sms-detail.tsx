// Detail view of one text message: content, delivery and cost.
import type { SmsMessage } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { smsCarrierText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import { smsResultText } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import { OrderLink } from "../../../domain/order-link.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { SmsStatus } from "./sms-state.tsx";

export function SmsDetail({ message }: { message: SmsMessage }) {
  return (
    <>
      <DrawerSection title="短信">
        <Facts facts={factsOf(message)} />
      </DrawerSection>
      <DrawerSection title="发送">
        <Facts facts={progressFacts(message)} />
      </DrawerSection>
    </>
  );
}

function factsOf(message: SmsMessage): DescriptionItem[] {
  const { id, scene, phone, tenantName, createdAt, resendOf, resentById } = message;
  return [
    ["编号", id],
    ["类型", messageScenarioText[scene]],
    ["手机号", phone || "收信的用户已注销"],
    ["租户", tenantName],
    ["订单号", <OrderLink key="order" id={message.orderId} side={message.orderSide} />],
    ["写入时间", formatDateTime(createdAt)],
    ...(resendOf === null ? [] : ([["重发自", resendOf]] as DescriptionItem[])),
    ...(resentById === null ? [] : ([["重发为", resentById]] as DescriptionItem[])),
  ];
}

function progressFacts(message: SmsMessage): DescriptionItem[] {
  const { state, carrier, templateCode, carrierNo, attempts, sentAt, settledAt } = message;
  const { segments, chargedSegments, carrierSegments } = message;
  const isOther = carrierSegments !== null && carrierSegments !== segments;
  return [
    ["状态", <SmsStatus key="state" state={state} />],
    ["结果", smsResultText(message) || "—"],
    ["短信通道", carrier ? smsCarrierText[carrier] : "—"],
    ["模板代码", templateCode ?? "未配置"],
    ["提交次数", attempts],
    ["通道收下", formatDateTime(sentAt)],
    ["最终结果", formatDateTime(settledAt)],
    ["通道流水号", carrierNo ?? "—"],
    [
      "计费条数",
      isOther ? `${segments}（通道计 ${carrierSegments} 条，请核对模板与签名的字数）` : segments,
    ],
    ["已扣条数", chargedSegments],
  ];
}
