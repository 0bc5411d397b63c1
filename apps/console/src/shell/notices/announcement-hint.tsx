// Toast for a new announcement while the user works; the announcement is listed under 收到的公告.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { useEffect, useRef } from "react";
import { toast } from "../../kit/feedback.ts";
import { useLive } from "../../kit/live.ts";
import { callKey, queryClient, useCall } from "../../kit/query.ts";
import { useIsImpersonating } from "../../kit/session.ts";

const { received } = announcementContract;
/** Newest unread announcements; version notices have a dialog of their own. */
const newest = { query: { page: 1, pageSize: 10, isRead: false, kind: "NOTICE" } } as const;

export function AnnouncementHint() {
  const isImpersonating = useIsImpersonating();
  const { data } = useCall(received, newest, { enabled: !isImpersonating });
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
