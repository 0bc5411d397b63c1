// Newest unread announcements; version notices are not among them, they have a dialog of their own.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { useCall } from "./query.ts";
import { useIsImpersonating } from "./session.ts";

export function useUnreadAnnouncements() {
  const isImpersonating = useIsImpersonating();
  return useCall(
    announcementContract.received,
    { query: { page: 1, pageSize: 10, isRead: false, kind: "NOTICE" } },
    { enabled: !isImpersonating },
  );
}
