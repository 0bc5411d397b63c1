// What happened at a compartment, as a Chinese sentence for its history.
import { type DoorSide, doorSideText } from "@cabinet/contract/compartment/compartment.rules.ts";

/** What a person did: written beside what the cabinet reports, so that a history is whole. */
export type DeedKind =
  | "COMPARTMENT_ENABLED"
  | "COMPARTMENT_DISABLED"
  | "COMPARTMENT_FAULT"
  | "COMPARTMENT_CLEARED"
  | "STOCK_AUDITED";

export interface Deed {
  actorName: string;
  reason?: string;
  found?: "EMPTY" | "PRESENT";
  isCorrected?: boolean;
}

export interface EventFacts {
  kind: string;
  side: DoorSide | null;
  isDoubleSided: boolean;
  /** The cabinet's message, or a deed. */
  payload: Readonly<Record<string, unknown>> | null;
  /** Who opened the door from afar, and why; null when nobody did. */
  openedBy: string | null;
  openedFor: string | null;
}

const conditionText: Record<string, string> = {
  VIBRATION: "震动报警",
  TAMPER: "防撬报警",
  POWER_LOW: "电源不足",
  BOARD_FAULT: "驱动板异常",
  TEMPERATURE_HIGH: "温度过高",
  TEMPERATURE_LOW: "温度过低",
  NETWORK_POOR: "网络异常",
};

const deedText: Record<Exclude<DeedKind, "STOCK_AUDITED">, string> = {
  COMPARTMENT_ENABLED: "启用格口",
  COMPARTMENT_DISABLED: "停用格口",
  COMPARTMENT_FAULT: "标记故障",
  COMPARTMENT_CLEARED: "清柜",
};

export function eventText(event: EventFacts): string {
  const { kind, side, isDoubleSided, openedBy, openedFor } = event;
  const payload: Readonly<Record<string, unknown>> = event.payload ?? {};
  const door = isDoubleSided && side ? `${doorSideText[side]}箱门` : "箱门";
  switch (kind) {
    case "DOOR_OPENED":
      return openedBy ? `${door}打开（${openedBy}远程开门：${openedFor}）` : `${door}打开`;
    case "DOOR_CLOSED":
      return `${door}关闭`;
    case "DOOR_LEFT_OPEN":
      return payload.active === false
        ? `${door}已关好，报警解除`
        : `${door}长时间未关${typeof payload.value === "number" ? `（${payload.value} 秒）` : ""}`;
    case "ITEM_PLACED":
      return "放入物品";
    case "ITEM_TAKEN":
      return "取出物品";
    case "STOCK_AUDITED":
      return `盘点（${payload.actorName}）：所见${payload.found === "PRESENT" ? "有物" : "无物"}，与记录不符，${
        payload.isCorrected ? "已更正" : "未更正"
      }`;
    case "COMPARTMENT_ENABLED":
    case "COMPARTMENT_DISABLED":
    case "COMPARTMENT_FAULT":
    case "COMPARTMENT_CLEARED":
      return `${deedText[kind]}（${payload.actorName}：${payload.reason}）`;
  }
  const condition = conditionText[kind];
  if (!condition) return `其他事件（${kind}）`;
  return payload.active === false ? `${condition}已恢复` : condition;
}
