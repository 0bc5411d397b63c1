// Panel of the notification centre: 待处理 and 通知, each entry with a link to the page where it is dealt with.
import type { ServiceState } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { Notification } from "@cabinet/contract/operations/notification/notification.contract.ts";
import {
  NOTIFICATION_GROUPS,
  notificationGroupText,
} from "@cabinet/contract/operations/notification/notification.rules.ts";
import { Link, type Path, pathTo } from "../../kit/paths.ts";
import { useIsPlatform, usePermissions } from "../../kit/permission.ts";
import { useIsImpersonating } from "../../kit/session.ts";
import { Age } from "../../ui/display/status.tsx";
import { Dialog } from "../dialog.tsx";
import { Glyph } from "../glyph.tsx";
import type { Notifications } from "./notifications.ts";
import "./notification-panel.css";

const WIDTH_PX = 440;

/** Permissions of calls that may wait for a second person. */
const moneyPermissions = [
  "wallet:write",
  "top-up:refund",
  "order:refund",
  "package:write",
  "reconciliation:write",
] as const;

export interface NotificationPanelProps {
  notifications: Notifications;
  onClose: () => void;
}

export function NotificationPanel({ notifications, onClose }: NotificationPanelProps) {
  const { list, unreadCount, isError, refetch, isMarking, markAllRead, markNoticeRead } =
    notifications;
  const isImpersonating = useIsImpersonating();
  const may = usePermissions();
  const movesMoney = moneyPermissions.some(may);
  const groups = NOTIFICATION_GROUPS.map((group) => ({
    group,
    entries: list?.filter((entry) => entry.group === group) ?? [],
  }));
  return (
    <Dialog title="消息中心" width={WIDTH_PX} isDrawer onClose={onClose}>
      <div className="notifications">
        {groups.map(
          ({ group, entries }) =>
            entries.length > 0 && (
              <section key={group} aria-label={notificationGroupText[group]}>
                <h3>
                  {notificationGroupText[group]} <small>{entries.length}</small>
                </h3>
                <ul>
                  {entries.map((entry) => (
                    <Entry
                      key={entry.key}
                      entry={entry}
                      onFollow={() => {
                        const { notice, isUnread } = entry;
                        if (notice && isUnread && !isImpersonating) markNoticeRead(notice.id);
                        onClose();
                      }}
                    />
                  ))}
                </ul>
              </section>
            ),
        )}
        {list?.length === 0 && (
          <p>
            <Glyph name="inbox" />
            暂无消息
          </p>
        )}
        {!list && !isError && <p>正在加载…</p>}
        {!list && isError && (
          <p role="alert">
            消息加载失败。
            <button type="button" onClick={() => void refetch()}>
              重试
            </button>
          </p>
        )}
      </div>
      <footer className="notifications-foot">
        <Link to="/settings/notice" onClick={onClose}>
          收到的公告
        </Link>
        {movesMoney && (
          <Link to="/settings/review" onClick={onClose}>
            资金复核
          </Link>
        )}
        {!isImpersonating && (
          <button
            type="button"
            className="shell-button"
            disabled={isMarking || unreadCount === 0}
            onClick={markAllRead}
          >
            全部已读
          </button>
        )}
      </footer>
    </Dialog>
  );
}

interface EntryProps {
  entry: Notification;
  onFollow: () => void;
}

function Entry({ entry, onFollow }: EntryProps) {
  const { severity, title, text, at, isUnread } = entry;
  const to = usePageOf()(entry);
  const content = (
    <>
      <Glyph name={severity === "INFO" ? "info" : "alert"} />
      <span>
        <strong>
          {severity === "SEVERE" && <em>严重</em>}
          {title}
          {isUnread && <i className="visually-hidden">，未读</i>}
        </strong>
        <span>{text}</span>
        <Age time={at} />
      </span>
    </>
  );
  return (
    <li data-severity={severity} data-unread={isUnread}>
      {to ? (
        <Link to={to} onClick={onFollow}>
          {content}
        </Link>
      ) : (
        <div>{content}</div>
      )}
    </li>
  );
}

/** Page where an entry is dealt with; null without one, or without the permission to open it. */
function usePageOf(): (entry: Notification) => Path | null {
  const may = usePermissions();
  const isPlatform = useIsPlatform();
  const serviceList = (state: ServiceState) =>
    isPlatform
      ? pathTo("/register/cabinetService", { state })
      : pathTo("/cupboard/index", { serviceState: state });
  return ({ kind, recordId, group }) => {
    switch (kind) {
      case "MALFUNCTION":
        return may("malfunction:read") ? pathTo("/malfunction/incident", { id: recordId }) : null;
      case "MORE_MALFUNCTIONS":
        return pathTo("/malfunction/index", { state: "OPEN", severity: "SEVERE" });
      case "WEBHOOK":
        if (!may("callback:read")) return null;
        return pathTo("/thirdPartApi/set", { state: group === "OPEN" ? "FAILING" : null });
      case "CERTIFICATE":
        return may("payment:read") ? "/idConfig/pay" : null;
      case "SMS":
        return "/smsManage/synopsis";
      case "SMS_CHANNEL":
        return "/smsManage/synopsis?view=channel";
      case "SERVICE_EXPIRING":
        return serviceList("EXPIRING");
      case "SERVICE_EXPIRED":
        return serviceList("EXPIRED");
      case "SERVICE_STOPPED":
        return serviceList("STOPPED");
      case "TENANT_EXPIRING":
        return pathTo("/register/index", { state: "EXPIRING" });
      case "TENANT_EXPIRED":
        return pathTo("/register/index", { state: "EXPIRED" });
      case "ANNOUNCEMENT":
        return pathTo("/settings/notice", { open: recordId });
      case "FACTOR":
      case "SIGN_IN":
        return "/settings/index";
      case "REVIEW":
        return pathTo("/settings/review", { state: "PENDING" });
      case "REVIEW_RESULT":
        return "/settings/review";
      case "OWN_TERM":
      case "TEST":
        return null;
    }
  };
}
