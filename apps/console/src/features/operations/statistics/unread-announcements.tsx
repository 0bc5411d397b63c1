// Unread announcements, if any; version notices open automatically.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { announcementName } from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { useIsImpersonating } from "../../../kit/session.ts";

const SHOWN = 3;
const LIST = pathTo("/settings/notice", { kind: "NOTICE", isRead: false });

export function UnreadAnnouncements() {
  const isImpersonating = useIsImpersonating();
  const { data } = useCall(
    announcementContract.received,
    { query: { page: 1, pageSize: SHOWN, isRead: false, kind: "NOTICE" } },
    { enabled: !isImpersonating },
  );
  if (!data || data.total === 0) return null;
  return (
    <p className="dashboard-reminder">
      <b>未读公告</b>
      {data.list.map((each) => (
        <Link key={each.id} to={LIST}>
          {announcementName(each)}
        </Link>
      ))}
      {data.total > SHOWN && <Link to={LIST}>共 {data.total} 条</Link>}
    </p>
  );
}
