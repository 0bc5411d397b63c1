// Cards of the home page: today's orders and income, cabinet states.
import type { HomeFigures } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { homeNetFen } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { formatMoney, formatNumber } from "../../../kit/format.ts";
import { Link, type Path, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { SvgIcon } from "../../../ui/display/svg-icon.tsx";
import { type CabinetCounts, totalNote } from "./total-note.rules.ts";

type HomeSide = HomeFigures["sides"][number];

/** Sum over both sides; undefined while loading. */
function sumOf(home: HomeFigures | undefined, figureOf: (side: HomeSide) => number) {
  return home?.sides.reduce((sum, side) => sum + figureOf(side), 0);
}

/** `单面 12 · 双面 30` */
function bySide(home: HomeFigures, read: (side: HomeSide) => string): string {
  return home.sides.map((side) => `${sideText[side.side]} ${read(side)}`).join(" · ");
}

/** Side with the higher figure, for a card that links to one side only. */
function busierSide(home: HomeFigures | undefined, figureOf: (side: HomeSide) => number) {
  const [first, second] = home?.sides ?? [];
  const isSecond = first && second && figureOf(second) > figureOf(first);
  return sideBase(isSecond ? second.side : "SINGLE");
}

interface OrderCardsProps {
  home: HomeFigures | undefined;
  hasFailed: boolean;
  tenantId: number | undefined;
}

export function OrderCards({ home, hasFailed, tenantId }: OrderCardsProps) {
  const may = usePermissions();
  const orders = may("order:read") ? "/rider/order" : null;
  const overview = may("statistics:read") ? "/index" : null;
  const to = (
    page: "/rider/order" | "/index" | null,
    figureOf: (side: HomeSide) => number,
    state?: OrderState,
  ) => page && pathTo(`${busierSide(home, figureOf)}${page}`, { state, tenantId });
  const overdue = sumOf(home, (side) => side.overdue);
  const net = home && homeNetFen(home);
  return (
    <ul className="dashboard-cards" aria-label="今日经营">
      <Card
        to={to(overview ?? orders, ({ started }) => started)}
        title="今日订单"
        icon="single"
        value={formatted(
          sumOf(home, ({ started }) => started),
          hasFailed,
        )}
      >
        {home &&
          `${bySide(home, ({ started }) => formatNumber(started))} · 昨日全天 ${formatNumber(sumOf(home, ({ startedBefore }) => startedBefore))}`}
      </Card>
      {net !== null && may("statistics:read") && (
        <Card
          to={to(overview, ({ incomeFen }) => incomeFen ?? 0)}
          title="今日净收入"
          icon="money"
          value={shown(net && formatMoney(net.today), hasFailed)}
        >
          {home && net && incomeNote(home, net.yesterday)}
        </Card>
      )}
      <Card
        to={to(orders, ({ stored }) => stored, "STORED")}
        title="在柜物品"
        icon="cabinet"
        value={formatted(
          sumOf(home, ({ stored }) => stored),
          hasFailed,
        )}
      >
        {home && bySide(home, ({ stored }) => formatNumber(stored))}
      </Card>
      <Card
        to={to(orders, (side) => side.overdue, "OVERDUE")}
        title="滞留"
        value={formatted(overdue, hasFailed)}
        tone={overdue ? "warn" : undefined}
      >
        {home && (overdue ? bySide(home, (side) => formatNumber(side.overdue)) : "没有滞留的物品")}
      </Card>
    </ul>
  );
}

function incomeNote(home: HomeFigures, yesterday: number): string {
  const refunds = sumOf(home, ({ refundFen }) => refundFen ?? 0);
  const before = `昨日全天 ${formatMoney(yesterday)}`;
  return refunds ? `已减退款 ${formatMoney(refunds)} · ${before}` : before;
}

interface CabinetCardsProps {
  cabinets: CabinetCounts | undefined;
  faults: number | undefined;
  hasFailed: boolean;
  tenantId: number | undefined;
}

export function CabinetCards({ cabinets, faults, hasFailed, tenantId }: CabinetCardsProps) {
  const { total, online, offline } = cabinets ?? {};
  return (
    <ul className="dashboard-cards" aria-label="设备概况">
      <Card
        to={pathTo("/cupboard/index", { tenantId })}
        title="设备总数"
        icon="cabinet"
        value={formatted(total, hasFailed)}
      >
        {cabinets && totalNote(cabinets)}
      </Card>
      <Card
        to={pathTo("/cupboard/index", { connectivity: "ONLINE", tenantId })}
        title="在线设备"
        value={formatted(online, hasFailed)}
        tone="good"
      >
        {total ? `${Math.round(((online ?? 0) / total) * 100)}% 在线` : undefined}
      </Card>
      <Card
        to={pathTo("/cupboard/index", { connectivity: "OFFLINE", tenantId })}
        title="离线设备"
        value={formatted(offline, hasFailed)}
        tone={offline ? "warn" : undefined}
      />
      <Card
        to={pathTo("/malfunction/index", { state: "CREATED", tenantId })}
        title="待受理故障"
        icon="repair"
        value={formatted(faults, hasFailed)}
        tone={faults ? "bad" : undefined}
      >
        {faults === 0 ? "暂无待受理的故障" : undefined}
      </Card>
    </ul>
  );
}

const shown = (text: string | undefined, hasFailed: boolean) =>
  text ?? (hasFailed ? "—" : undefined);

const formatted = (value: number | undefined, hasFailed: boolean) =>
  shown(value === undefined ? undefined : formatNumber(value), hasFailed);

interface CardProps {
  /** Null without permission to open the target page. */
  to: Path | null;
  title: string;
  /** Absent: a dot in the colour of the tone. */
  icon?: string;
  /** Undefined while loading. */
  value: string | undefined;
  tone?: "good" | "warn" | "bad" | undefined;
  children?: string | undefined;
}

function Card({ to, title, icon, value, tone, children }: CardProps) {
  const contents = (
    <>
      <span className="dashboard-card-title">
        {icon ? <SvgIcon name={icon} /> : <span className="dashboard-dot" />}
        {title}
      </span>
      <strong aria-busy={value === undefined}>{value ?? " "}</strong>
      <span className="dashboard-card-note">{children ?? " "}</span>
    </>
  );
  return (
    <li>
      {to ? (
        <Link to={to} className="dashboard-card" data-tone={tone}>
          {contents}
        </Link>
      ) : (
        <div className="dashboard-card" data-tone={tone}>
          {contents}
        </div>
      )}
    </li>
  );
}
