// Heat map of full cabinets: sizes by hour of the day.
import type { HourUse } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  fullMinutes,
  occupancyShare,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { SIZES, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useState } from "react";
import { formatNumber, formatShare } from "../../../kit/format.ts";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import "../../../ui/chart/chart.css";
import "./size-heat.css";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const views = {
  full: {
    title: "满柜时长",
    note: "该大小的可用格口全部占用的分钟数，各设备相加",
    valueOf: (use: HourUse) => fullMinutes(use),
    format: (value: number) => `满柜 ${formatNumber(value)} 分钟`,
    short: (value: number) => (value === 0 ? "" : formatNumber(value)),
  },
  share: {
    title: "平均占用率",
    note: "占用的格口 ÷ 可用的格口",
    valueOf: (use: HourUse) => occupancyShare(use) ?? 0,
    format: (value: number) => `占用 ${formatShare(value)}`,
    short: (value: number) => `${Math.round(value * 100)}`,
  },
} as const;
type View = keyof typeof views;
const choices = (Object.keys(views) as View[]).map((view) => [view, views[view].title] as const);

export function SizeHeat({ hours }: { hours: readonly HourUse[] | undefined }) {
  const [chosen, setChosen] = useState<View>("full");
  const view = views[chosen];
  const known = new Map(hours?.map((use) => [`${use.size} ${use.hour}`, use]));
  const sizes = SIZES.filter((size) => hours?.some((use) => use.size === size));
  const most = Math.max(0, ...(hours?.map(view.valueOf) ?? []));
  const scale = chosen === "share" ? 1 : most;
  return (
    <section className="size-heat" aria-label="各时段占用">
      <header>
        <h2>各时段{view.title}</h2>
        <p>{view.note}</p>
        <ChoiceBar label="内容" choices={choices} chosen={chosen} onChoose={setChosen} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus and scroll it. */}
      <section className="size-heat-scroll" aria-label={`各时段${view.title}`} tabIndex={0}>
        <table aria-busy={!hours}>
          <thead>
            <tr>
              <th scope="col">大小</th>
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(hours ? sizes : SIZES).map((size) => (
              <tr key={size}>
                <th scope="row">{sizeText[size]}格</th>
                {HOURS.map((hour) => {
                  const use = known.get(`${size} ${hour}`);
                  const value = use ? view.valueOf(use) : null;
                  return (
                    <td
                      key={hour}
                      title={
                        value === null
                          ? `${hour}:00–${hour + 1}:00 没有数据`
                          : `${sizeText[size]}格 ${hour}:00–${hour + 1}:00 ${view.format(value)}`
                      }
                      data-strong={value !== null && value > scale * 0.55}
                      style={
                        { "--heat": value === null || scale === 0 ? 0 : value / scale } as object
                      }
                    >
                      {value === null ? "" : view.short(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hours?.length === 0 && (
        <p className="size-heat-none">这段时间没有采样；服务运行期间每 5 分钟记录一次</p>
      )}
      {hours && hours.length > 0 && chosen === "full" && most === 0 && (
        <p className="size-heat-none">这段时间没有出现满柜</p>
      )}
    </section>
  );
}
