// A cabinet's measurements between two heartbeats: they wander, and rarely something shakes it.
import type { Body } from "./reporter.ts";
import { between, type World } from "./world.ts";

const POOR_SIGNAL_DBM = -110;
const VIBRATION_CHANCE = 0.001;

function wander(world: World, value: number, step: number, least: number, most: number): number {
  const next = value + (world.random() * 2 - 1) * step;
  return Math.min(Math.max(next, least), most);
}

export class Vitals {
  signalDbm: number;
  temperatureC: number;
  private readonly world: World;
  private isSignalPoor = false;

  constructor(world: World) {
    this.world = world;
    this.signalDbm = between(world, -95, -60);
    this.temperatureC = between(world, 12, 30);
  }

  /** New values, and the events they call for. */
  measure(): {
    signalDbm: number;
    temperatureC: number;
    supplyVolts: number;
    events: Body<"evt">[];
  } {
    this.signalDbm = Math.round(wander(this.world, this.signalDbm, 3, -115, -50));
    this.temperatureC = Math.round(wander(this.world, this.temperatureC, 0.3, -5, 45) * 10) / 10;
    const supplyVolts = Math.round((12 + this.world.random() * 0.4) * 100) / 100;
    const events: Body<"evt">[] = [];
    const isPoor = this.signalDbm < POOR_SIGNAL_DBM;
    if (isPoor !== this.isSignalPoor) {
      this.isSignalPoor = isPoor;
      events.push({ type: "NETWORK_POOR", active: isPoor, value: this.signalDbm });
    }
    if (this.world.random() < VIBRATION_CHANCE) {
      events.push({ type: "VIBRATION", value: between(this.world, 1, 4) });
    }
    return { signalDbm: this.signalDbm, temperatureC: this.temperatureC, supplyVolts, events };
  }
}
