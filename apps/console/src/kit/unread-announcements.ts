// Newest unread announcements; version notices are not among them, they have a dialog of their own.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { UNREAD_NOTICES } from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { useCall } from "./query.ts";
import { useIsImpersonating } from "./session.ts";

export function useUnreadAnnouncements() {
  const isImpersonating = useIsImpersonating();
  return useCall(
    announcementContract.received,
    { query: UNREAD_NOTICES },
    { enabled: !isImpersonating },
  );
}
