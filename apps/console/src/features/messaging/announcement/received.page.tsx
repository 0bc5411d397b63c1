// 收到的公告: announcements received by the signed-in account; opening one marks it as read.
import {
  announcementContract,
  type ReceivedAnnouncement,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import {
  announcementKindText,
  announcementName,
} from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { useEffect } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { reportError } from "../../../kit/errors.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useIsImpersonating } from "../../../kit/session.ts";
import { Button } from "../../../ui/display/button.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { RichTextView } from "../../../ui/rich-text/rich-text-view.tsx";
import { PinnedTag } from "./announcement-columns.tsx";
import "../../../ui/display/basics.css";
import "./announcement.css";

const { received, receivedOne, read } = announcementContract;
const invalidates = [notificationContract.list];

const filters = [
  textFilter("keyword", "标题", "标题或版本"),
  choiceFilter("kind", "类型", choicesOf(announcementKindText)),
  choiceFilter("isRead", "阅读", [
    { value: false, label: "未读" },
    { value: true, label: "已读" },
  ]),
];

const columns: Column<ReceivedAnnouncement>[] = [
  {
    key: "title",
    title: "标题",
    width: 320,
    exportWidth: 36,
    value: announcementName,
    render: (row) => (
      <span className="announcement-name" data-unread={!row.isRead}>
        {row.isPinned && <PinnedTag />}
        <span>{announcementName(row)}</span>
      </span>
    ),
  },
  {
    key: "isRead",
    title: "阅读",
    width: 88,
    value: ({ isRead }) => (isRead ? "已读" : "未读"),
    render: ({ isRead }) => (
      <Status tone={isRead ? "quiet" : "waiting"}>{isRead ? "已读" : "未读"}</Status>
    ),
  },
  { key: "kind", title: "类型", width: 96, value: ({ kind }) => announcementKindText[kind] },
  {
    key: "from",
    title: "来自",
    width: 96,
    value: ({ isFromPlatform }) => (isFromPlatform ? "平台" : "本租户"),
  },
  timeColumn("publishAt", "发布时间"),
];

/** Maximum number of announcements that one call marks. */
const AT_ONCE = 100;

export const prefetch = listPrefetch(received);

export default function ReceivedPage() {
  const isImpersonating = useIsImpersonating();
  const unread = useCall(
    received,
    { query: { page: 1, pageSize: AT_ONCE, isRead: false } },
    { toasts: true },
  );
  const markRead = useWrite(read, { invalidates });
  const ids = unread.data?.list.map(({ id }) => id) ?? [];
  return (
    <ListPage
      title="收到的公告"
      spec={received}
      filters={filters}
      columns={columns}
      rowKey={(row) => row.id}
      toolbar={
        !isImpersonating &&
        ids.length > 0 && (
          <Button
            loading={markRead.isPending}
            onClick={() => void markRead.mutateAsync({ body: { ids } }).catch(reportError)}
          >
            全部标为已读
          </Button>
        )
      }
      live="announcement"
      detail={{
        title: announcementName,
        body: (row) => <Received key={row.id} announcement={row} />,
        linked: {
          title: () => "公告",
          body: (id) => <Received key={id} announcement={{ id, isRead: false }} />,
        },
      }}
      emptyHint="平台和本租户发布的公告会出现在这里"
    />
  );
}

function Received({ announcement }: { announcement: Pick<ReceivedAnnouncement, "id" | "isRead"> }) {
  const { id, isRead } = announcement;
  const isImpersonating = useIsImpersonating();
  const answer = useCall(receivedOne, { params: { id } });
  const { mutate } = useWrite(read, { invalidates });
  const isShown = answer.data !== undefined;
  useEffect(() => {
    if (isShown && !isRead && !isImpersonating) mutate({ body: { ids: [id] } });
  }, [id, isShown, isRead, isImpersonating, mutate]);
  if (!answer.data) return <AnswerState answer={answer} />;
  const { isFromPlatform, publishAt, content: html } = answer.data;
  return (
    <article>
      <p className="announcement-meta">
        <span>{isFromPlatform ? "平台" : "本租户"}</span>
        <time dateTime={publishAt}>{formatDateTime(publishAt)}</time>
      </p>
      <RichTextView html={html} />
    </article>
  );
}
