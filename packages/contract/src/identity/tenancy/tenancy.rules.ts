// Pure rules of a tenant's terms: state, renewal, obstacles to deletion.

import { moneyText } from "../../kit/money.rules.ts";
import { addMonths, dateOf, type RenewalTerms } from "../../kit/service-period.rules.ts";
import { addDays } from "../../kit/shanghai.rules.ts";
import { FEATURES, type Feature, featureTitle } from "../../vocabulary/feature.rules.ts";
import { pathsForEveryone } from "../access/routes.rules.ts";

export const TENANT_STATES = ["ACTIVE", "EXPIRING", "EXPIRED", "SUSPENDED", "DELETED"] as const;
/** Derived from stored decisions and the database's clock. */
export type TenantState = (typeof TENANT_STATES)[number];

export const tenantStateText: Record<TenantState, string> = {
  ACTIVE: "正常",
  EXPIRING: "即将到期",
  EXPIRED: "已到期",
  SUSPENDED: "已停用",
  DELETED: "已删除",
};

/** Tenant of the platform itself: it cannot be suspended or deleted and never expires. */
export const PLATFORM_TENANT_ID = 1;

/** Page that every tenant has, and pages that only the platform has. */
const ALWAYS_HAD = "/dashboard";
const platformPaths = ["/register", "/set/power"];

/** True if the platform may withhold the menu entry with this uri from a tenant. */
export function isWithholdable(uri: string): boolean {
  return uri !== ALWAYS_HAD && !pathsForEveryone.has(uri) && !isPlatformPath(uri);
}

/** Also true where such a path occurs inside another one (specification §6). */
export function isPlatformPath(uri: string): boolean {
  return platformPaths.some((path) => uri.includes(path));
}

/**
 * Closed: accounts cannot sign in and users can start nothing new; goods can still be taken out.
 */
export function isClosed(state: TenantState): boolean {
  return state !== "ACTIVE" && state !== "EXPIRING";
}

export interface TenantTerm {
  /** Last day, inclusive; null: none. */
  expiresOn: string | null;
  /** Day of the month that the term ends on where a month is long enough; null: that of its last day. */
  expiryDate: number | null;
}

/**
 * Renewed term, or the problem of the request in Chinese. A running term goes on from its last day, one that is over from
 * yesterday, as if it had ended then. A last day that is set by hand sets the day of the month; months keep it.
 */
export function renewTenant(
  term: TenantTerm,
  { months = 0, endsOn }: Pick<RenewalTerms, "months" | "endsOn">,
  today: string,
): { expiresOn: string; expiryDate: number } | { problem: string } {
  if (endsOn !== undefined) {
    if (endsOn < today) return { problem: "到期日不能早于今天；要立即关闭请用“停用”" };
    if (endsOn === term.expiresOn) return { problem: "到期日没有变化，请另选一天" };
    return { expiresOn: endsOn, expiryDate: dateOf(endsOn) };
  }
  const { expiresOn: from, expiryDate } = runningTerm(term, today);
  return { expiresOn: addMonths(from, months, expiryDate), expiryDate };
}

function runningTerm({ expiresOn, expiryDate }: TenantTerm, today: string) {
  if (expiresOn === null || expiresOn < today) {
    const yesterday = addDays(today, -1);
    // Whole months that begin on the 1st end on the last day, also of longer months.
    return { expiresOn: yesterday, expiryDate: dateOf(today) === 1 ? 31 : dateOf(yesterday) };
  }
  // A release that does not know the date may have moved the end since.
  const isItsDate = expiryDate !== null && addMonths(expiresOn, 0, expiryDate) === expiresOn;
  return { expiresOn, expiryDate: isItsDate ? expiryDate : dateOf(expiresOn) };
}

/** Obstacles to deletion: what nobody else could settle afterwards. */
export interface TenantRemains {
  /** Cabinets that are not retired. */
  cabinets: number;
  liveOrders: number;
  walletUsers: number;
  /** Wallet money, held money included. */
  walletFen: number;
  heldFen: number;
  /** Cards that users could still use. */
  cards: number;
  /** Ended orders with unpaid amounts. */
  unpaidOrders: number;
  unpaidFen: number;
  topUps: number;
  refunds: number;
  differences: number;
}

