// Pure rules of a cabinet's event log: kinds, problems, presence.

export const EVENT_GROUPS = ["LINK", "DOOR", "ITEM", "SENSOR", "JOB", "DEED", "OTHER"] as const;
export type EventGroup = (typeof EVENT_GROUPS)[number];
export const eventGroupText: Record<EventGroup, string> = {
  LINK: "连接",
  DOOR: "箱门",
  ITEM: "物品",
  SENSOR: "传感器与硬件",
  JOB: "升级任务",
  DEED: "人工操作",
  OTHER: "其他",
};

interface KindFacts {
  group: EventGroup;
  text: string;
  /** Needs attention, unless the event reports that the condition is over. */
  isProblem?: true;
}

/** Kinds known to this version; newer cabinet programs may report others, which are kept. */
export const eventKinds = {
  ONLINE: { group: "LINK", text: "上线" },
  OFFLINE: { group: "LINK", text: "离线", isProblem: true },
  BOOTED: { group: "LINK", text: "设备启动" },
  CLOCK_SKEW: { group: "LINK", text: "时钟偏差", isProblem: true },
  ACTIVATED: { group: "LINK", text: "设备激活" },
  SIGN_IN_REFUSED: { group: "LINK", text: "连接被拒绝", isProblem: true },
  IDENTITY_SHARED: { group: "LINK", text: "疑似两台设备共用一个身份", isProblem: true },
  REPORT_DROPPED: { group: "LINK", text: "上报被丢弃", isProblem: true },
  REPORTS_LIMITED: { group: "LINK", text: "上报过于频繁", isProblem: true },
  INVALID_READINGS: { group: "SENSOR", text: "读数无效", isProblem: true },
  COUNTER_JUMPED: { group: "LINK", text: "设备计数跳变", isProblem: true },
  STORE_OUTAGE: { group: "LINK", text: "门店断网", isProblem: true },
  STORE_OUTAGE_ENDED: { group: "LINK", text: "门店断网结束" },
  NETWORK_POOR: { group: "LINK", text: "网络异常", isProblem: true },
  DOOR_OPENED: { group: "DOOR", text: "开门" },
  UNCOMMANDED_OPENING: { group: "DOOR", text: "非指令开门", isProblem: true },
  DOOR_CLOSED: { group: "DOOR", text: "关门" },
  DOOR_LEFT_OPEN: { group: "DOOR", text: "箱门长时间未关", isProblem: true },
  ITEM_PLACED: { group: "ITEM", text: "放入物品" },
  ITEM_TAKEN: { group: "ITEM", text: "取出物品" },
  VIBRATION: { group: "SENSOR", text: "震动报警", isProblem: true },
  TAMPER: { group: "SENSOR", text: "撬动报警", isProblem: true },
  POWER_LOW: { group: "SENSOR", text: "电源不足", isProblem: true },
  BOARD_FAULT: { group: "SENSOR", text: "驱动板异常", isProblem: true },
  TEMPERATURE_HIGH: { group: "SENSOR", text: "温度过高", isProblem: true },
  TEMPERATURE_LOW: { group: "SENSOR", text: "温度过低", isProblem: true },
  JOB: { group: "JOB", text: "升级任务" },
  COMPARTMENT_ENABLED: { group: "DEED", text: "启用格口" },
  COMPARTMENT_DISABLED: { group: "DEED", text: "停用格口" },
  COMPARTMENT_FAULT: { group: "DEED", text: "标记故障" },
  COMPARTMENT_CLEARED: { group: "DEED", text: "清柜" },
  STOCK_AUDITED: { group: "DEED", text: "盘点" },
} as const satisfies Record<string, KindFacts>;
export type EventKind = keyof typeof eventKinds;

export const knownKinds = Object.keys(eventKinds) as EventKind[];

function factsOf(kind: string): KindFacts | undefined {
  return (eventKinds as Record<string, KindFacts>)[kind];
}

/** Text of a kind; an unknown kind keeps the cabinet's word. */
export function eventKindText(kind: string): string {
  return factsOf(kind)?.text ?? kind;
}

export function eventGroupOf(kind: string): EventGroup {
  return factsOf(kind)?.group ?? "OTHER";
}

/** Known kinds of a group; OTHER has none. */
export function kindsOfGroup(group: EventGroup): EventKind[] {
  return knownKinds.filter((kind) => eventKinds[kind].group === group);
}

export const problemKinds: EventKind[] = knownKinds.filter((kind) => factsOf(kind)?.isProblem);

const failedJobs: unknown[] = ["FAILED", "REFUSED", "REJECTED"];

/** `payload`: the report of the cabinet; a condition that is over is no longer a problem. */
export function isProblem(
  kind: string,
  payload: Readonly<Record<string, unknown>> | null,
): boolean {
  if (kind === "JOB") {
    return failedJobs.includes((payload?.job as { status?: unknown } | undefined)?.status);
  }
  return factsOf(kind)?.isProblem === true && payload?.active !== false;
}

/** A larger clock skew is flagged (protocol §1). */
export const MAX_SKEW_SECONDS = 120;

/** Seconds that the cabinet's clock is ahead of ours if beyond MAX_SKEW_SECONDS; else null. */
export function skewOf(deviceAt: string | null, receivedAt: string): number | null {
  if (deviceAt === null) return null;
  const seconds = Math.round((Date.parse(deviceAt) - Date.parse(receivedAt)) / 1000);
  return Math.abs(seconds) > MAX_SKEW_SECONDS ? seconds : null;
}

export const PRESENCE_STATES = ["ONLINE", "OFFLINE", "NEVER"] as const;
export type PresenceState = (typeof PRESENCE_STATES)[number];

/** All times are Unix milliseconds. */
export interface PresenceSpan {
  state: PresenceState;
  from: number;
  to: number;
}

export interface PresenceChange {
  state: "ONLINE" | "OFFLINE";
  /** Start of the state; for OFFLINE the moment the cabinet was last heard. */
  at: number;
}

/**
 * Presence of a cabinet over a window, without gaps. `changes` are in order; the first lies before
 * the window if the state was known by then.
 */
export function presenceSpans(
  changes: readonly PresenceChange[],
  window: { from: number; to: number },
): PresenceSpan[] {
  const spans: PresenceSpan[] = [];
  let state: PresenceState = "NEVER";
  let since = window.from;
  const close = (at: number) => {
    const to = Math.min(Math.max(at, since), window.to);
    const last = spans.at(-1);
    if (to <= since) return;
    if (last?.state === state) last.to = to;
    else spans.push({ state, from: since, to });
    since = to;
  };
  for (const change of changes) {
    close(change.at);
    state = change.state;
  }
  close(window.to);
  return spans;
}

/** Online share of the window's known time, 0 to 1; null when nothing is known. */
export function onlineShare(spans: readonly PresenceSpan[]): number | null {
  const lengthOf = (state: PresenceState) =>
    spans.reduce((sum, span) => sum + (span.state === state ? span.to - span.from : 0), 0);
  const known = lengthOf("ONLINE") + lengthOf("OFFLINE");
  return known === 0 ? null : lengthOf("ONLINE") / known;
}
