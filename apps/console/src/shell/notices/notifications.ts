// The notification centre's entries for the signed-in account, and their read marks.
import {
  type Notification,
  notificationContract,
} from "@cabinet/contract/operations/notification/notification.contract.ts";
import { useEffect, useRef, useState } from "react";
import { toast } from "../../kit/feedback.ts";
import { whenIdleAfterPagePrefetch } from "../../kit/idle.ts";
import { useCall, useWrite } from "../../kit/query.ts";
import { ownerOf, useSession } from "../../kit/session.ts";
import { userStore } from "../../kit/user-state.ts";
import { useLiveRefresh } from "../../ui/live/live.tsx";

const REFRESH_MS = 60_000;
/** Sign-ins are marked in this browser alone: a thief of the password could mark them at the server. */
const SIGN_IN_KEY = "cupboard:seen-device:";
const calm = { pace: "calm" } as const;

/** `isOpen`: the panel is open and waits for the answer. */
export function useNotifications(isOpen: boolean) {
  const signInKey = `${SIGN_IN_KEY}${ownerOf(useSession())}`;
  const [seenSignIn, setSeenSignIn] = useState(() => localStorage.getItem(signInKey));
  const [isIdle, setIsIdle] = useState(false);
  // The page comes first, and those that are probably opened next.
  useEffect(() => whenIdleAfterPagePrefetch(() => setIsIdle(true)), []);
  const { data, isError, refetch } = useCall(
    notificationContract.list,
    {},
    { enabled: isIdle || isOpen, refetchInterval: REFRESH_MS },
  );
  useLiveRefresh("notice", refetch);
  useLiveRefresh("announcement", refetch);
  useLiveRefresh("malfunction", refetch, calm);
  useLiveRefresh("callback", refetch, calm);
  useLiveRefresh("sms", refetch, calm);
  const write = useWrite(notificationContract.read, { toasts: true });

  const list = data?.list.filter(
    ({ kind, recordId }) => kind !== "SIGN_IN" || String(recordId) !== seenSignIn,
  );
  const unread = list?.filter(({ isUnread }) => isUnread) ?? [];
  useToasts(unread, list !== undefined);

  const idsOf = (kind: Notification["kind"]) =>
    unread.flatMap((each) => (each.kind === kind && each.recordId ? [each.recordId] : []));
  return {
    list,
    unreadCount: unread.length,
    isError,
    refetch,
    isMarking: write.isPending,
    markAllRead() {
      const [signIn] = idsOf("SIGN_IN");
      if (signIn) {
        localStorage.setItem(signInKey, String(signIn));
        setSeenSignIn(String(signIn));
      }
      const noticeIds = unread.flatMap(({ notice }) => (notice ? [notice.id] : []));
      const body = { noticeIds, announcementIds: idsOf("ANNOUNCEMENT"), until: data?.at ?? null };
      write.mutate({ body });
    },
    markNoticeRead(id: number) {
      write.mutate({ body: { noticeIds: [id], announcementIds: [], until: null } });
    },
  };
}

export type Notifications = ReturnType<typeof useNotifications>;

/** Announces what arrives while the user works: messages to the account, not states. */
function useToasts(unread: readonly Notification[], isKnown: boolean): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!isKnown) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...unread.map(({ key }) => key)]);
    const { isHint } = userStore.getState();
    const first = unread.find(
      ({ key, notice, group }) =>
        before && !before.has(key) && (notice ? isHint : group === "NEWS"),
    );
    if (first) toast.info(`新消息“${first.title}”，可在右上角的消息中心查看`);
  }, [unread, isKnown]);
}
