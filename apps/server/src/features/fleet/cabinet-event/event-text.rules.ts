// Chinese texts for events of cabinets and compartments.

import { invalidReadingText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import {
  eventKindText,
  knownKinds,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { type DoorSide, doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";

/** Actions of a person, recorded beside the cabinet's reports so that a history is complete. */
export type ActionKind =
  | "COMPARTMENT_ENABLED"
  | "COMPARTMENT_DISABLED"
  | "COMPARTMENT_FAULT"
  | "COMPARTMENT_CLEARED"
  | "STOCK_AUDITED";

export interface Action {
  actorName: string;
  reason?: string;
  found?: "EMPTY" | "PRESENT";
  isCorrected?: boolean;
}

export interface EventFacts {
  kind: string;
  side: DoorSide | null;
  isDoubleSided: boolean;
  /** The cabinet's message, or a `Deed`. */
  payload: Readonly<Record<string, unknown>> | null;
  /** The person who opened the door remotely, and the reason; null when nobody did. */
  openedBy: string | null;
  openedFor: string | null;
}

/** Units of measured values. */
const units: Record<string, string> = {
  POWER_LOW: "V",
  TEMPERATURE_HIGH: "℃",
  TEMPERATURE_LOW: "℃",
  NETWORK_POOR: "dBm",
};

const refusedText: Record<string, string> = {
  WRONG_PROOF: "密钥校验未通过",
  UNKNOWN_KEY: "密钥不存在或已失效",
  ADDRESS_NOT_ALLOWED: "来源地址不在允许范围内",
  NONCE_USED: "连接凭据已被使用",
};

const droppedText: Record<string, string> = {
  MALFORMED: "格式不符",
  VERSION: "协议版本不支持",
  NOT_JSON: "不是 JSON",
  TOO_DEEP: "嵌套过深",
  NO_SIGNATURE: "没有签名",
  BAD_SIGNATURE: "签名不符",
  UNSTORABLE: "内容无法保存",
  COUNTER: "计数与已知的相差过大",
};

/** Count suffix of server events that stand for several occurrences. */
function sumText({ count }: Readonly<Record<string, unknown>>): string {
  return typeof count === "number" && count > 1 ? `，同类共 ${count} 条` : "";
}

/** Values as the cabinet sent them; none where a required field was missing. */
function readingsText(readings: unknown): string {
  const list = Array.isArray(readings) ? (readings as { field: string; value: string }[]) : [];
  return list
    .map(({ field, value }) => `${invalidReadingText(field)}${value ? `（${value}）` : ""}`)
    .join("、");
}

const jobStatusText: Record<string, string> = {
  ACCEPTED: "已接受",
  DOWNLOADING: "正在下载",
  INSTALLED: "已安装",
  FAILED: "失败",
  REFUSED: "设备拒绝",
};

function jobText(job: unknown): string {
  const { status, reason } = (job ?? {}) as { status?: string; reason?: string };
  const state = status === undefined ? "" : `：${jobStatusText[status] ?? status}`;
  return `升级任务${state}${reason ? `（${reason}）` : ""}`;
}

export function eventText(event: EventFacts): string {
  const { kind, side, isDoubleSided, openedBy, openedFor } = event;
  const payload: Readonly<Record<string, unknown>> = event.payload ?? {};
  const door = isDoubleSided && side ? `${doorSideText[side]}箱门` : "箱门";
  switch (kind) {
    case "DOOR_OPENED":
      return openedBy ? `${door}打开（${openedBy}远程开门：${openedFor}）` : `${door}打开`;
    case "UNCOMMANDED_OPENING":
      return `${door}打开，没有开门指令`;
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
      return `盘点（${payload.actorName}）：现场${payload.found === "PRESENT" ? "有物" : "无物"}，与记录不符，${
        payload.isCorrected ? "已更正" : "未更正"
      }`;
    case "COMPARTMENT_ENABLED":
    case "COMPARTMENT_DISABLED":
    case "COMPARTMENT_FAULT":
    case "COMPARTMENT_CLEARED":
      return `${eventKindText(kind)}（${payload.actorName}：${payload.reason}）`;
    case "ONLINE":
      return "设备上线";
    case "OFFLINE":
      return "设备离线";
    case "CLOCK_SKEW":
      return `设备时钟偏差 ${payload.skewSeconds} 秒`;
    case "SIGN_IN_REFUSED":
      return `连接被拒绝：${refusedText[String(payload.why)] ?? payload.why}`;
    case "REPORT_DROPPED": {
      const detail = payload.detail ? `（${payload.detail}）` : "";
      const why = droppedText[String(payload.why)] ?? payload.why;
      return `上报被丢弃：${payload.topic} ${why}${detail}${sumText(payload)}`;
    }
    case "INVALID_READINGS":
      return `${readingsText(payload.readings) || eventKindText(kind)}${sumText(payload)}`;
    case "COUNTER_JUMPED":
      return `设备计数跳变（${payload.field} ${payload.value}），按存储丢失处理${sumText(payload)}`;
    case "REPORTS_LIMITED":
      return `上报过于频繁，超出部分未保存${sumText(payload)}`;
    case "STORE_OUTAGE":
      return `门店断网：同店 ${payload.total} 台设备断网`;
    case "STORE_OUTAGE_ENDED":
      return `门店断网结束：${payload.back} / ${payload.total} 台设备已恢复`;
    case "JOB":
      return jobText(payload.job);
  }
  if (!(knownKinds as string[]).includes(kind)) return `其他事件（${kind}）`;
  const condition = eventKindText(kind);
  if (payload.active === false) return `${condition}已恢复`;
  const unit = units[kind];
  return unit && typeof payload.value === "number"
    ? `${condition}（${payload.value} ${unit}）`
    : condition;
}
