// Details of an announcement: state, text, readers, earlier editions.

import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import {
  type Announcement,
  type AnnouncementEdition,
  announcementContract,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { announcementKindText } from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { useState } from "react";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { RichTextView } from "../../../ui/rich-text/rich-text-view.tsx";
import { AnnouncementStatus, audienceText } from "./announcement-columns.tsx";
import "../../../ui/display/basics.css";
import "./announcement.css";

export function AnnouncementDetail({ announcement }: { announcement: Announcement }) {
  const { id } = announcement;
  const answer = useCall(announcementContract.get, { params: { id } }, { keepPreviousData: true });
  const detail = answer.data?.id === id ? answer.data : undefined;
  if (answer.error && !detail) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  return (
    <>
      <DrawerSection title="基本信息">
        <Facts facts={factsOf(detail ?? announcement)} />
      </DrawerSection>
      <DrawerSection title="内容">
        {detail ? (
          <div className="announcement-text">
            <RichTextView html={detail.content} />
          </div>
        ) : (
          <p className="ui-cell-none">正在加载…</p>
        )}
      </DrawerSection>
      {announcement.phase !== "DRAFT" && announcement.phase !== "SCHEDULED" && (
        <DrawerSection title="阅读情况">
          <Recipients
            id={id}
            read={(detail ?? announcement).readCount}
            reach={detail?.reachCount}
          />
        </DrawerSection>
      )}
      <DrawerSection title="历次修改">
        <Editions id={id} current={announcement.edition} />
      </DrawerSection>
    </>
  );
}

function factsOf(of: Announcement & { createdBy?: string; createdAt?: string }): DescriptionItem[] {
  const names = of.tenants.map(({ name }) => name).join("、");
  return [
    ["状态", <AnnouncementStatus key="phase" phase={of.phase} />],
    ["类型", announcementKindText[of.kind]],
    ...(of.kind === "VERSION" ? [["版本", of.version] as const] : []),
    ["租户", of.tenantName],
    ["接收人", audienceText(of)],
    ...(names ? [["接收租户", names] as const] : []),
    ["发布时间", of.publishAt && formatDateTime(of.publishAt)],
    ["到期时间", of.expiresAt ? formatDateTime(of.expiresAt) : "长期有效"],
    ...(of.withdrawReason ? [["撤回原因", of.withdrawReason] as const] : []),
    ["新增", of.createdAt && `${formatDateTime(of.createdAt)}，${of.createdBy}`],
    ["最近修改", `${formatDateTime(of.updatedAt)}，${of.editedBy}`],
  ];
}

const readChoices = [
  ["", "全部"],
  ["true", "已读"],
  ["false", "未读"],
] as const;

function Recipients({
  id,
  read,
  reach: scope,
}: {
  id: number;
  read: number;
  reach: number | undefined;
}) {
  const pages = useDrawerPages();
  const [choice, setChoice] = useState<(typeof readChoices)[number][0]>("");
  const { page, pageSize } = pages;
  const answer = useCall(
    announcementContract.recipients,
    { params: { id }, query: { page, pageSize, ...(choice && { isRead: choice === "true" }) } },
    { keepPreviousData: true },
  );
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText={choice === "true" ? "暂无已读" : "暂无符合条件的接收人"}
      row={(person) => (
        <DrawerRow
          key={`${person.tenantName} ${person.id}`}
          name={
            <>
              {person.name}{" "}
              <small>
                {person.tenantName}
                {person.userType !== null && `，${userTypeText[person.userType as 0 | 1 | 2]}`}
              </small>
            </>
          }
          state={person.readAt ? formatDateTime(person.readAt) : "未读"}
        />
      )}
    >
      <div className="announcement-reading">
        <ChoiceBar
          label="按是否已读筛选"
          choices={readChoices}
          chosen={choice}
          onChoose={(word) => {
            setChoice(word);
            pages.setPage(1);
          }}
        />
        <span>
          已读 {formatNumber(read)} 人{scope !== undefined && `，共 ${formatNumber(scope)} 人`}
        </span>
      </div>
    </DrawerList>
  );
}

function Editions({ id, current }: { id: number; current: number }) {
  const pages = useDrawerPages();
  const mayWrite = usePermission("announcement:write");
  const [opened, setOpened] = useState<number | null>(null);
  const { page, pageSize } = pages;
  const answer = useCall(
    announcementContract.editions,
    { params: { id }, query: { page, pageSize } },
    { keepPreviousData: true },
  );
  const toggle = ({ edition }: AnnouncementEdition) =>
    setOpened(opened === edition ? null : edition);
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText="没有修改记录"
      row={(each) => (
        <DrawerRow
          key={each.edition}
          name={
            <>
              第 {each.edition} 版{each.edition === current && "（当前）"}{" "}
              <small>
                {formatDateTime(each.editedAt)}
                {each.editedBy && `，${each.editedBy}`}
              </small>
              {opened === each.edition && (
                <div className="announcement-text">
                  <RichTextView html={each.content} />
                </div>
              )}
            </>
          }
          state={
            <>
              <button
                type="button"
                className="ui-link"
                aria-expanded={opened === each.edition}
                onClick={() => toggle(each)}
              >
                {opened === each.edition ? "收起" : "查看"}
              </button>
              {mayWrite && each.edition !== current && (
                <Link
                  className="ui-link"
                  to={pathTo("/inform/edit", { id, edition: each.edition })}
                >
                  恢复
                </Link>
              )}
            </>
          }
        />
      )}
    >
      {null}
    </DrawerList>
  );
}
