// Dialog of a version notice; sanitizes its HTML again before display.
import type { VersionNotice } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { formatDateTime } from "../../kit/format.ts";
import { RichTextView } from "../../ui/rich-text/rich-text-view.tsx";
import { Dialog } from "../dialog.tsx";
import "./version-notice.css";

const WIDTH_PX = 700;

export interface VersionNoticeDialogProps {
  notice: VersionNotice;
  onClose: () => void;
}

export function VersionNoticeDialog({ notice, onClose }: VersionNoticeDialogProps) {
  return (
    <Dialog title="存取柜通知！" width={WIDTH_PX} isPersistent onClose={onClose}>
      <div className="notice">
        <p className="notice-version">
          <span>版本：{notice.version}</span>
          <time dateTime={notice.updateTime}>{formatDateTime(notice.updateTime)}</time>
        </p>
        <RichTextView html={notice.content} />
      </div>
    </Dialog>
  );
}
