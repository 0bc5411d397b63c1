// 消息中心 in the navbar: how much is unread, and the panel, which loads when it is opened.
import { useState } from "react";
import { useAhead } from "../../kit/late.ts";
import { lateDialog } from "../../ui/display/late-part.tsx";
import { Glyph } from "../glyph.tsx";
import type { NotificationPanelProps } from "./notification-panel.tsx";
import { useNotifications } from "./notifications.ts";
import "./notification-button.css";

const NotificationPanel = lateDialog<NotificationPanelProps>(
  async () => (await import("./notification-panel.tsx")).NotificationPanel,
  ({ onClose }) => onClose,
);

const MOST = 99;

export function NotificationButton() {
  const [isOpen, setIsOpen] = useState(false);
  useAhead(NotificationPanel);
  const notifications = useNotifications(isOpen);
  const { unreadCount } = notifications;
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        aria-label={unreadCount > 0 ? `消息中心，${unreadCount} 条未读` : "消息中心"}
        onClick={() => setIsOpen(true)}
      >
        <Glyph name="inbox" />
        {unreadCount > 0 && (
          <span className="notification-count" aria-hidden="true">
            {unreadCount > MOST ? `${MOST}+` : unreadCount}
          </span>
        )}
      </button>
      {isOpen && (
        <NotificationPanel notifications={notifications} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
