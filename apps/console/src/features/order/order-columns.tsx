// The columns of the order list.
import type { Order, OrderPerson } from "@cabinet/contract/order/order.contract.ts";
import { orderStateText, paidFen, refundedFen } from "@cabinet/contract/order/order.rules.ts";
import { formatDateTime, formatMoney } from "../../kit/format.ts";
import type { Column } from "../../ui/columns.ts";
import { CellText } from "../../ui/data-table.tsx";
import { minutesDwellText } from "../../ui/open-door.rules.ts";
import { PayStatusText, payText, StateStatus } from "./order-status.tsx";

const numberColumn: Column<Order> = {
  key: "id",
  title: "订单号",
  width: 140,
  value: (order) => String(order.id),
};

const tenantColumn: Column<Order> = {
  key: "tenant",
  title: "租户",
  width: 116,
  isSecondary: true,
  value: (order) => order.tenantName,
};

/** `张三 138****5678` */
export function personText(person: OrderPerson | null): string {
  return person ? [person.name, person.phone].filter(Boolean).join(" ") : "";
}

function timeColumn(
  key: "createdAt" | "storedAt" | "overdueAt" | "endedAt",
  title: string,
  isSecondary?: true,
): Column<Order> {
  return {
    key,
    title,
    width: 158,
    value: (order) => (order[key] ? formatDateTime(order[key]) : ""),
    render: (order) => <CellText>{order[key] && formatDateTime(order[key])}</CellText>,
    ...(isSecondary && { isSecondary }),
  };
}

function moneyColumn(key: string, title: string, fenOf: (order: Order) => number): Column<Order> {
  return {
    key,
    title,
    width: 84,
    align: "right",
    // The workbook gets yuan as a number, so that it can be added up there.
    value: (order) => fenOf(order) / 100,
    render: (order) => formatMoney(fenOf(order)),
    exports: [{ header: `${title}（元）`, width: 12, value: (order) => fenOf(order) / 100 }],
  };
}

const restColumns: Column<Order>[] = [
  {
    key: "state",
    title: "状态",
    width: 84,
    value: (order) => orderStateText[order.state],
    render: (order) => <StateStatus of={order.state} />,
  },
  {
    key: "place",
    title: "设备与格口",
    width: 192,
    value: (order) => `${order.cabinetName} ${order.compartmentNo} 号`,
    render: (order) => <CellText>{`${order.cabinetName} ${order.compartmentNo} 号`}</CellText>,
    exports: [
      { header: "设备名称", width: 24, value: (order) => order.cabinetName },
      { header: "设备编号", width: 20, value: (order) => order.cabinetSn },
      { header: "格口号", width: 10, value: (order) => order.compartmentNo },
    ],
  },
  {
    key: "recipient",
    title: "取件人",
    width: 152,
    value: (order) => personText(order.recipient),
    render: (order) => <CellText>{personText(order.recipient)}</CellText>,
  },
  timeColumn("createdAt", "下单时间"),
  {
    key: "stay",
    title: "存放时长",
    width: 92,
    align: "right",
    value: (order) => (order.stayMinutes === null ? null : minutesDwellText(order.stayMinutes)),
    exports: [{ header: "存放时长（分钟）", width: 16, value: (order) => order.stayMinutes }],
  },
  moneyColumn("price", "费用", (order) => order.priceFen),
  {
    key: "payStatus",
    title: "支付状态",
    width: 116,
    value: payText,
    render: (order) => <PayStatusText order={order} />,
  },
  moneyColumn("paid", "实付", (order) => paidFen(order) - refundedFen(order)),
  {
    key: "store",
    title: "门店",
    width: 116,
    isSecondary: true,
    value: (order) => order.storeName,
  },
  {
    key: "rider",
    title: "骑手",
    width: 164,
    isSecondary: true,
    value: (order) => personText(order.rider),
  },
  timeColumn("storedAt", "存入时间", true),
  timeColumn("endedAt", "结束时间", true),
  timeColumn("overdueAt", "滞留时限", true),
  {
    key: "thirdPartyNo",
    title: "第三方单号",
    width: 148,
    isSecondary: true,
    value: (order) => order.thirdPartyNo,
  },
  {
    key: "itemNote",
    title: "物品备注",
    width: 140,
    isSecondary: true,
    exportWidth: 30,
    value: (order) => order.itemNote,
  },
];

/** Platform staff see whose each order is. */
export function orderColumns(isPlatform: boolean): Column<Order>[] {
  return isPlatform ? [numberColumn, tenantColumn, ...restColumns] : [numberColumn, ...restColumns];
}
