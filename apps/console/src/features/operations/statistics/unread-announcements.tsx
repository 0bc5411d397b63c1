// Unread announcements, if any; version notices open automatically.
import { announcementName } from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import type { ReactNode } from "react";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useUnreadAnnouncements } from "../../../kit/unread-announcements.ts";

const SHOWN = 3;
const LIST = pathTo("/settings/notice", { kind: "NOTICE", isRead: false });

export function useAnnouncementReminder(): ReactNode {
  const { data } = useUnreadAnnouncements();
  if (!data || data.total === 0) return null;
  return (
    <span className="dashboard-reminder">
      <b>未读公告</b>
      {data.list.slice(0, SHOWN).map((each) => (
        <Link key={each.id} to={LIST}>
          {announcementName(each)}
        </Link>
      ))}
      {data.total > SHOWN && <Link to={LIST}>共 {data.total} 条</Link>}
    </span>
  );
}
