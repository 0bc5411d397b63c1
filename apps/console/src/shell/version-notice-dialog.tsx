// The dialog of a version notice; its HTML is cleaned once more before it is shown.
import type { VersionNotice } from "@cabinet/contract/announcement/announcement.contract.ts";
import DOMPurify from "dompurify";
import { useMemo } from "react";
import { formatDateTime } from "../kit/format.ts";
import { Dialog } from "./dialog.tsx";
import "./version-notice.css";

const WIDTH_PX = 700;

function cleanHtml(html: string): string {
  return DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select"],
    FORBID_ATTR: ["style"],
  });
}

export interface VersionNoticeDialogProps {
  notice: VersionNotice;
  onClose: () => void;
}

export function VersionNoticeDialog({ notice, onClose }: VersionNoticeDialogProps) {
  const html = useMemo(() => ({ __html: cleanHtml(notice.content) }), [notice.content]);
  return (
    <Dialog title="存取柜通知！" width={WIDTH_PX} isPersistent onClose={onClose}>
      <div className="notice">
        <p className="notice-version">
          <span>版本：{notice.version}</span>
          <time dateTime={notice.updateTime}>{formatDateTime(notice.updateTime)}</time>
        </p>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned above. */}
        <div className="notice-content" dangerouslySetInnerHTML={html} />
      </div>
    </Dialog>
  );
}
