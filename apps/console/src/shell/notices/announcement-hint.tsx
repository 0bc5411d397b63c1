// Toast for a new announcement while the user works; the announcement is listed under 收到的公告.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { useEffect, useRef } from "react";
import { toast } from "../../kit/feedback.ts";
import { useLive } from "../../kit/live.ts";
import { callKey, queryClient } from "../../kit/query.ts";
import { useUnreadAnnouncements } from "../../kit/unread-announcements.ts";

const { received } = announcementContract;

export function AnnouncementHint() {
  const { data } = useUnreadAnnouncements();
  const known = useRef<ReadonlySet<number> | null>(null);
  useLive(
    "announcement",
    () => void queryClient.invalidateQueries({ queryKey: callKey(received) }),
  );
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    const first = before && data.list.find(({ id }) => !before.has(id));
    known.current = new Set([...(before ?? []), ...data.list.map(({ id }) => id)]);
    if (first) toast.info(`收到新公告“${first.title}”，可在“个人设置 › 收到的公告”中查看`);
  }, [data]);
  return null;
}
