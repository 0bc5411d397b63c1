// 公告列表: announcements of the platform to tenants and of a tenant to its users, from draft to
// withdrawn.
import {
  type Announcement,
  announcementContract,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import {
  announcementAudienceText,
  announcementKindText,
  announcementName,
  announcementPhaseText,
  mayStep,
} from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { pathTo, useNavigate } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { announcementColumns, audienceText } from "./announcement-columns.tsx";
import { AnnouncementDetail } from "./announcement-detail.tsx";
import { PublishAnnouncement } from "./publish-form.tsx";

const filters = [
  textFilter("keyword", "标题", "标题或版本"),
  choiceFilter("phase", "状态", choicesOf(announcementPhaseText)),
  choiceFilter("kind", "类型", choicesOf(announcementKindText)),
  choiceFilter("audience", "接收人", choicesOf(announcementAudienceText)),
];

export const prefetch = listPrefetch(announcementContract.list);

export default function AnnouncementListPage() {
  const mayWrite = usePermission("announcement:write");
  const navigate = useNavigate();
  const { ask, dialog } = useAction();
  const [publishing, setPublishing] = useState<Announcement | null>(null);
  const withdraw = useWrite(announcementContract.withdraw);
  const remove = useWrite(announcementContract.delete);

  const askWithdraw = (row: Announcement) => {
    const name = announcementName(row);
    const isScheduled = row.phase === "SCHEDULED";
    ask({
      title: isScheduled ? "取消定时发布" : "撤回公告",
      effect: isScheduled ? (
        <>
          <b>“{name}”</b>将回到草稿，不会按时发布。
        </>
      ) : (
        <>
          <b>“{name}”</b>
          {row.phase === "EXPIRED"
            ? "已到期，没有人再看到它；撤回后可以改好再发布"
            : `撤回后，${audienceText(row)}将看不到它`}
          ；已有 {row.readCount} 人读过。
        </>
      ),
      confirm: isScheduled ? "取消定时" : "撤回",
      isDanger: true,
      reasons: ["内容有误", "事项已取消", "已有新的公告"],
      run: (reason) => withdraw.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: isScheduled ? `“${name}”已回到草稿` : `“${name}”已撤回`,
    });
  };
  const askDelete = (row: Announcement) => {
    const name = announcementName(row);
    ask({
      title: "删除公告",
      effect: (
        <>
          <b>“{name}”</b>和它的历次修改、阅读记录将被删除，不能恢复。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: row.id } }),
      done: `“${name}”已删除`,
    });
  };
  const actionsOf = (row: Announcement): RowAction[] => [
    { key: "edit", label: "编辑", to: pathTo("/inform/edit", { id: row.id }) },
    mayStep(row.phase, "publish")
      ? {
          key: "publish",
          label: row.phase === "SCHEDULED" ? "改时间" : "发布",
          run: () => setPublishing(row),
        }
      : { key: "withdraw", label: "撤回", isDanger: true, run: () => askWithdraw(row) },
    ...(row.phase === "SCHEDULED"
      ? [{ key: "cancel", label: "取消定时", run: () => askWithdraw(row) }]
      : []),
    {
      key: "delete",
      label: "删除",
      isDanger: true,
      blocked: mayStep(row.phase, "delete") ? undefined : "请先撤回，再删除",
      run: () => askDelete(row),
    },
  ];

  return (
    <>
      <ListPage
        title="公告列表"
        spec={announcementContract.list}
        filters={filters}
        columns={announcementColumns}
        rowKey={(row) => row.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => void navigate("/inform/edit")}>
              新增公告
            </Button>
          )
        }
        live="announcement"
        actions={mayWrite && { width: 148, of: announcementName, list: actionsOf }}
        detail={{
          title: announcementName,
          body: (row) => <AnnouncementDetail key={row.id} announcement={row} />,
        }}
        emptyHint="新增一条公告，写好内容并发布，接收人就能看到"
      />
      {dialog}
      <PublishAnnouncement announcement={publishing} onClose={() => setPublishing(null)} />
    </>
  );
}
