// Drawer of a ranked cabinet: why it may earn little, each reason with the page that explains it.
import { pricingText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { RankedCabinet } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import {
  type DaySpan,
  type EarningReason,
  earningReasons,
  earningReasonText,
  isLowEarner,
  netFen,
  openShare,
  stayText,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { simulatorPath } from "../../../domain/pricing/index.ts";
import { formatMoney, formatNumber, formatShare } from "../../../kit/format.ts";
import { Link, type Path, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { dayNetFen, ruleText, turnover } from "./cabinet-ranking-columns.tsx";
import "../../../ui/display/basics.css";
import "./cabinet-ranking.css";

interface CabinetRankingDetailProps {
  cabinet: RankedCabinet;
  span: DaySpan;
}

export function CabinetRankingDetail({ cabinet, span }: CabinetRankingDetailProps) {
  const linkTo = useLinks(cabinet, span);
  const reasons = earningReasons(cabinet);
  return (
    <>
      <DrawerSection title="可能原因">
        {reasons.length === 0 ? (
          <p className="ui-cell-none">
            {isLowEarner(cabinet) ? "各项指标正常" : "日均净收入不低于中位数"}
          </p>
        ) : (
          <ul className="ranking-reasons">
            {reasons.map((reason) => (
              <li key={reason}>
                <b>{earningReasonText[reason]}</b>
                <span>{factText(reason, cabinet)}</span>
                {linkTo(reason)}
              </li>
            ))}
          </ul>
        )}
      </DrawerSection>
      <DrawerSection title={`${span.from} 至 ${span.to}`}>
        <Facts
          facts={[
            [
              "净收入",
              `${formatMoney(netFen(cabinet))}（日均 ${formatMoney(dayNetFen(cabinet))}）`,
            ],
            ["日均净收入中位数", formatMoney(cabinet.medianDayFen)],
            ["上期净收入", formatMoney(cabinet.netFenBefore)],
            ["退款", formatMoney(cabinet.refundFen)],
            ["订单数", formatNumber(cabinet.started)],
            ["周转率", turnover(cabinet)?.toFixed(2) ?? null],
            ["可用格口", formatNumber(cabinet.compartments)],
            ["满柜", stayText(cabinet.fullMinutes)],
            ["离线", stayText(cabinet.offlineMinutes)],
            ["故障", `${cabinet.malfunctions} 次`],
            ["开门成功率", formatShare(openShare(cabinet))],
            ["计费规则", ruleText(cabinet)],
          ]}
        />
        <p className="ranking-links">
          {linkTo("IDLE")} {linkTo("FREE")}
        </p>
      </DrawerSection>
    </>
  );
}

function factText(reason: EarningReason, cabinet: RankedCabinet): string {
  const { days } = cabinet;
  switch (reason) {
    case "OFFLINE":
      return `离线 ${stayText(cabinet.offlineMinutes)}，占 ${formatShare(cabinet.offlineMinutes / (days * 1_440))}`;
    case "MALFUNCTIONS":
      return `${days} 天 ${cabinet.malfunctions} 次故障`;
    case "OPENING":
      return `开门成功率 ${formatShare(openShare(cabinet))}`;
    case "FULL":
      return `平均每天满柜 ${stayText(Math.round(cabinet.fullMinutes / days))}`;
    case "FREE":
      return pricingText(cabinet.pricing);
    case "REFUND":
      return `退款 ${formatMoney(cabinet.refundFen)}，收入 ${formatMoney(cabinet.incomeFen)}`;
    case "IDLE":
      return `每格每天 ${turnover(cabinet)?.toFixed(2) ?? "0"} 次存入`;
    case "DROP":
      return `上期 ${formatMoney(cabinet.netFenBefore)}，本期 ${formatMoney(netFen(cabinet))}`;
    case "NEW":
      return `登记 ${days} 天`;
  }
}

/** Link from a reason to its page; false without one, or without permission to open it. */
function useLinks(cabinet: RankedCabinet, { from, to }: DaySpan) {
  const may = usePermissions();
  const { id: cabinetId, sn, side } = cabinet;
  const base = sideBase(side);
  const link = (access: Parameters<typeof may>[0], path: Path, text: string) =>
    may(access) && (
      <Link className="ui-link" to={path}>
        {text}
      </Link>
    );
  return (reason: EarningReason) => {
    switch (reason) {
      case "OFFLINE": {
        const path = pathTo("/cupboard/log", { cabinetId, group: "LINK" });
        return link("cabinet-event:read", path, "状态日志");
      }
      case "MALFUNCTIONS": {
        const path = pathTo("/malfunction/index", { state: "ALL", cabinetId });
        return link("malfunction:read", path, "查看故障");
      }
      case "OPENING":
        return link("command:read", pathTo("/cupboard/record", { cabinetId }), "操作日志");
      case "FULL": {
        const path = pathTo(`${base}/index?view=sizes`, { keyword: sn, from, to });
        return link("statistics:read", path, "格口配比");
      }
      case "FREE":
        return link("pricing:simulate", simulatorPath(cabinet, cabinet.pricing), "上月计价试算");
      case "NEW":
        return false;
      default:
        return link("order:read", pathTo(`${base}/rider/order`, { cabinetId }), "查看订单");
    }
  };
}
