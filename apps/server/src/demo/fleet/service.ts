// Service periods of the demo's cabinets with their records; a few have ended.
import type { ServiceAction } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { renewPeriod } from "@cabinet/contract/kit/service-period.rules.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { PlacedStory } from "../orders/placed-story.ts";
import type { DemoActor } from "../organization/account.ts";
import { Random } from "../random.ts";
import { DAY, HOUR } from "./cabinet.ts";

interface Facts {
  startsOn: string | null;
  endsOn: string | null;
  isStopped: boolean;
}

interface Action {
  at: number;
  action: ServiceAction;
  reason: string;
  before: Facts;
  after: Facts;
}

const none: Facts = { startsOn: null, endsOn: null, isStopped: false };

/** In the tenant meant for trying things out, connected cabinets accept orders; elsewhere some services are over. */
const BUSY_TENANT = 1;

/** Opened before installation; trials of a month or two are renewed in time, late, or not at all. */
function writeService(
  { cabinet }: PlacedStory,
  from: number,
  now: number,
  random: Random,
): Action[] {
  const today = shanghaiDay(now);
  const isSafe = cabinet.tenant === BUSY_TENANT && cabinet.isSimulated;
  const isTrial = random.chance(0.3);
  const months = random.pick(isTrial ? [1, 2, 2] : [6, 12, 12, 24]);
  const actions: Action[] = [];
  const add = (at: number, action: ServiceAction, reason: string, after: Facts) =>
    actions.push({ at, action, reason, before: actions.at(-1)?.after ?? none, after });
  const renew = (at: number, count: number, reason: string) => {
    const before = actions.at(-1)?.after ?? none;
    const renewal = renewPeriod(before, { months: count }, shanghaiDay(at));
    if (typeof renewal === "string") return;
    const { action, startsOn, endsOn } = renewal;
    add(at, action, reason, { startsOn, endsOn, isStopped: false });
  };
  const opened = from - 10 * DAY;
  renew(opened, months, isTrial ? "试用" : "合同开通");
  const endsOn = actions.at(-1)?.after.endsOn ?? today;
  const isOver = endsOn < today;
  if (isTrial && (random.chance(0.3) || (isOver && (isSafe || cabinet.isShowcase)))) {
    renew(Math.min(opened + 28 * DAY, now - HOUR), 12, "试用转正式");
  }
  const last = actions.at(-1)?.after ?? none;
  if (!isSafe && (cabinet.lifecycle === "RETIRED" || random.chance(0.08))) {
    const reason = cabinet.lifecycle === "RETIRED" ? "设备撤场" : "租户欠费";
    const at = now - random.int(5, 90) * HOUR;
    if (!cabinet.isShowcase) add(at, "STOPPED", reason, { ...last, isStopped: true });
  }
  return actions;
}

export function serviceRows(stories: readonly PlacedStory[], actor: DemoActor, now: number) {
  const random = new Random(2027);
  const histories = stories.flatMap((story) => {
    const { life } = story.cabinet;
    return life ? [{ story, actions: writeService(story, life.from, now, random) }] : [];
  });
  const time = (ms: number) => new Date(ms).toISOString();
  const services = histories.flatMap(({ story: { tenantId, cabinetId }, actions }) => {
    const last = actions.at(-1);
    if (!last) return [];
    const { startsOn, endsOn, isStopped } = last.after;
    return {
      tenant_id: tenantId,
      cabinet_id: cabinetId,
      starts_on: startsOn,
      ends_on: endsOn,
      stopped_at: isStopped ? time(last.at) : null,
      stop_reason: isStopped ? last.reason : null,
    };
  });
  const records = histories
    .flatMap(({ story: { tenantId, cabinetId }, actions }) =>
      actions.map((step) => ({ tenantId, cabinetId, ...step })),
    )
    .sort((one, other) => one.at - other.at)
    .map(({ tenantId, cabinetId, at, action, reason, before, after }) => ({
      tenant_id: tenantId,
      cabinet_id: cabinetId,
      at: time(at),
      action,
      actor_id: actor.operatorId,
      actor_name: actor.signature,
      before,
      after,
      reason,
    }));
  return { services, records };
}
