// Version notice (specification §2): shown when it is new, and again by the bell.
import {
  announcementContract,
  type VersionNotice as Notice,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { confirm, messageOf, toast } from "../../kit/feedback.ts";
import { useLive } from "../../kit/live.ts";
import { callKey, queryClient, useCall, useWrite } from "../../kit/query.ts";
import { useIsImpersonating } from "../../kit/session.ts";
import { userStore } from "../../kit/user-state.ts";
import { lateDialog } from "../../ui/display/late-part.tsx";
import { isNoticeNew } from "./version.rules.ts";
import type { VersionNoticeDialogProps } from "./version-notice-dialog.tsx";

const VersionNoticeDialog = lateDialog<VersionNoticeDialogProps & { onGiveUp: () => void }>(
  async () => (await import("./version-notice-dialog.tsx")).VersionNoticeDialog,
  ({ onGiveUp }) => onGiveUp,
);

const keyOf = ({ version, updateTime }: Notice) => `${version} ${updateTime}`;

const retryOf = (error: Error) => ({
  title: "版本通知加载失败",
  content: messageOf(error),
  ok: "重试",
  cancel: "关闭",
});

export interface VersionNoticeProps {
  /** The bell was clicked. */
  isAsked: boolean;
  onClose: () => void;
}

export function VersionNotice({ isAsked, onClose }: VersionNoticeProps) {
  const { latest, read } = announcementContract;
  const { data: notice, refetch } = useCall(latest, {}, { staleTime: Number.POSITIVE_INFINITY });
  // Shows a notice that is published while the user works. `refetch` would join a first call that
  // is still under way and may have been answered before.
  useLive("announcement", async () => {
    await queryClient.cancelQueries({ queryKey: callKey(latest) });
    await refetch();
  });
  const { mutate: markRead } = useWrite(read);
  const isImpersonating = useIsImpersonating();
  const seen = userStore();
  const [putOff, setPutOff] = useState<string | null>(null);
  const isNew = notice ? isNoticeNew(notice, seen) && putOff !== keyOf(notice) : false;

  /** Fetches the notice for the bell if there is none; a failure is shown and can be retried. */
  const answerBell = useEffectEvent(async () => {
    if (notice) return;
    for (;;) {
      const { data, error } = await refetch();
      if (data) return;
      if (!error) toast.info("暂无版本通知");
      else if (await confirm(retryOf(error))) continue;
      return onClose();
    }
  });
  useEffect(() => {
    if (isAsked) void answerBell();
  }, [isAsked]);

  if (!notice || !(isNew || isAsked)) return null;
  return (
    <VersionNoticeDialog
      notice={notice}
      // Not read.
      onGiveUp={() => {
        setPutOff(keyOf(notice));
        onClose();
      }}
      onClose={() => {
        setPutOff(keyOf(notice));
        userStore.setState({ version: notice.version, versionUpdateTime: notice.updateTime });
        if (!isImpersonating) markRead({ body: { ids: [notice.id] } });
        onClose();
      }}
    />
  );
}
