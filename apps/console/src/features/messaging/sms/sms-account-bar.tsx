// Figures of a tenant's text message account: left, bought, used.

import type { SmsAccount } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { isCreditLow } from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import type { ReactNode } from "react";
import { formatDateTime, formatMoney, formatNumber } from "../../../kit/format.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { Status } from "../../../ui/display/status.tsx";
import "../../../ui/display/basics.css";
import "./sms.css";

/** The own tenant's account; platform staff may name another tenant. */
export function useSmsAccount(tenantId: number | undefined) {
  const isOther = useIsPlatform() && tenantId !== undefined;
  const own = useCall(smsCreditContract.info, {}, { enabled: !isOther });
  const other = useCall(
    smsCreditContract.infoOf,
    { params: { tenantId: tenantId ?? 0 } },
    { enabled: isOther },
  );
  return isOther ? other : own;
}

interface SmsAccountBarProps {
  answer: ReturnType<typeof useSmsAccount>;
  /** Rendered to the right of the figures. */
  children?: ReactNode;
}

export function SmsAccountBar({ answer, children }: SmsAccountBarProps) {
  const { data, error } = answer;
  if (error && !data) {
    // One line: the list below says the same at length.
    return (
      <p role="alert">
        短信余额加载失败{" "}
        <button type="button" className="ui-link" onClick={() => void answer.refetch()}>
          重试
        </button>
      </p>
    );
  }
  return (
    <section className="sms-account" aria-label="短信余额" aria-busy={!data}>
      <dl>
        {figuresOf(data).map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {note && <dd className="sms-account-note">{note}</dd>}
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}

function figuresOf(account: SmsAccount | undefined): [name: string, ReactNode, note?: ReactNode][] {
  const figure = (value: number | undefined) => formatNumber(value);
  const lastAt = account?.lastRechargeAt;
  return [
    [
      account ? `${account.tenantName} · 可用条数` : "可用条数",
      <b key="left">{figure(account?.left)}</b>,
      account && isCreditLow(account.left) && <Status tone="bad">余额不足，请尽快充值</Status>,
    ],
    ["发送中冻结", figure(account?.held)],
    [
      "累计充值",
      figure(account?.rechargedSegments),
      account &&
        `${formatMoney(account.rechargedFen)}${lastAt ? `，最近 ${formatDateTime(lastAt).slice(0, 10)}` : ""}`,
    ],
    [
      "累计使用",
      figure(account?.usedSegments),
      account && `近 30 天 ${formatNumber(account.usedLately)}`,
    ],
    ["近 30 天写入发件箱", figure(account?.writtenLately), "按计费条数"],
  ];
}
