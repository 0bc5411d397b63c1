// Detail view of one order: state, actions, price and timeline.

import { minutesText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type {
  OrderDetail as Detail,
  Order,
} from "@cabinet/contract/orders/order/order.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Alert from "antd/es/alert";
import { ConnectivityStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission, usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { ActionButtons, type RowAction } from "../../../ui/list/row-actions.tsx";
import { useLiveRefresh, usePollMs } from "../../../ui/live/live.tsx";
import { OpeningUnknown } from "./opening-unknown.tsx";
import { OrderPeople } from "./order-people.tsx";
import { OrderPrice } from "./order-price.tsx";
import { PayStatusText, StateStatus } from "./order-status.tsx";
import { OrderTimeline, useTimeline } from "./order-timeline.tsx";
import { OrderWhy } from "./order-why.tsx";
import "../../../ui/display/basics.css";
import "./order-detail.css";

export interface OrderDetailProps {
  id: number;
  actionsOf: (order: Order) => RowAction[];
}

export function OrderDetail({ id, actionsOf }: OrderDetailProps) {
  const answer = useCall(orderContract.get, { params: { id } }, { refetchInterval: usePollMs() });
  const cabinetId = answer.data?.cabinetId;
  const timeline = useTimeline(id, cabinetId);
  const refresh = () => answer.refetch();
  useLiveRefresh("order", refresh, { cabinetId, pace: "close" });
  useLiveRefresh("cabinet", refresh, { cabinetId, pace: "close" });
  const detail = answer.data;
  if (!detail) {
    return <AnswerState answer={answer} />;
  }
  return (
    <>
      <Heading detail={detail} actionsOf={actionsOf} />
      <OrderWhy order={detail} timeline={timeline.data} actions={actionsOf(detail)} />
      <OpeningUnknown order={detail} />
      <DrawerSection title="处理记录">
        <OrderTimeline
          answer={timeline}
          resendCode={actionsOf(detail).find(
            ({ key, blocked }) => key === "resendCode" && !blocked,
          )}
        />
      </DrawerSection>
      <DrawerSection title="订单">
        <PlaceFacts detail={detail} />
      </DrawerSection>
      <DrawerSection title="用户信息">
        <OrderPeople key={detail.id} order={detail} />
      </DrawerSection>
      <DrawerSection title="费用">
        <OrderPrice order={detail} />
      </DrawerSection>
    </>
  );
}

interface HeadingProps {
  detail: Detail;
  actionsOf: (order: Order) => RowAction[];
}

/** Shows available actions only; the row menu lists blocked ones with their reasons. */
function Heading({ detail, actionsOf }: HeadingProps) {
  const actions = actionsOf(detail).filter((action) => !action.blocked);
  const maySeeFaults = usePermission("malfunction:read");
  return (
    <div className="order-heading">
      <p>
        <StateStatus of={detail.state} />
        <PayStatusText order={detail} />
      </p>
      {detail.exceptionReason && (
        <Alert
          type="warning"
          showIcon
          title={`异常：${detail.exceptionReason}`}
          action={
            maySeeFaults && (
              <Link
                className="ui-link"
                to={pathTo("/malfunction/index", {
                  state: "ALL",
                  cabinetId: detail.cabinetId,
                  compartmentNo: detail.compartmentNo,
                })}
              >
                查看故障
              </Link>
            )
          }
        />
      )}
      <ActionButtons actions={actions} first="open" />
    </div>
  );
}

function PlaceFacts({ detail }: { detail: Detail }) {
  const may = usePermissions();
  return <Facts facts={factsOf(detail, may("compartment:read"))} />;
}

function factsOf(detail: Detail, mayOpenBoard: boolean): DescriptionItem[] {
  const { place, storeName, compartmentNo, size, stayMinutes, unreachableMinutes } = detail;
  const no = `${compartmentNo} 号（${sizeText[size]}）`;
  const time = (at: string | null) => at && formatDateTime(at);
  const board = pathTo("/cupboard/blockManage", { id: detail.cabinetId, no: compartmentNo });
  return [
    [
      "设备",
      <span key="v" className="order-cabinet">
        {detail.cabinetName} {place && <ConnectivityStatus of={place.connectivity} />}
      </span>,
    ],
    ["设备编号", detail.cabinetSn],
    [
      "格口",
      mayOpenBoard ? (
        <Link key="v" className="ui-link" to={board} title="到格口管理查看">
          {no}
        </Link>
      ) : (
        no
      ),
    ],
    ["门店", storeName],
    ["租户", detail.tenantName],
    ["第三方单号", detail.thirdPartyNo],
    ["物品备注", detail.itemNote || null],
    ["取件码", detail.hasCode ? "有效" : "无"],
    ["下单时间", time(detail.createdAt)],
    ...(detail.depositUntil ? [["存件截止", time(detail.depositUntil)] as const] : []),
    ["存入时间", time(detail.storedAt)],
    ["存放时长", stayMinutes === null ? null : minutesText(stayMinutes)],
    ...(unreachableMinutes > 0 ? [["离线不计费", minutesText(unreachableMinutes)] as const] : []),
    ["滞留时限", time(detail.overdueAt)],
    ["结束时间", time(detail.endedAt)],
  ];
}
