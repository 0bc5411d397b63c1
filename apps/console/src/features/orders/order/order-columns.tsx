// The columns of the order list.

import type { Order, OrderPerson } from "@cabinet/contract/orders/order/order.contract.ts";
import { paidFen, refundedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { minutesDwellText } from "../../../domain/cabinet/open-door.rules.ts";
import { orderNumberWidth } from "../../../domain/order-link.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime } from "../../../kit/format.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellLines, CellText } from "../../../ui/list/data-table.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn, timeLinesWidth } from "../../../ui/list/time-column.ts";
import { PayStatusText, payText, StateStatus } from "./order-status.tsx";

const netFen = (order: Order) => paidFen(order) - refundedFen(order);

const numberColumn: Column<Order> = {
  key: "id",
  title: "订单号",
  ...orderNumberWidth,
  value: (order) => String(order.id),
};

/** `张三 138****5678` */
export function personText(person: OrderPerson | null): string {
  return person ? [person.name, person.phone].filter(Boolean).join(" ") : "";
}

function Person({ of }: { of: OrderPerson | null }) {
  const [first, second] = [of?.name, of?.phone].filter(Boolean);
  return first ? (
    <CellLines first={first} second={second ?? undefined} />
  ) : (
    <CellText>{null}</CellText>
  );
}

function personColumn(
  key: "recipient" | "rider",
  title: string,
  options: Pick<Column<Order>, "width" | "isSecondary">,
): Column<Order> {
  return {
    ...{ key, title, ...options, value: (order) => personText(order[key]) },
    render: (order) => <Person of={order[key]} />,
    exports: [
      { header: title, width: 14, value: (order) => order[key]?.name },
      { header: `${title}手机号`, width: 16, value: (order) => order[key]?.phone },
    ],
  };
}

export const orderColumns: Column<Order>[] = [
  numberColumn,
  {
    key: "state",
    title: "状态",
    width: 80,
    keepsWidth: true,
    value: (order) => orderStateText[order.state],
    render: (order) => <StateStatus of={order.state} />,
  },
  tenantColumn(96),
  {
    key: "place",
    title: "设备与格口",
    width: 162,
    value: (order) => `${order.cabinetName} ${order.compartmentNo} 号`,
    render: (order) => <CellLines first={order.cabinetName} second={`${order.compartmentNo} 号`} />,
    exports: [
      { header: "设备名称", width: 24, value: (order) => order.cabinetName },
      { header: "设备编号", width: 20, value: (order) => order.cabinetSn },
      { header: "格口号", width: 10, value: (order) => order.compartmentNo },
    ],
  },
  personColumn("recipient", "取件人", { width: 102 }),
  {
    ...timeColumn<Order>("createdAt", "下单时间"),
    ...timeLinesWidth,
    width: 104,
    render: ({ createdAt }) => {
      const [day = "", time] = formatDateTime(createdAt).split(" ");
      return <CellLines first={day} second={time} />;
    },
  },
  moneyColumn({ key: "price", title: "费用", width: 92, fen: (order) => order.priceFen }),
  {
    key: "payStatus",
    title: "支付状态",
    width: 108,
    keepsWidth: true,
    value: payText,
    render: (order) => <PayStatusText order={order} />,
  },
  moneyColumn({ key: "paid", title: "实付", width: 92, fen: netFen }),
  {
    key: "stay",
    title: "存放时长",
    width: 118,
    align: "right",
    value: (order) => (order.stayMinutes === null ? null : minutesDwellText(order.stayMinutes)),
    exports: [{ header: "存放时长（分钟）", width: 16, value: (order) => order.stayMinutes }],
  },
  {
    key: "store",
    title: "门店",
    width: 116,
    isSecondary: true,
    value: (order) => order.storeName,
  },
  personColumn("rider", "骑手", { width: 164, isSecondary: true }),
  timeColumn("storedAt", "存入时间", { isSecondary: true }),
  timeColumn("endedAt", "结束时间", { isSecondary: true }),
  timeColumn("overdueAt", "滞留时限", { isSecondary: true }),
  { key: "thirdPartyNo", title: "第三方单号", width: 148, keepsEnd: true, isSecondary: true },
  { key: "itemNote", title: "物品备注", width: 140, isSecondary: true, exportWidth: 30 },
];
