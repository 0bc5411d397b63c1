// Calls for statistics (数据概览, 首页, 数据大屏): daily sums, rankings, occupancy.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
  AnyDay,
  Day,
  Id,
  Nullable,
  OneOf,
  StoreId,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { PricingRuleBody } from "../../money/pricing/pricing.contract.ts";
import { PRICING_SCOPES } from "../../money/pricing/pricing.rules.ts";
import { SIZES } from "../../vocabulary/hardware.rules.ts";
import { Side } from "../../vocabulary/hardware.ts";
import { MALFUNCTION_KINDS } from "../../vocabulary/malfunction.rules.ts";
import { ORDER_STATES } from "../../vocabulary/order.rules.ts";
import { SEVERITIES } from "../malfunction/malfunction.rules.ts";

const figureFields = {
  started: Type.Integer({ description: "订单数（创建）" }),
  stored: Type.Integer({ description: "存入数" }),
  completed: Type.Integer({ description: "完成数（物品已取出）" }),
  stayMinutes: Type.Integer({ description: "已完成订单的存放分钟数" }),
  overdue: Type.Integer({ description: "滞留数" }),
  incomeFen: Type.Integer({ description: "订单支付，含赠送金支付的部分；净收入 = 支付 − 退款" }),
  bonusFen: Type.Integer({ description: "其中赠送金" }),
  refundFen: Type.Integer({ description: "退款" }),
  openings: Type.Integer({ description: "开门次数" }),
  opened: Type.Integer({ description: "开门成功次数" }),
};
const FigureSums = named("FigureSums", Type.Object(figureFields));

/** Days in Shanghai, both inclusive; default the last 30, at most 366. */
const periodFields = {
  from: Type.Optional({ ...Day, title: "开始日期" }),
  to: Type.Optional({ ...Day, title: "结束日期" }),
  tenantId: Type.Optional(TenantId),
  storeId: Type.Optional(StoreId),
  cabinetId: Type.Optional(Id),
};
const Period = named("Period", Strict(periodFields));
export type Period = Static<typeof Period>;

export const IncomeStatistics = named(
  "IncomeStatistics",
  Type.Object({
    from: AnyDay,
    to: AnyDay,
    /** Compartments now in service, of the side or of both; the turnover is calculated from them. */
    compartments: Type.Integer(),
    now: FigureSums,
    /** Sums over the same number of days just before. */
    before: FigureSums,
  }),
);
export type IncomeStatistics = Static<typeof IncomeStatistics>;

export const DayFigures = named("DayFigures", Type.Object({ day: AnyDay, ...figureFields }));
export type DayFigures = Static<typeof DayFigures>;

const RANKING_SORTS = [
  "income",
  "refund",
  "started",
  "stored",
  "completed",
  "turnover",
  "stay",
  "overdue",
  "opened",
] as const;

