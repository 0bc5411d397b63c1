// Announcements of the operator; opening one marks it as read.
import { useState } from "react";
import { call } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";
import { time } from "../kit/format.ts";
import { useTexts } from "../kit/texts.tsx";
import { usePages } from "../kit/use-pages.ts";
import { Button, Chinese, Empty, Loading, Screen } from "../ui/parts.tsx";
import { RichText } from "./rich-text.tsx";

export function NoticesPage() {
  const t = useTexts();
  const notices = usePages("announcements", {});
  return (
    <Screen title={t("notices.title")}>
      <Loading from={notices}>
        {(list) => (
          <>
            {list.length === 0 && <Empty icon="notice">{t("notices.none")}</Empty>}
            <div className="folds">
              {list.map((each) => (
                <Announcement key={each.id} announcement={each} />
              ))}
            </div>
            {notices.hasMore && (
              <Button look="second" onClick={notices.showMore}>
                {t("more")}
              </Button>
            )}
          </>
        )}
      </Loading>
    </Screen>
  );
}

function Announcement(props: { announcement: ReplyOf<"announcements">["list"][number] }) {
  const t = useTexts();
  const { id, title, content, isPinned, isRead, publishAt } = props.announcement;
  const [isSeen, setSeen] = useState(isRead);
  const seen = () => {
    if (isSeen) return;
    setSeen(true);
    // Unread again next time is all that a failure leads to.
    call("readAnnouncement", { params: { id } }).catch(() => {});
  };
  return (
    <details className="card fold" onToggle={(event) => event.currentTarget.open && seen()}>
      <summary>
        <span className="fold-title">
          {!isSeen && <span className="dot">{t("notices.unread")}</span>}
          <Chinese>{title}</Chinese>
        </span>
        <span className="quiet">
          {isPinned && `${t("notices.pinned")} · `}
          {time(publishAt)}
        </span>
      </summary>
      <RichText html={content} />
    </details>
  );
}