/** Sentences with figure and remedy; empty when the tenant may be deleted. */
export function remainsText(remains: TenantRemains): string[] {
  const { cabinets, liveOrders, walletUsers, walletFen, heldFen, cards } = remains;
  const { unpaidOrders, unpaidFen, topUps, refunds, differences } = remains;
  const held = heldFen > 0 ? `，其中冻结 ${moneyText(heldFen)}` : "";
  return [
    cabinets > 0 && `${cabinets} 台设备（先收回或停用）`,
    liveOrders > 0 && `${liveOrders} 笔未结束的订单（先取出物品）`,
    walletFen !== 0 && `${walletUsers} 位用户的钱包余额共 ${moneyText(walletFen)}${held}（先退款）`,
    cards > 0 && `${cards} 张未用完的套餐卡（先用完或退回）`,
    unpaidOrders > 0 &&
      `${unpaidOrders} 笔已结束未付清的订单，共 ${moneyText(unpaidFen)}（先收取或免除）`,
    topUps > 0 && `${topUps} 笔处理中的充值`,
    refunds > 0 && `${refunds} 笔处理中的退款`,
    differences > 0 && `${differences} 项未处理的对账差异`,
  ].filter((line) => line !== false);
}

/** Limits of a tenant; null is unlimited. */
export const TENANT_LIMITS = [
  ...(["maxOperators", "maxCabinets", "maxStorageMb"] as const),
  ...(["maxRequests", "maxExports", "maxLiveChannels"] as const),
];
export type TenantLimits = Record<(typeof TENANT_LIMITS)[number], number | null>;

/** Limits of a new tenant unless the platform decides otherwise. */
export const USUAL_LIMITS = {
  maxStorageMb: 10_240,
  /** Per minute: 500 a second are far beyond people's consoles, and within what a small server answers. */
  maxRequests: 30_000,
  /** Half of those that may wait in all tenants. */
  maxExports: 10,
  maxLiveChannels: 1_000,
};

/** Switch of one optional feature (0075). Both days count; null: without a beginning or end. */
export interface FeatureSwitch {
  feature: Feature;
  isOn: boolean;
  startsOn: string | null;
  endsOn: string | null;
}

export type FeatureState = "ON" | "PENDING" | "ENDED" | "OFF";

/** The database decides the same by `tenant_feature_is_on`. */
export function featureState(
  { isOn, startsOn, endsOn }: Omit<FeatureSwitch, "feature">,
  today: string,
): FeatureState {
  if (!isOn) return "OFF";
  if (startsOn !== null && today < startsOn) return "PENDING";
  return endsOn !== null && today > endsOn ? "ENDED" : "ON";
}

/** All features in their fixed order; those without a row are on. */
export function allSwitches(stored: readonly FeatureSwitch[]): FeatureSwitch[] {
  return FEATURES.map(
    (feature) =>
      stored.find((each) => each.feature === feature) ?? {
        ...{ feature, isOn: true, startsOn: null, endsOn: null },
      },
  );
}

/** `开通，2026-12-01 至 2026-12-31`. */
export function featureText({ isOn, startsOn, endsOn }: Omit<FeatureSwitch, "feature">): string {
  if (!isOn) return "未开通";
  if (startsOn === null && endsOn === null) return "开通";
  if (startsOn === null) return `开通至 ${endsOn}`;
  return endsOn === null ? `${startsOn} 起开通` : `开通，${startsOn} 至 ${endsOn}`;
}

/** Problem of the switches as a sentence, or null. */
export function switchesProblem(switches: readonly FeatureSwitch[]): string | null {
  if (new Set(switches.map(({ feature }) => feature)).size < switches.length) {
    return "同一项功能只能填写一次";
  }
  const reversed = switches.find(
    ({ startsOn, endsOn }) => startsOn !== null && endsOn !== null && endsOn < startsOn,
  );
  return reversed ? `${featureTitle[reversed.feature]}：截止日不能早于开始日` : null;
}

/** Features that are not on today, and those that end within so many days, soonest first. */
export function featureSummary(
  switches: readonly FeatureSwitch[],
  { today, days }: { today: string; days: number },
): { off: FeatureSwitch[]; ending: (FeatureSwitch & { daysLeft: number })[] } {
  const off = switches.filter((each) => featureState(each, today) !== "ON");
  const ending = switches.flatMap((each) => {
    if (off.includes(each) || each.endsOn === null) return [];
    const daysLeft = (Date.parse(each.endsOn) - Date.parse(today)) / 86_400_000;
    return daysLeft <= days ? [{ ...each, daysLeft }] : [];
  });
  return { off, ending: ending.sort((one, other) => one.daysLeft - other.daysLeft) };
}
