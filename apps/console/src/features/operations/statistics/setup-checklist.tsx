// 开通设置 on 首页: what an administrator sets up first, with links to the pages that test it.
import { miniProgramContract } from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { backupContract } from "@cabinet/contract/operations/backup/backup.contract.ts";
import type { HomeFigures } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { type ReactNode, useId, useState } from "react";
import { call } from "../../../kit/api.ts";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, type Path, pathTo } from "../../../kit/paths.ts";
import { useAccess } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { useIsImpersonating } from "../../../kit/session.ts";
import { chooseSwitch, useSwitch } from "../../../kit/switches.ts";

interface SetupItem {
  title: string;
  note: string;
  isDone: boolean;
  to: Path;
  /** Label of the link when it is done, or the test itself. */
  test: ReactNode;
  /** Says more than 已完成. */
  done?: string;
}

/** Null: nothing to show, because it is done, put away, or not this account's work. */
export function useSetup(
  home: HomeFigures | undefined,
  tenantId: number | undefined,
): SetupItem[] | null {
  const may = useAccess();
  const isHidden = useSwitch("isSetupHidden");
  const query = tenantId ? { tenantId } : {};
  const payment = useCall(
    paymentContract.setting,
    { query },
    { enabled: may("payment:write") },
  ).data;
  const program = useCall(
    miniProgramContract.setting,
    { query },
    { enabled: may("mini-program:write") },
  ).data;
  // A tenant has no backups of its own.
  const isOwner = may("platform") && !tenantId;
  const { data: backup, isLoading } = useCall(backupContract.latest, {}, { enabled: isOwner });
  const setup = home?.setup;
  // Appears once and whole.
  if (isHidden || isLoading || !setup || !may("tenant-setting:write")) return null;
  const items: (SetupItem | false | undefined)[] = [
    payment && {
      title: "在线支付",
      note: "用户可在线充值",
      isDone: payment.isOn && payment.checkState === "OK",
      to: pathTo("/idConfig/pay", query),
      test: "验证",
    },
    program && {
      title: "小程序",
      note: "用户可用微信登录",
      isDone: program.appId !== "" && program.checkState === "OK",
      to: pathTo("/idConfig/wechat", query),
      test: "验证",
    },
    may("sms-credit:read") && {
      title: "短信",
      note: "取件码可发送",
      isDone: setup.hasSms,
      to: pathTo("/smsManage/synopsis", query),
      test: "查看",
    },
    may("callback:write") && {
      title: "回调地址",
      note: "订单事件可推送到自有系统",
      isDone: setup.hasWebhook,
      to: pathTo("/thirdPartApi/set", query),
      test: "测试",
    },
    {
      title: "地图 Key",
      note: "门店可在地图上选点",
      isDone: setup.hasMapKey,
      to: "/set/otherConfig",
      test: "查看",
    },
    {
      title: "两步验证",
      note: "本人登录须验证",
      isDone: setup.hasSecondFactor,
      to: "/settings/index",
      test: "查看",
    },
    isOwner &&
      backup && {
        title: "备份",
        note: backup.takenAt
          ? `最近备份：${formatDateTime(backup.takenAt)}，须每日备份`
          : "尚无备份，须每日备份",
        done: `最近备份：${formatDateTime(backup.takenAt)}`,
        isDone: backup.isRecent,
        to: "/doc/sre#backup",
        test: <BackupTest />,
      },
  ];
  const shown = items.filter((item) => !!item);
  return shown.every(({ isDone }) => isDone) ? null : shown;
}

function BackupTest() {
  const [isBusy, setIsBusy] = useState(false);
  const check = async () => {
    setIsBusy(true);
    try {
      const { problem, files, summed } = await call(backupContract.check, {});
      if (problem) toast.error(`备份有问题：${problem}`);
      else {
        const counts = `${formatNumber(files)} 个文件齐全，抽查 ${formatNumber(summed)} 个校验和一致`;
        toast.success(`备份完整：${counts}`);
      }
    } catch (error) {
      toast.error(`验证未完成：${(error as Error).message}`);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void check()}>
      {isBusy ? "验证中…" : "验证备份"}
    </button>
  );
}

const doneOf = (items: readonly SetupItem[]) => items.filter(({ isDone }) => isDone).length;

/** In the line below the greeting, whose height it does not change. */
export function SetupReminder({ items }: { items: readonly SetupItem[] }) {
  return (
    <span className="dashboard-reminder">
      <b>开通设置</b>
      <button
        type="button"
        onClick={() => document.getElementById("setup")?.scrollIntoView({ block: "center" })}
      >
        已完成 {doneOf(items)}/{items.length}
      </button>
    </span>
  );
}

/** Below everything else: appearing, it moves nothing. */
export function SetupChecklist({ items }: { items: readonly SetupItem[] }) {
  const id = useId();
  const isImpersonating = useIsImpersonating();
  return (
    <section id="setup" className="dashboard-panel dashboard-setup" aria-labelledby={id}>
      <header>
        <h2 id={id}>
          开通设置{" "}
          <small>
            已完成 {doneOf(items)}/{items.length}
          </small>
        </h2>
        {!isImpersonating && (
          <button type="button" onClick={() => chooseSwitch("isSetupHidden", true)}>
            不再显示
          </button>
        )}
      </header>
      <ul className="setup-list">
        {items.map(({ title, note, isDone, done = "已完成", to, test }) => (
          <li key={title} data-done={isDone}>
            <i aria-hidden="true">{isDone ? "✓" : ""}</i>
            <span>
              <strong>{title}</strong>
              <small>{isDone ? done : note}</small>
            </span>
            {isDone && typeof test !== "string" ? (
              test
            ) : (
              <Link to={to}>{isDone ? test : "去设置"}</Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
