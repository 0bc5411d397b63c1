// The version notice (specification §2): shown when it is new, again by the bell.
import { announcementContract } from "@cabinet/contract/announcement/announcement.contract.ts";
import { lazy, Suspense, useEffect, useState } from "react";
import { toast } from "../kit/feedback.ts";
import { useCall } from "../kit/query.ts";
import { userStore } from "./user-state.ts";
import { isNoticeNew } from "./version.rules.ts";

const VersionNoticeDialog = lazy(() =>
  import("./version-notice-dialog.tsx").then((module) => ({ default: module.VersionNoticeDialog })),
);

export interface VersionNoticeProps {
  /** The bell was rung. */
  isAsked: boolean;
  onClose: () => void;
}

export function VersionNotice({ isAsked, onClose }: VersionNoticeProps) {
  const { data: notice, isFetched } = useCall(
    announcementContract.latest,
    {},
    { isQuiet: true, staleTime: Number.POSITIVE_INFINITY },
  );
  const seen = userStore();
  const [isPutOff, setIsPutOff] = useState(false);
  const isNew = notice ? isNoticeNew(notice, seen) && !isPutOff : false;

  useEffect(() => {
    if (!isAsked || !isFetched || notice) return;
    toast.info("暂无版本通知");
    onClose();
  }, [isAsked, isFetched, notice, onClose]);

  if (!notice || !(isNew || isAsked)) return null;
  return (
    <Suspense fallback={null}>
      <VersionNoticeDialog
        notice={notice}
        onClose={() => {
          setIsPutOff(true);
          userStore.setState({ version: notice.version, versionUpdateTime: notice.updateTime });
          onClose();
        }}
      />
    </Suspense>
  );
}
