// 通知记录: the outbox of text messages, and the text of one for who says why.
import { type SmsMessage, smsContract } from "@cabinet/contract/sms/sms.contract.ts";
import { smsSceneText } from "@cabinet/contract/sms/sms.rules.ts";
import { isCreditLow } from "@cabinet/contract/sms/sms-credit.rules.ts";
import Alert from "antd/es/alert";
import { Link } from "react-router";
import { formatDateTime, formatNumber } from "../../kit/format.ts";
import { useIsPlatform, usePermission } from "../../kit/permission.ts";
import { useWrite } from "../../kit/query.ts";
import { useAction } from "../../ui/action.tsx";
import type { Column } from "../../ui/columns.ts";
import { DrawerSection, Facts } from "../../ui/detail-drawer.tsx";
import {
  choiceFilter,
  choicesOf,
  type Filter,
  phoneFilter,
  textFilter,
} from "../../ui/filters.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { useListState } from "../../ui/list-state.ts";
import { sideBase } from "../../ui/page-side.ts";
import { RowActions } from "../../ui/row-actions.tsx";
import { Status } from "../../ui/status.tsx";
import { timeRangeFilter } from "../../ui/time-range-filter.tsx";
import { useSmsAccount } from "./sms-account-bar.tsx";
import "../../ui/basics.css";
import "./sms.css";

const filters: Filter[] = [
  timeRangeFilter(["from", "to"], "时间"),
  phoneFilter(),
  choiceFilter("scene", "类型", choicesOf(smsSceneText)),
  textFilter("orderId", "订单号"),
];

function columnsFor(isPlatform: boolean): Column<SmsMessage>[] {
  const tenant: Column<SmsMessage> = {
    key: "tenant",
    title: "租户",
    width: 144,
    value: (message) => message.tenantName,
  };
  return [
    { key: "createdAt", title: "时间", width: 164, value: (row) => formatDateTime(row.createdAt) },
    { key: "scene", title: "类型", width: 112, value: (row) => smsSceneText[row.scene] },
    { key: "phone", title: "手机号", width: 128, value: (row) => row.phone },
    ...(isPlatform ? [tenant] : []),
    {
      key: "orderId",
      title: "订单号",
      width: 168,
      value: (row) => row.orderId?.toString(),
      render: (row) => <OrderLink message={row} />,
    },
    { key: "segments", title: "计费条数", width: 96, align: "right", value: (row) => row.segments },
  ];
}

function OrderLink({ message: { orderId, orderSide } }: { message: SmsMessage }) {
  const maySeeOrders = usePermission("order:read");
  if (orderId === null) return <>—</>;
  if (!maySeeOrders || orderSide === null) return <>{orderId}</>;
  return (
    <Link
      className="ui-link"
      to={`${sideBase(orderSide)}/rider/order?orderNo=${orderId}&open=${orderId}`}
    >
      {orderId}
    </Link>
  );
}

function mayHoldCode({ scene }: SmsMessage): boolean {
  return scene === "SIGN_IN_CODE" || scene === "PICKUP_CODE";
}

/** What is left, and the way to how it came about. */
function CreditLink() {
  const tenantId = Number(useListState().texts.tenantId) || undefined;
  const { data } = useSmsAccount(tenantId);
  if (!data) return null;
  return (
    <span className="sms-credit">
      {data.tenantName} 短信余额{" "}
      <Link className="ui-link" to={`/smsManage/index${tenantId ? `?tenantId=${tenantId}` : ""}`}>
        {formatNumber(data.left)} 条
      </Link>
      {isCreditLow(data.left) && <Status tone="bad">不足</Status>}
    </span>
  );
}

export default function SmsListPage() {
  const isPlatform = useIsPlatform();
  const mayReveal = usePermission("sms:reveal");
  const maySeeCredit = usePermission("sms-credit:read");
  const showText = useWrite(smsContract.showText, { isQuiet: true });
  const { ask, dialog } = useAction();

  const askText = (message: SmsMessage) =>
    ask({
      title: "查看短信原文",
      effect: (
        <p>
          将显示发给 <b>{message.phone}</b> 的{smsSceneText[message.scene]}
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
          <Alert
            type="info"
            showIcon
            title={
              <>
                <b>发件箱（未配置短信服务）</b>
                <span className="sms-note">
                  验证码、取件码、滞留提醒和故障通知写在这里，没有发到手机；用户询问时，可查看原文后告知。
                </span>
              </>
            }
          />
        }
        spec={smsContract.history}
        filters={filters}
        toolbar={maySeeCredit && <CreditLink />}
        columns={columnsFor(isPlatform)}
        rowKey={(message) => message.id}
        {...(mayReveal && {
          actions: {
            width: 96,
            render: (message: SmsMessage) => (
              <RowActions
                of={`发给 ${message.phone} 的短信`}
                actions={[{ key: "text", label: "查看原文", run: () => askText(message) }]}
              />
            ),
          },
        })}
        detail={{
          title: (message) => `${smsSceneText[message.scene]}短信`,
          body: (message) => (
            <DrawerSection title="详情">
              <Facts
                facts={[
                  ["类型", smsSceneText[message.scene]],
                  ["手机号", message.phone],
                  ["租户", message.tenantName],
                  ["订单号", <OrderLink key="order" message={message} />],
                  ["计费条数", message.segments],
                  ["时间", formatDateTime(message.createdAt)],
                ]}
              />
            </DrawerSection>
          ),
        }}
        emptyHint="用户获取验证码、存入物品后，短信会出现在这里"
      />
      {dialog}
    </>
  );
}
