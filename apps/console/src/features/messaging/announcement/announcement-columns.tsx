// Columns of the announcement list, with texts for state and audience.

import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import type { Announcement } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import {
  type AnnouncementPhase,
  announcementAudienceText,
  announcementKindText,
  announcementName,
  announcementPhaseText,
} from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import "./announcement.css";

const phaseTone: Record<AnnouncementPhase, Tone> = {
  DRAFT: "doubtful",
  SCHEDULED: "waiting",
  LIVE: "good",
  EXPIRED: "quiet",
  WITHDRAWN: "quiet",
};

export function AnnouncementStatus({ phase }: { phase: AnnouncementPhase }) {
  return <Status tone={phaseTone[phase]}>{announcementPhaseText[phase]}</Status>;
}

/** Formats as `小程序用户`, `运营人员、运维人员` or `运营人员（仅 2 个租户）`. */
export function audienceText(of: Pick<Announcement, "audience" | "userTypes" | "tenants">): string {
  if (of.audience === "END_USER") return announcementAudienceText.END_USER;
  const kinds = of.userTypes.map((type) => userTypeText[type]).join("、");
  return of.tenants.length > 0 ? `${kinds}（仅 ${of.tenants.length} 个租户）` : kinds;
}

export function PinnedTag() {
  return <span className="announcement-pinned">置顶</span>;
}

const nameColumn: Column<Announcement> = {
  key: "title",
  title: "标题",
  width: 240,
  exportWidth: 36,
  value: announcementName,
  render: (row) => (
    <span className="announcement-name">
      {row.isPinned && <PinnedTag />}
      <span>{announcementName(row)}</span>
    </span>
  ),
};

export const announcementColumns: Column<Announcement>[] = [
  nameColumn,
  tenantColumn(120),
  {
    key: "phase",
    title: "状态",
    width: 104,
    value: ({ phase }) => announcementPhaseText[phase],
    render: ({ phase }) => <AnnouncementStatus phase={phase} />,
  },
  {
    key: "kind",
    title: "类型",
    width: 88,
    value: ({ kind }) => announcementKindText[kind],
  },
  { key: "audience", title: "接收人", width: 196, exportWidth: 30, value: audienceText },
  { key: "readCount", title: "已读人数", width: 84, align: "right" },
  timeColumn("publishAt", "发布时间"),
  timeColumn("expiresAt", "到期时间", { isSecondary: true }),
  { key: "editedBy", title: "修改人", width: 96, isSecondary: true },
  timeColumn("updatedAt", "修改时间", { isSecondary: true }),
];
