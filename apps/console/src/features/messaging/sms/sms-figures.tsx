// Text message figures of a period against the previous one, and the credit runway.
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import type { SmsOverview } from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import {
  isRunningOut,
  PACE_DAYS,
  successRate,
} from "@cabinet/contract/messaging/sms/sms-statistics.rules.ts";
import { figureChange } from "../../../domain/figure-change.rules.ts";
import { formatNumber, formatShare } from "../../../kit/format.ts";
import { type FigureCard, FigureCards } from "../../../ui/chart/figure-cards.tsx";

/** `data` is undefined while loading. */
export function SmsFigures({ data }: { data: SmsOverview | undefined }) {
  return <FigureCards label="短信数据" figures={[...creditOf(data), ...countsOf(data)]} />;
}

function creditOf(data: SmsOverview | undefined): FigureCard[] {
  const left = data?.runway.left ?? 0;
  const daysLeft = data?.runway.daysLeft ?? null;
  const perDay = data?.runway.perDay ?? null;
  const held = data?.runway.held ?? 0;
  return [
    {
      title: "可用条数",
      meaning: "已减去发送中冻结的条数",
      value: data && formatNumber(left),
      note: held > 0 ? `另有 ${formatNumber(held)} 条发送中` : "无冻结",
      tone: "even",
    },
    {
      title: "预计还能用",
      meaning: `按近 ${PACE_DAYS} 天平均每天使用的条数推算`,
      value: data && daysText(daysLeft),
      note:
        data && isRunningOut(left, daysLeft)
          ? `${left <= 0 ? "已用完" : "即将用完"}，请尽快充值`
          : perDay === null
            ? "近期没有使用"
            : `${endText(daysLeft)}日均 ${formatNumber(Math.ceil(perDay))} 条`,
      tone: data && isRunningOut(left, daysLeft) ? "bad" : "even",
    },
  ];
}

function daysText(days: number | null): string {
  if (days === null) return "—";
  return days >= 999 ? "999 天以上" : `${days} 天`;
}

function endText(days: number | null): string {
  return days === null || days >= 999 ? "" : `至 ${addDays(shanghaiDay(Date.now()), days)}，`;
}

function countsOf(data: SmsOverview | undefined): FigureCard[] {
  const { totals, before } = data ?? {};
  return [
    {
      title: "使用条数",
      meaning: "短信通道收下后扣的条数；长短信按 67 个字一条计",
      value: totals && formatNumber(totals.usedSegments),
      ...(totals &&
        before && { ...figureChange(totals.usedSegments, before.usedSegments), tone: "even" }),
    },
    {
      title: "已送达",
      meaning: "运营商回执确认送到手机的",
      value: totals && formatNumber(totals.delivered),
      ...(totals && before && figureChange(totals.delivered, before.delivered)),
    },
    {
      title: "失败",
      meaning: "未发出，或未送达手机",
      value: totals && formatNumber(totals.failed),
      ...(totals && before && figureChange(totals.failed, before.failed, { isBurden: true })),
    },
    {
      title: "送达率",
      meaning: "已送达 ÷（已送达 + 失败）；暂无结果的不计",
      value: totals && formatShare(successRate(totals)),
      ...(totals &&
        before &&
        figureChange(successRate(totals), successRate(before), { isShare: true })),
    },
    {
      title: "暂无结果",
      meaning: "待发送、发送中，或已提交而没有回执的；以及留在发件箱的",
      value: totals && formatNumber(totals.waiting + totals.sent),
      note: totals && totals.outbox > 0 ? `发件箱 ${formatNumber(totals.outbox)} 条` : "发件箱为空",
    },
  ];
}
