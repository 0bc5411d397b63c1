// Detail view of a business order: both sides' states, the webhooks sent and the calls received.

import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { deliveryStateText } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { BusinessOrder } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import { differenceText } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import { openCallContract } from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import { sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { OrderLink } from "../../../domain/order-link.tsx";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { deliveryTone } from "../../messaging/webhook/index.ts";
import { OrderStateStatus } from "../../orders/order/index.ts";
import { differenceTone } from "./business-order-text.ts";
import { outcomeText, outcomeTone, resultText } from "./open-call-text.ts";
import "../../../ui/display/basics.css";
import "./open-api.css";

export function BusinessOrderDetail({ order }: { order: BusinessOrder }) {
  const may = usePermissions();
  return (
    <>
      <DrawerSection title="订单">
        <Facts
          facts={[
            ["订单号", <OrderLink key="v" id={order.orderId} side={order.side} />],
            ["我方状态", <OrderStateStatus key="v" of={order.state} />],
            [
              "第三方已知",
              <span key="v" className="open-why">
                <Status tone={differenceTone[order.difference]}>
                  {order.toldState ? orderStateText[order.toldState] : "尚未通知"}（
                  {differenceText[order.difference]}）
                </Status>
                <small>
                  {order.toldAt
                    ? `${formatDateTime(order.toldAt)} 由接口的响应或送达它自己地址的回调得知`
                    : "第三方既没有查询过，也没有收到过回调"}
                </small>
              </span>,
            ],
            ["接口应用", order.appName],
            ["租户", order.tenantName],
            ["设备", `${order.cabinetName}（${order.cabinetSn}）`],
            ["门店", order.storeName],
            ["格口", `${order.no} 号（${sizeText[order.size]}）`],
            ["费用", formatMoney(order.priceFen)],
            ["其中免收或由第三方结算", formatMoney(order.waivedFen)],
            ["创建时间", formatDateTime(order.createdAt)],
            ["存入时间", order.storedAt && formatDateTime(order.storedAt)],
            ["结束时间", order.endedAt && formatDateTime(order.endedAt)],
          ]}
        />
      </DrawerSection>
      {may("callback:read") && <Webhooks order={order} />}
      {may("open-call:read") && <Calls orderId={order.orderId} />}
    </>
  );
}

/** Webhook deliveries to the application's own endpoints; other endpoints' do not inform it. */
function Webhooks({ order: { orderId, appId } }: { order: BusinessOrder }) {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    webhookContract.deliveries,
    { query: { page, pageSize, orderId, appId } },
    { keepPreviousData: true },
  );
  useLiveRefresh("callback", () => answer.refetch());
  return (
    <DrawerSection title="回调">
      <DrawerList
        answer={answer}
        pages={pages}
        emptyText="没有回调：这个应用没有自己的回调地址，或没有订阅这些事件"
        row={(delivery) => (
          <DrawerRow
            key={delivery.id}
            name={
              <>
                <Link
                  className="ui-link"
                  to={pathTo("/thirdPartApi/record", { open: delivery.id })}
                >
                  {webhookEventText[delivery.type]}
                </Link>
                <small>
                  {formatDateTime(delivery.createdAt)} · {delivery.endpointName}
                </small>
              </>
            }
            state={
              <>
                <Status tone={deliveryTone[delivery.state]}>
                  {deliveryStateText[delivery.state]}
                </Status>
                <small>
                  {delivery.lastStatus === null ? "" : `HTTP ${delivery.lastStatus} · `}
                  {delivery.attempts} 次
                </small>
              </>
            }
          />
        )}
      >
        {null}
      </DrawerList>
    </DrawerSection>
  );
}

function Calls({ orderId }: { orderId: number }) {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    openCallContract.list,
    { query: { page, pageSize, orderId } },
    { keepPreviousData: true },
  );
  return (
    <DrawerSection title="第三方调用">
      <DrawerList
        answer={answer}
        pages={pages}
        emptyText="没有调用记录"
        row={(call) => (
          <DrawerRow
            key={call.id}
            name={
              <>
                <span>{call.summary}</span>
                <small>{formatDateTime(call.at)}</small>
              </>
            }
            state={
              <>
                <Status tone={outcomeTone[call.outcome]}>{outcomeText[call.outcome]}</Status>
                <small>{resultText(call)}</small>
              </>
            }
          />
        )}
      >
        {null}
      </DrawerList>
    </DrawerSection>
  );
}
