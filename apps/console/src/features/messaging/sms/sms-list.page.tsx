// 通知记录: list of text messages with state; reveals a text for a stated reason, resends.
import { type SmsMessage, smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { smsCarrierText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import { isCreditLow } from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import { smsResultText, smsStateText } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import Alert from "antd/es/alert";
import { ListPage } from "../../../domain/list-page.tsx";
import { OrderLink, orderNumberWidth } from "../../../domain/order-link.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, choicesOf, phoneFilter, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useSmsAccount } from "./sms-account-bar.tsx";
import { SmsDetail } from "./sms-detail.tsx";
import { useSmsResend } from "./sms-resend.tsx";
import { SmsStatus } from "./sms-state.tsx";
import "../../../ui/display/basics.css";
import "./sms.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  phoneFilter(),
  choiceFilter("scene", "类型", choicesOf(messageScenarioText)),
  choiceFilter("state", "状态", choicesOf(smsStateText)),
  textFilter("orderId", "订单号"),
];

const columns: Column<SmsMessage>[] = [
  timeColumn("createdAt", "时间"),
  {
    key: "scene",
    title: "类型",
    width: 112,
    onCard: "mark",
    value: (row) => messageScenarioText[row.scene],
  },
  { key: "phone", title: "手机号", width: 128, onCard: "mark" },
  tenantColumn(144),
  {
    key: "orderId",
    title: "订单号",
    ...orderNumberWidth,
    value: (row) => row.orderId?.toString(),
    render: (row) => <OrderLink id={row.orderId} side={row.orderSide} />,
  },
  {
    key: "state",
    title: "状态",
    width: 104,
    onCard: "mark",
    value: (row) => smsStateText[row.state],
    render: (row) => <SmsStatus state={row.state} />,
  },
  {
    key: "result",
    title: "结果",
    width: 220,
    onCard: "line",
    exportWidth: 40,
    value: (row) => smsResultText(row),
  },
  {
    key: "carrier",
    title: "短信通道",
    width: 112,
    isSecondary: true,
    value: (row) => row.carrier && smsCarrierText[row.carrier],
  },
  { key: "segments", title: "计费条数", width: 96, isSecondary: true, align: "right" },
  {
    key: "charged",
    title: "已扣条数",
    width: 96,
    align: "right",
    value: (row) => row.chargedSegments,
  },
];

function mayHoldCode({ scene }: SmsMessage): boolean {
  return scene === "SIGN_IN_CODE" || scene === "PICKUP_CODE";
}

/** Balance with a link to its recharge records. */
function CreditLink() {
  const tenantId = Number(useListState().texts.tenantId) || undefined;
  const { data } = useSmsAccount(tenantId);
  if (!data) return null;
  return (
    <span className="sms-credit">
      {data.tenantName} 短信余额{" "}
      <Link className="ui-link" to={pathTo("/smsManage/index", { tenantId })}>
        {formatNumber(data.left)} 条
      </Link>
      {isCreditLow(data.left) && <Status tone="bad">不足</Status>}
    </span>
  );
}

/** Notice shown while no carrier is configured and messages stay in the outbox. */
function OutboxNote() {
  const { data } = useCall(smsContract.way);
  const isPlatform = useIsPlatform();
  if (!data || data.carrier !== null) return null;
  return (
    <Alert
      type="info"
      showIcon
      title={
        <>
          <b>发件箱（未启用短信通道）</b>
          <span className="sms-note">
            短信写在这里，没有发到手机；用户询问时，可查看原文后告知。
            {isPlatform && (
              <Link className="ui-link" to="/smsManage/synopsis?view=channel">
                配置短信通道
              </Link>
            )}
          </span>
        </>
      }
    />
  );
}

export const prefetch = listPrefetch(smsContract.history);

export default function SmsListPage() {
  const mayReveal = usePermission("sms:reveal");
  const maySeeCredit = usePermission("sms-credit:read");
  const showText = useWrite(smsContract.showText);
  const { ask, dialog } = useAction();
  const { resendOf, dialog: resendDialog } = useSmsResend();

  const askText = (message: SmsMessage) =>
    ask({
      title: "查看短信原文",
      effect: (
        <p>
          将显示发给 <b>{message.phone}</b> 的{messageScenarioText[message.scene]}
          短信和完整的手机号
          {mayHoldCode(message) && "，其中可能有验证码或取件码"}
          ；谁看过、为什么看会记入操作审计。
        </p>
      ),
      confirm: "查看",
      reasons: ["用户没有收到短信", "代用户查询取件码", "核对短信内容"],
      run: (reason) => showText.mutateAsync({ params: { id: message.id }, body: { reason } }),
      outcome: ({ phone, text }) => (
        <>
          <p className="sms-phone">{phone}</p>
          <blockquote className="sms-text">{text}</blockquote>
        </>
      ),
    });

  return (
    <>
      <ListPage
        title="通知记录"
        heading={
          <div className="sms-views">
            <ViewSwitch />
            <OutboxNote />
          </div>
        }
        spec={smsContract.history}
        filters={filters}
        toolbar={maySeeCredit && <CreditLink />}
        columns={columns}
        rowKey={(message) => message.id}
        live="sms"
        actions={
          (mayReveal || resendOf) && {
            width: mayReveal && resendOf ? 136 : 96,
            of: (message) => `发给 ${message.phone} 的短信`,
            list: (message) => [
              ...(mayReveal
                ? [{ key: "text", label: "查看原文", run: () => askText(message) }]
                : []),
              ...(resendOf ? [resendOf(message)] : []),
            ],
          }
        }
        detail={{
          title: (message) => `${messageScenarioText[message.scene]}短信`,
          body: (message) => <SmsDetail message={message} />,
        }}
        emptyHint="用户获取验证码、存入物品后，短信会出现在这里"
      />
      {dialog}
      {resendDialog}
    </>
  );
}
