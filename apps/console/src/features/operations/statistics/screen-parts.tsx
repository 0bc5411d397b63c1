// Figures of the big screen: today's orders and income, cabinets online, occupancy by hour.
import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { netFen } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { formatMoney, formatNumber, formatShare, formatTime } from "../../../kit/format.ts";
import { TrendChart } from "../../../ui/chart/trend-chart.tsx";
import { Panel } from "./screen-panel.tsx";

interface FigureProps {
  title: string;
  value: string | undefined;
  /** Line below the value; empty: it keeps its place. */
  note?: string | undefined;
  tone?: "good" | "bad" | undefined;
}

function Figure({ title, value, note, tone }: FigureProps) {
  return (
    <div className="screen-figure" data-tone={tone}>
      <dt>{title}</dt>
      <dd>
        <b>{value ?? "—"}</b>
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  );
}

export function ScreenMoney({ data, at }: { data: Screen | undefined; at: string | null }) {
  const { today, yesterday, live } = data ?? {};
  return (
    <Panel area="money" title="今日经营" at={at}>
      <dl className="screen-figures">
        <Figure
          title="订单"
          value={today && formatNumber(today.started)}
          note={yesterday ? `昨日 ${formatNumber(yesterday.started)}` : ""}
        />
        <Figure
          title="净收入"
          value={today && formatMoney(netFen(today))}
          note={yesterday ? `昨日 ${formatMoney(netFen(yesterday))}` : ""}
        />
        <Figure title="完成" value={today && formatNumber(today.completed)} />
        <Figure title="在柜" value={live && formatNumber(live.stored)} />
        <Figure
          title="滞留"
          value={live && formatNumber(live.overdue)}
          tone={live?.overdue ? "bad" : undefined}
        />
        <Figure
          title="异常"
          value={live && formatNumber(live.exception)}
          tone={live?.exception ? "bad" : undefined}
        />
      </dl>
    </Panel>
  );
}

export function ScreenCabinets({ data }: { data: Screen | undefined }) {
  const { total = 0, online = 0, offline = 0, never = 0 } = data?.cabinets ?? {};
  const { compartments } = data ?? {};
  const share = total > 0 ? online / total : null;
  const used = compartments?.total ? compartments.occupied / compartments.total : null;
  return (
    <Panel area="cabinets" title="设备" at={data?.cabinets.heardAt ?? null} atText="最近上报">
      <dl className="screen-figures">
        <Figure
          title="在线率"
          value={data && formatShare(share)}
          note={data ? `${formatNumber(online)} / ${formatNumber(total)} 台` : ""}
          tone={share !== null && share < 0.9 ? "bad" : "good"}
        />
        <Figure
          title="离线"
          value={data && formatNumber(offline)}
          note={never ? `${formatNumber(never)} 台从未连接` : undefined}
          tone={offline ? "bad" : undefined}
        />
        <Figure
          title="格口占用"
          value={data && formatShare(used)}
          note={
            compartments
              ? `${formatNumber(compartments.occupied)} / ${formatNumber(compartments.total)} 格`
              : ""
          }
        />
      </dl>
    </Panel>
  );
}

const HOUR_MS = 3_600_000;
const isThisHour = (hour: string | undefined) =>
  hour !== undefined && Date.now() - Date.parse(hour) < HOUR_MS;

export function ScreenOccupancy({ data }: { data: Screen | undefined }) {
  const points = data?.hours.map(({ hour }) => formatTime(hour).slice(0, 5));
  const values = data?.hours.map(({ occupied, total }) => (total > 0 ? occupied / total : 0)) ?? [];
  return (
    <Panel area="occupancy" title="近 24 小时占用率" at={data?.occupancyAt ?? null} atText="采样于">
      <TrendChart
        label="近 24 小时各小时的平均占用率"
        points={points}
        series={[{ name: "占用率", values }]}
        format={formatShare}
        unfinished={isThisHour(data?.hours.at(-1)?.hour) ? "本小时未结束" : undefined}
        empty={data?.hours.length ? "近 24 小时没有占用" : "暂无采样，服务运行后每 5 分钟记录一次"}
      />
    </Panel>
  );
}
