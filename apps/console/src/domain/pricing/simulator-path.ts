// Path of 计价试算 for one cabinet: last month's orders under this rule.
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import {
  type RatedRule,
  ratesText,
  wholeRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { type Path, pathTo } from "../../kit/paths.ts";
import { lastMonth } from "../../ui/form/day-presets.rules.ts";
import { sideBase } from "../cabinet/page-side.ts";

export function simulatorPath({ id, side }: { id: number; side: Side }, rule: RatedRule): Path {
  return pathTo(`${sideBase(side)}/index?view=pricing`, {
    ...{ cabinetId: id, ...lastMonth(shanghaiDay(Date.now())) },
    ...wholeRule(rule),
    rates: ratesText(rule.rates) || undefined,
  });
}
