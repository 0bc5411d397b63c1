// Simulated measurements per heartbeat: random walk, temperature control and alarms.
import { shanghaiClock } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { ConfigValues } from "@cabinet/link";
import type { Body } from "./reporter.ts";
import { between, type World } from "./world.ts";

const VIBRATION_CHANCE = 0.001;
/** Default limit for the signal; the other alarms have no default and stay off when unset. */
const POOR_SIGNAL_DBM = -110;
/** Hysteresis: an alarm clears only when the value is this far on the good side of its limit. */
const MARGIN: Record<Alarm, number> = {
  NETWORK_POOR: 2,
  TEMPERATURE_HIGH: 1,
  TEMPERATURE_LOW: 1,
  POWER_LOW: 0.2,
};
/** Maximum temperature change by control per heartbeat, in °C. */
const CONTROL_STEP_C = 2;

type Alarm = "NETWORK_POOR" | "TEMPERATURE_HIGH" | "TEMPERATURE_LOW" | "POWER_LOW";

function wander(world: World, value: number, step: number, least: number, most: number): number {
  const next = value + (world.random() * 2 - 1) * step;
  return Math.min(Math.max(next, least), most);
}

/** `HH:mm` of Shanghai at this unix time. */
function clockAt(unixMs: number): string {
  return shanghaiClock(unixMs).slice(11, 16);
}

/** True if `now` is in [`from`, `to`), which may span midnight. */
export function isWithin(now: string, from: string, to: string): boolean {
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

export class Vitals {
  signalDbm: number;
  temperatureC: number;
  private readonly world: World;
  private readonly raised = new Set<Alarm>();

  constructor(world: World) {
    this.world = world;
    this.signalDbm = between(world, -95, -60);
    this.temperatureC = between(world, 12, 30);
  }

  /** New values and their alarm events. `unixMs`: undefined while the clock is not set. */
  measure(
    config: ConfigValues,
    unixMs: number | undefined,
  ): {
    signalDbm: number;
    temperatureC: number;
    supplyVolts: number;
    events: Body<"evt">[];
  } {
    this.signalDbm = Math.round(wander(this.world, this.signalDbm, 3, -115, -50));
    const target = targetOf(config, unixMs);
    const drift = target === undefined ? 0 : target - this.temperatureC;
    const controlled =
      this.temperatureC + Math.min(Math.max(drift, -CONTROL_STEP_C), CONTROL_STEP_C);
    this.temperatureC = Math.round(wander(this.world, controlled, 0.3, -30, 60) * 10) / 10;
    const supplyVolts = Math.round((12 + this.world.random() * 0.4) * 100) / 100;
    const numberOf = (name: string) => {
      const value = config[name];
      return typeof value === "number" ? value : undefined;
    };
    const events = [
      this.below("NETWORK_POOR", this.signalDbm, numberOf("signalPoorDbm") ?? POOR_SIGNAL_DBM),
      this.above("TEMPERATURE_HIGH", this.temperatureC, numberOf("temperatureHighC")),
      this.below("TEMPERATURE_LOW", this.temperatureC, numberOf("temperatureLowC")),
      this.below("POWER_LOW", supplyVolts, numberOf("supplyLowVolts")),
    ].filter((event) => event !== null);
    if (this.world.random() < VIBRATION_CHANCE) {
      events.push({ type: "VIBRATION", value: between(this.world, 1, 4) });
    }
    const { signalDbm, temperatureC } = this;
    return { signalDbm, temperatureC, supplyVolts, events };
  }

  private above(type: Alarm, value: number, limit: number | undefined): Body<"evt"> | null {
    const overBy = limit === undefined ? Number.NEGATIVE_INFINITY : value - limit;
    return this.judge(type, value, overBy);
  }

  private below(type: Alarm, value: number, limit: number | undefined): Body<"evt"> | null {
    const overBy = limit === undefined ? Number.NEGATIVE_INFINITY : limit - value;
    return this.judge(type, value, overBy);
  }

  /** Event when an alarm is raised or cleared, else null; `overBy`: distance past the limit. */
  private judge(type: Alarm, value: number, overBy: number): Body<"evt"> | null {
    const wasRaised = this.raised.has(type);
    const isRaised = overBy > (wasRaised ? -MARGIN[type] : 0);
    if (isRaised === wasRaised) return null;
    if (isRaised) this.raised.add(type);
    else this.raised.delete(type);
    return { type, active: isRaised, value };
  }
}

/** Target temperature now; undefined if none applies. */
function targetOf(config: ConfigValues, unixMs: number | undefined): number | undefined {
  const { temperatureTargetC: target, temperatureFromAt: from, temperatureToAt: to } = config;
  if (typeof target !== "number") return undefined;
  if (typeof from !== "string" || typeof to !== "string") return target;
  return unixMs !== undefined && isWithin(clockAt(unixMs), from, to) ? target : undefined;
}