const rankingQuery = PageQuery({
  ...periodFields,
  side: Type.Optional(Side),
  by: OneOf(["STORE", "CABINET"], "排行"),
  sort: Type.Optional(OneOf(RANKING_SORTS, "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "顺序")),
});
export type RankingQuery = Static<typeof rankingQuery>;

export const RankedPlace = Type.Object({
  /** Id of the store or cabinet; null: the cabinet was in no store at that time. */
  id: Nullable(Id),
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  name: Type.String(),
  /** Number of a cabinet, or code of a store. */
  code: Type.String(),
  storeName: Nullable(Type.String()),
  /** Null for a store with orders of both sides. */
  side: Nullable(Side),
  compartments: Type.Integer(),
  ...figureFields,
});
export type RankedPlace = Static<typeof RankedPlace>;

const CABINET_SORTS = [
  "income",
  "change",
  "turnover",
  "full",
  "offline",
  "malfunctions",
  "name",
] as const;

const cabinetRankingQuery = PageQuery({
  ...periodFields,
  side: Type.Optional(Side),
  keyword: Type.Optional(Type.String({ title: "设备", maxLength: 64 })),
  sort: Type.Optional(OneOf(CABINET_SORTS, "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "顺序")),
});
export type CabinetRankingQuery = Static<typeof cabinetRankingQuery>;

/** A cabinet of either side with its figures of the span, and why it may earn little. */
export const RankedCabinet = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  name: Type.String(),
  sn: Type.String(),
  side: Side,
  storeId: Nullable(Id),
  storeName: Nullable(Type.String()),
  compartments: Type.Integer(),
  days: Type.Integer({ description: "这段日期中已登记的天数，日均按它计算" }),
  started: figureFields.started,
  stored: figureFields.stored,
  incomeFen: figureFields.incomeFen,
  refundFen: figureFields.refundFen,
  openings: figureFields.openings,
  opened: figureFields.opened,
  netFenBefore: Type.Integer({ description: "上期净收入" }),
  medianDayFen: Type.Integer({ description: "租户各设备日均净收入的中位数，不受筛选影响" }),
  fullMinutes: Type.Integer({ description: "最常满的一种大小的满柜分钟数" }),
  offlineMinutes: Type.Integer(),
  malfunctions: Type.Integer({ description: "这段日期登记的故障" }),
  pricingScope: OneOf(PRICING_SCOPES),
  pricing: PricingRuleBody,
});
export type RankedCabinet = Static<typeof RankedCabinet>;

/** Figures of one side; money is null for accounts that may not see it. */
const HomeSide = named(
  "HomeSide",
  Type.Object({
    side: Side,
    started: Type.Integer(),
    startedBefore: Type.Integer({ description: "昨日" }),
    incomeFen: Nullable(Type.Integer()),
    incomeFenBefore: Nullable(Type.Integer()),
    refundFen: Nullable(Type.Integer()),
    refundFenBefore: Nullable(Type.Integer()),
    stored: Type.Integer({ description: "在柜（待取件）" }),
    overdue: Type.Integer({ description: "当前滞留" }),
    exception: Type.Integer({ description: "当前异常" }),
  }),
);

export const HomeFigures = named(
  "HomeFigures",
  Type.Object({
    sides: Type.Array(HomeSide),
    faultyCabinets: Type.Integer({ description: "有格口停用、故障或异常的设备" }),
    stoppedRollouts: Type.Integer({ description: "自动停止的下发任务" }),
    failingCallbacks: Type.Integer({ description: "连续失败的回调地址" }),
    deadCallbacks: Type.Integer({ description: "投递失败的回调" }),
    openDifferences: Type.Integer({ description: "待处理的对账差异" }),
    lowSmsTenants: Type.Integer({ description: "短信余额不足的租户；租户只知道自己" }),
    failingSmsChannels: Type.Integer({ description: "异常的短信通道，只告诉平台" }),
    expiringTenants: Type.Integer({ description: "即将到期的租户，只告诉平台" }),
    expiredTenants: Type.Integer({ description: "已到期的租户，只告诉平台" }),
    ownExpiresOn: { ...Nullable(Day), description: "本租户即将到期时，最后一天" },
    setup: Nullable(
      Type.Object({
        hasSms: Type.Boolean({ description: "短信可发：租户有余额；平台有开启的通道" }),
        hasWebhook: Type.Boolean({ description: "有回调地址送达过" }),
        hasMapKey: Type.Boolean({ description: "已填地图 Key" }),
        hasSecondFactor: Type.Boolean({ description: "自己已设置两步验证" }),
      }),
    ),
  }),
);
export type HomeFigures = Static<typeof HomeFigures>;

const ScreenStore = Type.Object({
  id: Id,
  name: Type.String(),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  cabinets: Type.Integer(),
  online: Type.Integer(),
  compartments: Type.Integer(),
  occupied: Type.Integer(),
});

export const Screen = Type.Object({
  cabinets: Type.Object({
    total: Type.Integer(),
    online: Type.Integer(),
    offline: Type.Integer(),
    never: Type.Integer(),
    /** Time at which any cabinet was last heard. */
    heardAt: Nullable(Timestamp),
  }),
  compartments: Type.Object({ total: Type.Integer(), occupied: Type.Integer() }),
  today: FigureSums,
  yesterday: FigureSums,
  live: Type.Object({
    stored: Type.Integer(),
    overdue: Type.Integer(),
    exception: Type.Integer(),
  }),
  stores: Type.Array(ScreenStore),
  topStores: Type.Array(
    Type.Object({
      id: Nullable(Id),
      name: Type.String(),
      started: Type.Integer(),
      netFen: Type.Integer({ description: "净收入" }),
    }),
  ),
  hours: Type.Array(
    Type.Object({ hour: Timestamp, occupied: Type.Integer(), total: Type.Integer() }),
  ),
  occupancyAt: Nullable(Timestamp),
  orders: Type.Array(
    Type.Object({
      id: Id,
      createdAt: Timestamp,
      side: Side,
      state: OneOf(ORDER_STATES),
      size: OneOf(SIZES),
      cabinetName: Type.String(),
      storeName: Nullable(Type.String()),
    }),
  ),
  alarms: Type.Array(
    Type.Object({
      id: Id,
      tenantId: Type.Integer(),
      kind: OneOf(MALFUNCTION_KINDS),
      severity: OneOf(SEVERITIES),
      isStoreOutage: Type.Boolean({ description: "门店断网" }),
      place: Type.String(),
      description: Type.String(),
      createdAt: Timestamp,
    }),
  ),
  openAlarms: Type.Integer(),
});
export type Screen = Static<typeof Screen>;

const useFields = {
  size: OneOf(SIZES, "大小"),
  samples: Type.Integer(),
  occupied: Type.Integer(),
  total: Type.Integer(),
  fullSamples: Type.Integer(),
};

export const HourUse = Type.Object({
  ...useFields,
  hour: Type.Integer({ description: "0–23，上海时间" }),
});
export type HourUse = Static<typeof HourUse>;

export const CabinetSizeUse = Type.Object({
  ...useFields,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  cabinetId: Id,
  cabinetName: Type.String(),
  sn: Type.String(),
  storeName: Nullable(Type.String()),
  /** Usable compartments at the last sample, and the most in use at once. */
  compartments: Type.Integer(),
  peak: Type.Integer(),
  /** Hour in which it was full most often; null: never full. */
  worstHour: Nullable(Type.Integer()),
});
export type CabinetSizeUse = Static<typeof CabinetSizeUse>;

const occupancyFields = {
  ...periodFields,
  side: Type.Optional(Side),
  size: Type.Optional(OneOf(SIZES, "大小")),
  keyword: Type.Optional(Type.String({ title: "设备", maxLength: 64 })),
};
const OccupancyQuery = Strict(occupancyFields);
export type OccupancyQuery = Static<typeof OccupancyQuery>;

const sizesQuery = PageQuery({
  ...occupancyFields,
  sort: Type.Optional(OneOf(["full", "share", "peak", "cabinet"], "排序")),
  order: Type.Optional(OneOf(["asc", "desc"], "顺序")),
});
export type SizesQuery = Static<typeof sizesQuery>;

export const statisticsContract = {
  singleIncome: endpoint({
    method: "GET",
    path: "/admin/v1/single/income/statistics",
    access: "statistics:read",
    load: "heavy",
    summary: "单面设备订单与收入统计",
    query: Period,
    reply: IncomeStatistics,
  }),
  singleTendency: endpoint({
    method: "POST",
    path: "/admin/v1/single/income/tendency",
    access: "statistics:read",
    load: "heavy",
    summary: "单面设备订单与收入趋势",
    bodyForm: "form",
    isRead: true,
    body: Period,
    reply: Type.Array(DayFigures),
  }),
  doubleIncome: endpoint({
    method: "GET",
    path: "/admin/v1/double/income/statistics",
    access: "statistics:read",
    load: "heavy",
    summary: "双面设备订单与收入统计",
    query: Period,
    reply: IncomeStatistics,
  }),
  doubleTendency: endpoint({
    method: "POST",
    path: "/admin/v1/double/income/tendency",
    access: "statistics:read",
    load: "heavy",
    summary: "双面设备订单与收入趋势",
    bodyForm: "form",
    isRead: true,
    body: Period,
    reply: Type.Array(DayFigures),
  }),
  income: endpoint({
    method: "GET",
    path: "/admin/v1/income/statistics",
    access: "statistics:read",
    load: "heavy",
    summary: "单双面设备合计的订单与收入统计",
    query: Period,
    reply: IncomeStatistics,
  }),
  tendency: endpoint({
    method: "POST",
    path: "/admin/v1/income/tendency",
    access: "statistics:read",
    load: "heavy",
    summary: "单双面设备合计的订单与收入趋势",
    bodyForm: "form",
    isRead: true,
    body: Period,
    reply: Type.Array(DayFigures),
  }),
  ranking: endpoint({
    method: "GET",
    path: "/admin/v1/statistics/ranking",
    access: "statistics:read",
    load: "heavy",
    summary: "门店或设备排行",
    query: rankingQuery,
    reply: PageOf(RankedPlace),
  }),
  cabinets: endpoint({
    method: "GET",
    path: "/admin/v1/statistics/cabinets",
    access: "statistics:read",
    load: "heavy",
    summary: "单双面设备排行：日均收入、周转、满柜、离线、故障与计费规则",
    query: cabinetRankingQuery,
    reply: PageOf(RankedCabinet),
  }),
  home: endpoint({
    method: "GET",
    path: "/admin/v1/statistics/home",
    access: "signed-in",
    summary: "首页：今日订单、收入、滞留与待办",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: HomeFigures,
  }),
  screen: endpoint({
    method: "GET",
    path: "/admin/v1/statistics/screen",
    access: "statistics:read",
    feature: "screen",
    load: "heavy",
    summary: "数据大屏",
    query: Strict({ tenantId: Type.Optional(TenantId) }),
    reply: Screen,
  }),
  occupancy: endpoint({
    method: "GET",
    path: "/admin/v1/statistics/occupancy",
    access: "statistics:read",
    load: "heavy",
    summary: "各大小格口按时段的占用与满柜时长",
    query: OccupancyQuery,
    reply: Type.Object({
      from: AnyDay,
      to: AnyDay,
      lastAt: Nullable(Timestamp),
      hours: Type.Array(HourUse),
    }),
  }),
  sizes: endpoint({
    method: "GET",
    path: "/admin/v1/statistics/sizes",
    access: "statistics:read",
    load: "heavy",
    summary: "格口配比：各设备各大小的满柜时长与占用率",
    query: sizesQuery,
    reply: PageOf(CabinetSizeUse),
  }),
};
