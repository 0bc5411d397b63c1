// 待办: open tasks, each linking to the list concerned.

import type { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { EXPIRING_DAYS } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type { HomeFigures } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useId } from "react";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Link, type Path, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermissions } from "../../../kit/permission.ts";
import { NotFetched } from "./not-fetched.tsx";
import { useSettingTodos } from "./setting-todos.ts";

interface HomeTodoProps {
  home: HomeFigures | undefined;
  cabinets: Reply<typeof cabinetContract.statistics> | undefined;
  faults: number | undefined;
  /** Undefined while loading or without permission to see malfunctions. */
  work: Reply<typeof malfunctionContract.counts> | undefined;
  tenantId: number | undefined;
  /** True if at least one of the calls failed. */
  hasFailed: boolean;
  onRetry: () => void;
}

interface Todo {
  text: string;
  /** Null for a to-do without a count. */
  count: number | null;
  /** Null without permission to open the target page. */
  to: Path | null;
}

export function HomeTodo(props: HomeTodoProps) {
  const { home, cabinets, faults, work, tenantId, hasFailed, onRetry } = props;
  const id = useId();
  const may = usePermissions();
  const isPlatform = useIsPlatform();
  const settings = useSettingTodos(tenantId);
  const isKnown = home !== undefined && cabinets !== undefined && faults !== undefined;
  const orders = (home?.sides ?? []).flatMap(({ side, exception, overdue }): Todo[] => {
    const list = (state: "EXCEPTION" | "OVERDUE") =>
      may("order:read") ? pathTo(`${sideBase(side)}/rider/order`, { state, tenantId }) : null;
    return [
      { text: `${sideText[side]}异常订单`, count: exception, to: list("EXCEPTION") },
      { text: `${sideText[side]}滞留订单`, count: overdue, to: list("OVERDUE") },
    ];
  });
  const lowSmsText = isPlatform ? "短信余额不足的租户" : "短信余额不足，请联系平台充值";
  const todos: Todo[] = [
    ...(home?.ownExpiresOn
      ? [
          {
            text: `本租户的服务将于 ${home.ownExpiresOn} 到期，请联系平台续期`,
            count: null,
            to: null,
          },
        ]
      : []),
    ...settings,
    ...orders,
    {
      text: "待受理故障",
      count: faults ?? 0,
      to: may("malfunction:read")
        ? pathTo("/malfunction/index", { state: "CREATED", tenantId })
        : null,
    },
    {
      text: "由我处理的故障",
      count: work?.mine ?? 0,
      to: pathTo("/malfunction/index", { state: "OPEN", assignee: "mine", tenantId }),
    },
    {
      text: "已超时的故障",
      count: work?.overdue ?? 0,
      to: pathTo("/malfunction/index", { state: "OPEN", isOverdue: true, tenantId }),
    },
    {
      text: "有异常格口的设备",
      count: home?.faultyCabinets ?? 0,
      to: may("cabinet:read") ? pathTo("/cupboard/index", { hasFault: true, tenantId }) : null,
    },
    {
      text: "离线设备",
      count: cabinets?.offline ?? 0,
      to: may("cabinet:read")
        ? pathTo("/cupboard/index", { connectivity: "OFFLINE", tenantId })
        : null,
    },
    {
      text: "自动停止的下发任务",
      count: home?.stoppedRollouts ?? 0,
      to:
        may("rollout:read") && may("cabinet:read")
          ? pathTo("/cupboard/index?view=rollouts", { state: "STOPPED", tenantId })
          : null,
    },
    {
      text: "连续失败的回调地址",
      count: home?.failingCallbacks ?? 0,
      to: may("callback:read") ? pathTo("/thirdPartApi/set", { state: "FAILING", tenantId }) : null,
    },
    {
      text: "投递失败的回调",
      count: home?.deadCallbacks ?? 0,
      to: may("callback:read")
        ? pathTo("/thirdPartApi/record", { state: "DEAD", purpose: "EVENT", tenantId })
        : null,
    },
    {
      text: "待处理的对账差异",
      count: may("reconciliation:read") ? (home?.openDifferences ?? 0) : 0,
      to: pathTo("/cupboardRun/pay/payRecord?view=reconciliation", { state: "OPEN", tenantId }),
    },
    {
      text: lowSmsText,
      count: home?.lowSmsTenants ? (isPlatform ? home.lowSmsTenants : null) : 0,
      to: may("sms-credit:read") ? pathTo("/smsManage/synopsis", { tenantId }) : null,
    },
    {
      text: "短信通道异常，短信发不出去",
      count: home?.failingSmsChannels ? null : 0,
      to: "/smsManage/synopsis?view=channel",
    },
    {
      text: `${EXPIRING_DAYS} 天内到期的租户`,
      count: home?.expiringTenants ?? 0,
      to: pathTo("/register/index", { state: "EXPIRING" }),
    },
    {
      text: "已到期的租户",
      count: home?.expiredTenants ?? 0,
      to: pathTo("/register/index", { state: "EXPIRED" }),
    },
  ];
  const open = todos.filter(({ count }) => count !== 0);
  return (
    <section className="dashboard-panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>待办</h2>
      </header>
      {!isKnown && hasFailed ? (
        <NotFetched onRetry={onRetry} />
      ) : !isKnown || open.length === 0 ? (
        <p className="dashboard-none">{isKnown ? "没有等待处理的事项" : " "}</p>
      ) : (
        <ul className="dashboard-todo">
          {open.map(({ text, count, to }) => (
            <li key={text}>
              {to ? <Link to={to}>{text}</Link> : <span>{text}</span>}
              {count !== null && <b>{formatNumber(count)}</b>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
