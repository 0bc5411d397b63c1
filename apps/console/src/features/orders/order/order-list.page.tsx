// 订单列表 of single- or double-sided cabinets: live list with search and actions.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type Order, orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { isLive, payStatusText } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { sideQueryAt, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { storeFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { formatMoney } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import {
  choiceFilter,
  choicesOf,
  digitsFilter,
  phoneFilter,
  textFilter,
} from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listSums } from "../../../ui/list/list-sums.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useOrderActions } from "./order-actions.tsx";
import { orderColumns } from "./order-columns.tsx";
import { OrderDetail } from "./order-detail.tsx";
import { OrderTitle } from "./order-title.tsx";
import { OrdersElsewhere } from "./orders-elsewhere.tsx";
import "../../../ui/display/basics.css";
import "./order-list.css";

const filters = [
  phoneFilter(),
  digitsFilter("orderNo", "订单号", "完整订单号", 16),
  textFilter("keyword", "设备", "输入编号或名称"),
  choiceFilter("state", "状态", choicesOf(orderStateText)),
  choiceFilter("payStatus", "支付状态", choicesOf(payStatusText)),
  storeFilter(),
  timeRangeFilter(["from", "to"], "下单时间"),
  textFilter("thirdPartyNo", "第三方单号", "完整单号"),
];

const sums = listSums(orderContract.sums, ({ priceFen, paidFen, refundedFen, ...of }) => ({
  ...of,
  texts: {
    price: formatMoney(priceFen),
    payStatus: refundedFen > 0 ? `已退 ${formatMoney(refundedFen)}` : "",
    paid: formatMoney(paidFen - refundedFen),
  },
}));

const possible = (actions: readonly RowAction[]) => actions.filter(({ blocked }) => !blocked);

export const prefetch = listPrefetch(orderContract.list, sideQueryAt);

export default function OrderListPage() {
  const side = usePageSide();
  const { actionsOf, dialogs } = useOrderActions();
  const { open } = useListState();
  /** A finished order has few actions left: these come first, and the others are in 更多. */
  const rowActionsOf = (order: Order): RowAction[] => {
    const actions = actionsOf(order);
    if (isLive(order.state)) return actions;
    const see = { key: "see", label: "详情", run: () => open(order.id) };
    return [...possible(actions), see, ...actions.filter(({ blocked }) => blocked)];
  };
  const visibleCount = (order: Order) =>
    isLive(order.state) ? 2 : possible(actionsOf(order)).length + 1;
  return (
    <>
      <ListPage
        title="订单列表"
        spec={orderContract.list}
        fixed={{ side }}
        filters={filters}
        columns={orderColumns}
        sums={sums}
        rowKey={(order) => order.id}
        toolbar={<Scope />}
        live="order"
        actions={{
          width: 172,
          of: (order) => `订单 ${order.id}`,
          list: rowActionsOf,
          visibleCount,
        }}
        detail={{
          title: (order) => <OrderTitle id={order.id} order={order} />,
          body: (order) => <OrderDetail key={order.id} id={order.id} actionsOf={actionsOf} />,
          linked: {
            title: (id) => <OrderTitle id={id} />,
            body: (id) => <OrderDetail key={id} id={id} actionsOf={actionsOf} />,
          },
        }}
        emptyHint="有人存件后，订单会显示在这里"
        elsewhere={<OrdersElsewhere side={side} />}
      />
      {dialogs}
    </>
  );
}

/** Shows the cabinet or user filter set by a link from another page. */
function Scope() {
  const { texts, filter } = useListState();
  const cabinetId = Number(texts.cabinetId) || undefined;
  const endUserId = Number(texts.endUserId) || undefined;
  const mayReadCabinets = usePermission("cabinet:read");
  const cabinet = useCall(
    cabinetContract.get,
    { params: { id: cabinetId ?? 0 } },
    { enabled: cabinetId !== undefined && mayReadCabinets },
  ).data;
  if (!cabinetId && !endUserId) return null;
  const parts = [
    cabinetId && (cabinet ? `“${cabinet.name}”（${cabinet.sn}）` : `设备 ${cabinetId}`),
    endUserId && `用户 ${endUserId}`,
  ];
  return (
    <span className="order-scope">
      只看{parts.filter(Boolean).join("、")}的订单
      <button
        type="button"
        className="ui-link"
        onClick={() => filter({ cabinetId: "", endUserId: "" })}
      >
        查看全部
      </button>
    </span>
  );
}
