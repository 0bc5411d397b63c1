// Malfunction notices for the signed-in account, on every page until acknowledged or taken on by
// somebody.
import {
  maintenanceMessageContract,
  type OwnNotice,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import {
  isTenantKind,
  ruleKindText,
} from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import { useState } from "react";
import { Link } from "react-router";
import { formatDateTime } from "../../kit/format.ts";
import { useLive } from "../../kit/live.ts";
import { pathTo } from "../../kit/paths.ts";
import { usePermissions } from "../../kit/permission.ts";
import { useCall, useWrite } from "../../kit/query.ts";
import { Glyph } from "../glyph.tsx";
import "./notice-strip.css";

const REFRESH_MS = 60_000;

export function MalfunctionNotices() {
  const { mine, read } = maintenanceMessageContract;
  const { data, refetch } = useCall(mine, {}, { refetchInterval: REFRESH_MS });
  useLive("notice", () => void refetch());
  const markRead = useWrite(read, { toasts: true });
  const [isUnfolded, setUnfolded] = useState(false);
  if (!data || data.list.length === 0) return null;
  const see = (notices: readonly OwnNotice[]) =>
    markRead.mutate({ body: { ids: notices.map(({ id }) => id) } });
  const isStack = data.total > 1;
  const shown = isUnfolded && isStack ? data.list : data.list.slice(0, 1);
  const hidden = data.total - shown.length;
  return (
    <aside
      className="notice-strip"
      aria-label="故障提醒"
      aria-live="polite"
      data-unfolded={isUnfolded && isStack}
    >
      <div>
        {shown.map((notice) => (
          <NoticeCard
            key={notice.id}
            notice={notice}
            isBusy={markRead.isPending}
            onSeen={() => see([notice])}
          />
        ))}
      </div>
      {isStack && (
        <footer>
          <span>{hidden > 0 ? `还有 ${hidden} 条` : `共 ${data.total} 条`}</span>
          <button type="button" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? "收起" : "展开"}
          </button>
          <button
            type="button"
            disabled={markRead.isPending}
            onClick={() => {
              see(data.list);
              setUnfolded(false);
            }}
          >
            全部知道了
          </button>
        </footer>
      )}
    </aside>
  );
}

interface NoticeCardProps {
  notice: OwnNotice;
  isBusy: boolean;
  onSeen: () => void;
}

const headText = {
  FIRST: "故障通知",
  ESCALATION: "故障升级：仍无人受理",
  ASSIGNED: "故障派单：请您受理",
  TEST: "测试消息",
};

/** Page where a malfunction of the whole tenant is resolved. */
const mendedAt = {
  CERTIFICATE: { path: "/idConfig/pay", permission: "payment:read" },
  CALLBACK: { path: "/thirdPartApi/set", permission: "callback:read" },
} as const;

function malfunctionAt(id: number) {
  return {
    path: pathTo("/malfunction/incident", { id }),
    permission: "malfunction:read",
  } as const;
}

function NoticeCard({ notice, isBusy, onSeen }: NoticeCardProps) {
  const may = usePermissions();
  const { step, kind, place, detail, createdAt, malfunctionId } = notice;
  const what = detail || ruleKindText[kind];
  const own = step !== "TEST" && isTenantKind(kind) ? kind : null;
  const mended = malfunctionId === null ? own && mendedAt[own] : malfunctionAt(malfunctionId);
  return (
    <article data-step={step}>
      <h2>
        <Glyph name={step === "TEST" ? "info" : "alert"} />
        {own ? ruleKindText[own] : headText[step]}
      </h2>
      <time dateTime={createdAt}>{formatDateTime(createdAt).slice(5, 16)}</time>
      <p title={`${place} ${what}`}>
        <b>{place}</b> {what}
      </p>
      <div>
        {mended && may(mended.permission) && (
          <Link to={mended.path} onClick={onSeen}>
            查看
          </Link>
        )}
        <button type="button" disabled={isBusy} onClick={onSeen}>
          知道了
        </button>
      </div>
    </article>
  );
}
