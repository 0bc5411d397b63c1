// Presence bar of a cabinet for the last day or week; a click on an outage shows its events.
import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import type { PresenceState } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { useState } from "react";
import { formatDateTime, formatTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { durationText, ticksOf } from "./presence-timeline.rules.ts";
import "../../../ui/display/basics.css";
import "./presence-timeline.css";

const stateText: Record<PresenceState, string> = {
  ONLINE: "在线",
  OFFLINE: "离线",
  NEVER: "尚未连接",
};

/** Margin around an outage, so that its first and last event are included. */
const MARGIN_MS = 60_000;
const POLL_MS = 60_000;

export function PresenceTimeline({ cabinetId }: { cabinetId: number }) {
  const [range, setRange] = useState<"24" | "168">("24");
  const { filter } = useListState();
  const answer = useCall(
    cabinetEventContract.presence,
    { params: { id: cabinetId }, query: { hours: Number(range) } },
    { refetchInterval: POLL_MS },
  );
  useLiveRefresh("cabinet", () => answer.refetch(), { cabinetId });
  const { data } = answer;
  const outages = data?.spans.filter(({ state }) => state === "OFFLINE") ?? [];
  const lengthOf = ({ from, to }: { from: string; to: string }) =>
    Date.parse(to) - Date.parse(from);
  const longest = Math.max(0, ...outages.map(lengthOf));
  const shift = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
  return (
    <section className="presence" aria-label="在线时段">
      <header>
        <h3>在线时段</h3>
        <ChoiceBar
          label="时段"
          choices={[
            ["24", "近 24 小时"],
            ["168", "近 7 天"],
          ]}
          chosen={range}
          onChoose={setRange}
        />
        {data && (
          <p>
            在线率 <b>{shareText(data.onlineShare)}</b>
            <span>
              离线 <b>{outages.length}</b> 次
              {longest > 0 && (
                <>
                  ，最长 <b>{durationText(longest)}</b>
                </>
              )}
            </span>
          </p>
        )}
      </header>
      {answer.error && !data ? (
        <p className="ui-cell-none">{answer.error.message}</p>
      ) : (
        <div className="presence-bar" aria-busy={!data}>
          {data?.spans.map((span) => {
            const title = `${stateText[span.state]}：${formatDateTime(span.from)} 至 ${formatDateTime(span.to)}，${durationText(lengthOf(span))}`;
            const style = { flexGrow: lengthOf(span) };
            return span.state === "OFFLINE" ? (
              <button
                key={span.from}
                type="button"
                data-state={span.state}
                style={style}
                title={`${title}；点击查看这段时间的事件`}
                aria-label={title}
                onClick={() =>
                  filter({ from: shift(span.from, -MARGIN_MS), to: shift(span.to, MARGIN_MS) })
                }
              />
            ) : (
              <span key={span.from} data-state={span.state} style={style} title={title} />
            );
          })}
        </div>
      )}
      {data && (
        <div className="presence-ticks" aria-hidden="true">
          {ticksOf(Date.parse(data.from), Date.parse(data.to)).map(({ at, share }) => (
            <span key={at} style={{ left: `${share * 100}%` }}>
              {range === "24" ? formatTime(at).slice(0, 5) : formatDateTime(at).slice(5, 10)}
            </span>
          ))}
        </div>
      )}
    </section>
  );
}

/** Never rounds up to 100 %. */
function shareText(share: number | null): string {
  if (share === null) return "—";
  return share === 1 ? "100%" : `${Math.min(99.99, share * 100).toFixed(2)}%`;
}
