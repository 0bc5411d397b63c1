// Banner on every page of an impersonation: tenant, remaining time, exit.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { useEffect, useState } from "react";
import { call } from "../kit/api.ts";
import { toast } from "../kit/feedback.ts";
import { type ImpersonationState, leaveImpersonation, useImpersonation } from "../kit/session.ts";
import { Glyph } from "./glyph.tsx";
import { timeLeftText } from "./impersonation.rules.ts";
import "./impersonation-banner.css";

const TICK_MS = 1_000;

export function ImpersonationBanner() {
  const visit = useImpersonation();
  return visit && <Banner key={visit.endsAt} visit={visit} />;
}

function Banner({ visit: { tenantName, endsAt } }: { visit: ImpersonationState }) {
  const [now, setNow] = useState(Date.now);
  const [isLeaving, setIsLeaving] = useState(false);
  const isOver = now >= endsAt;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (!isOver) return;
    leaveImpersonation();
    toast.info(`对“${tenantName}”的查看已到时间，已回到您自己的账号`);
  }, [isOver, tenantName]);

  const leave = async () => {
    setIsLeaving(true);
    await call(authContract.logout).catch(() => null);
    leaveImpersonation();
  };
  return (
    <section className="visit-banner" aria-label="只读查看">
      <Glyph name="visit" />
      <p>
        <span className="visit-banner-lead">正在以只读方式查看租户</span>
        <strong title={tenantName}>{tenantName}</strong>
      </p>
      <span className="visit-banner-time">剩余 {timeLeftText(endsAt - now)}</span>
      <button type="button" aria-disabled={isLeaving} onClick={() => !isLeaving && leave()}>
        退出查看
      </button>
    </section>
  );
}
