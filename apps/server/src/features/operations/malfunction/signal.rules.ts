// Decides when a reported signal becomes a malfunction and when it recovers (debounce and
// hysteresis).
import type { MalfunctionKind } from "@cabinet/contract/vocabulary/malfunction.rules.ts";

interface SignalRule {
  /** `LASTING` has a begin and an end; a `MOMENT` is a single event. */
  nature: "LASTING" | "MOMENT";
  /** Minimum duration before it opens a malfunction. */
  holdSeconds: number;
  /** Alternatively, the number of occurrences… */
  times: number;
  /** …within this window. */
  windowSeconds: number;
  /** Time without the condition before it recovers; null: only a person can resolve it. */
  calmSeconds: number | null;
  /** Polling interval for the end of the condition where no report announces it. */
  pollSeconds?: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Rules of automatic signals; absences have their own (outage.rules.ts). */
export const signalRules = {
  // The cabinet has already waited for its own limit (`doorOpenAlarmSeconds`).
  DOOR_LEFT_OPEN: lasting({ holdSeconds: 0, calmSeconds: 0, pollSeconds: 15 }),
  POWER_LOW: lasting({ holdSeconds: MINUTE, calmSeconds: 2 * MINUTE }),
  BOARD_FAULT: lasting({ holdSeconds: 10, calmSeconds: MINUTE }),
  TEMPERATURE_HIGH: lasting({ holdSeconds: 2 * MINUTE, calmSeconds: 5 * MINUTE }),
  TEMPERATURE_LOW: lasting({ holdSeconds: 2 * MINUTE, calmSeconds: 5 * MINUTE }),
  NETWORK_POOR: lasting({ holdSeconds: 5 * MINUTE, calmSeconds: 5 * MINUTE }),
  // Doors are shut: only a sensor that flickers, or goods that moved.
  OCCUPANCY_ABNORMAL: lasting({ holdSeconds: MINUTE, calmSeconds: 0, times: 0 }),
  // Every door that is shut hard causes a knock.
  VIBRATION: moment({ times: 3, windowSeconds: 10 * MINUTE, calmSeconds: HOUR }),
  TAMPER: moment({ times: 1, windowSeconds: MINUTE, calmSeconds: null }),
  UNCOMMANDED_OPENING: moment({ times: 1, windowSeconds: MINUTE, calmSeconds: null }),
  IDENTITY_SHARED: moment({ times: 1, windowSeconds: MINUTE, calmSeconds: null }),
  // A single failure may be a person who did not pull; an opening that works ends the signal.
  OPEN_FAILED: {
    nature: "LASTING",
    holdSeconds: Number.POSITIVE_INFINITY,
    times: 2,
    windowSeconds: 24 * HOUR,
    calmSeconds: 0,
  },
} as const satisfies Partial<Record<MalfunctionKind, SignalRule>>;
export type SignalKind = keyof typeof signalRules;

function lasting(
  own: Pick<SignalRule, "holdSeconds" | "calmSeconds"> & Partial<SignalRule>,
): SignalRule {
  return { nature: "LASTING", times: 3, windowSeconds: 30 * MINUTE, ...own };
}

function moment(own: Pick<SignalRule, "times" | "windowSeconds" | "calmSeconds">): SignalRule {
  return { nature: "MOMENT", holdSeconds: 0, ...own };
}

/** Signals that cabinets report as events. */
export const EVENT_SIGNALS = [
  "DOOR_LEFT_OPEN",
  "VIBRATION",
  "TAMPER",
  "UNCOMMANDED_OPENING",
  "IDENTITY_SHARED",
  "POWER_LOW",
  "BOARD_FAULT",
  "TEMPERATURE_HIGH",
  "TEMPERATURE_LOW",
  "NETWORK_POOR",
] as const satisfies SignalKind[];

export function isEventSignal(kind: string): kind is (typeof EVENT_SIGNALS)[number] {
  return (EVENT_SIGNALS as readonly string[]).includes(kind);
}

export function ruleOf(kind: SignalKind): SignalRule {
  return signalRules[kind];
}

/** State of a signal; times in ms since the epoch. */
export interface SignalProgress {
  kind: SignalKind;
  isActive: boolean;
  beganMs: number;
  endedMs: number | null;
  lastMs: number;
  begins: number;
  pending: number;
  isReported: boolean;
  /** The cabinet is not in operation any more, or the door in question is shut. */
  isMoot: boolean;
}

export interface SignalStep {
  /** `COUNT`: adds `pending` to a malfunction, new or open; `END`: recovers it. */
  do: "COUNT" | "END" | "NOTHING";
  isActive: boolean;
  isReported: boolean;
  /** Time of the next evaluation; null: with the next report. */
  dueMs: number | null;
}

/** Next step of a signal. */
export function judgeSignal(signal: SignalProgress, nowMs: number): SignalStep {
  const rule = ruleOf(signal.kind);
  const isOver = !signal.isActive || signal.isMoot;
  if (isOver) return judgeEnded(signal, rule, nowMs);
  if (rule.nature === "MOMENT") return judgeMoment(signal, rule, nowMs);
  return judgeLasting(signal, rule, nowMs);
}

const isOften = ({ begins }: SignalProgress, { times }: SignalRule) => times > 0 && begins >= times;

function judgeEnded(signal: SignalProgress, rule: SignalRule, nowMs: number): SignalStep {
  const gone = { isActive: false, isReported: signal.isReported, dueMs: null };
  // Flapping: a condition that came and went is a malfunction as well if it did so often enough.
  if (!signal.isReported && !signal.isMoot && signal.pending > 0 && isOften(signal, rule)) {
    return { do: "COUNT", isActive: false, isReported: true, dueMs: calmUntil(signal, rule) };
  }
  if (!signal.isReported) return { do: "NOTHING", ...gone };
  const untilMs = signal.isMoot ? nowMs : (calmUntil(signal, rule) ?? nowMs);
  if (nowMs < untilMs) return { do: "NOTHING", ...gone, dueMs: untilMs };
  return { do: "END", ...gone, isReported: false };
}

function calmUntil(
  { endedMs, lastMs }: SignalProgress,
  { calmSeconds }: SignalRule,
): number | null {
  return calmSeconds === null ? null : (endedMs ?? lastMs) + calmSeconds * 1000;
}

function judgeMoment(signal: SignalProgress, rule: SignalRule, nowMs: number): SignalStep {
  const quietMs = calmUntil({ ...signal, endedMs: null }, rule);
  if (signal.pending > 0 && (signal.isReported || isOften(signal, rule))) {
    // Without a quiet period to wait for, every occurrence is a malfunction of its own.
    return {
      do: "COUNT",
      isActive: quietMs !== null,
      isReported: quietMs !== null,
      dueMs: quietMs,
    };
  }
  if (!signal.isReported) return { do: "NOTHING", isActive: false, isReported: false, dueMs: null };
  if (quietMs === null || nowMs < quietMs) {
    return { do: "NOTHING", isActive: true, isReported: true, dueMs: quietMs };
  }
  return { do: "END", isActive: false, isReported: false, dueMs: null };
}

function judgeLasting(signal: SignalProgress, rule: SignalRule, nowMs: number): SignalStep {
  const pollMs = rule.pollSeconds ? nowMs + rule.pollSeconds * 1000 : null;
  if (signal.isReported) {
    const what = signal.pending > 0 ? "COUNT" : "NOTHING";
    return { do: what, isActive: true, isReported: true, dueMs: pollMs };
  }
  const heldMs = signal.beganMs + rule.holdSeconds * 1000;
  if (nowMs >= heldMs || isOften(signal, rule)) {
    return { do: "COUNT", isActive: true, isReported: true, dueMs: pollMs };
  }
  return {
    do: "NOTHING",
    isActive: true,
    isReported: false,
    dueMs: Number.isFinite(heldMs) ? heldMs : null,
  };
}

const units: Partial<Record<SignalKind, (value: number) => string>> = {
  DOOR_LEFT_OPEN: (seconds) => `已开 ${Math.round(seconds)} 秒`,
  POWER_LOW: (volts) => `${volts.toFixed(1)} V`,
  TEMPERATURE_HIGH: (celsius) => `${celsius.toFixed(1)} ℃`,
  TEMPERATURE_LOW: (celsius) => `${celsius.toFixed(1)} ℃`,
  NETWORK_POOR: (dbm) => `${Math.round(dbm)} dBm`,
};

const sentences: Record<SignalKind, string> = {
  DOOR_LEFT_OPEN: "箱门长时间未关",
  POWER_LOW: "供电电压过低",
  BOARD_FAULT: "驱动板异常",
  TEMPERATURE_HIGH: "柜内温度过高",
  TEMPERATURE_LOW: "柜内温度过低",
  NETWORK_POOR: "网络信号弱",
  OCCUPANCY_ABNORMAL: "账实不符：系统记录与物品传感器不一致",
  VIBRATION: "柜体多次震动",
  TAMPER: "柜体被撬动",
  UNCOMMANDED_OPENING: "箱门打开，没有开门指令，请立即核实格口内的物品",
  IDENTITY_SHARED: "疑似两台设备共用一个身份（存储卡被复制），请核对现场，停用其中一台并更换密钥",
  OPEN_FAILED: "连续多次开门未成功",
};

/** Description of the malfunction. */
export function signalText(
  { kind, begins, isActive }: Pick<SignalProgress, "kind" | "begins" | "isActive">,
  value: number | null,
): string {
  const rule = ruleOf(kind);
  const measured = value === null ? "" : (units[kind]?.(value) ?? "");
  const minutes = Math.round(rule.windowSeconds / MINUTE);
  const isFlapping = rule.nature === "LASTING" && !isActive && kind !== "OPEN_FAILED";
  const often = isFlapping ? `${minutes} 分钟内反复出现 ${begins} 次` : "";
  const facts = [measured, often].filter(Boolean).join("，");
  return facts ? `${sentences[kind]}（${facts}）` : sentences[kind];
}

/** Text of its recovery. */
export const overText: Record<SignalKind, string> = {
  DOOR_LEFT_OPEN: "箱门已关好",
  POWER_LOW: "供电恢复正常",
  BOARD_FAULT: "驱动板恢复正常",
  TEMPERATURE_HIGH: "柜内温度恢复正常",
  TEMPERATURE_LOW: "柜内温度恢复正常",
  NETWORK_POOR: "网络信号恢复正常",
  OCCUPANCY_ABNORMAL: "系统记录与传感器已一致",
  VIBRATION: "1 小时内未再震动",
  TAMPER: "已解除",
  UNCOMMANDED_OPENING: "已核实",
  IDENTITY_SHARED: "已核实",
  OPEN_FAILED: "该格口已成功开门",
};
