// Publishing an announcement: now, or by the clock later.
import {
  type Announcement,
  announcementContract,
} from "@cabinet/contract/announcement/announcement.contract.ts";
import { announcementName } from "@cabinet/contract/announcement/announcement.rules.ts";
import { useState } from "react";
import { type Static, Type } from "typebox";
import { toast } from "../../kit/feedback.ts";
import { formatDateTime } from "../../kit/format.ts";
import { useWrite } from "../../kit/query.ts";
import { DateTimeInput } from "../../ui/date-time-input.tsx";
import { FormDialog } from "../../ui/form-frames.tsx";
import { announcementChanged } from "./announcement-changed.ts";
import { audienceText } from "./announcement-columns.tsx";

const PublishForm = Type.Object({ publishAt: Type.Optional(Type.String()) });
type PublishForm = Static<typeof PublishForm>;

interface PublishFormProps {
  /** Null: closed. */
  announcement: Announcement | null;
  onClose: () => void;
}

export function PublishAnnouncement({ announcement, onClose }: PublishFormProps) {
  // It stays named while the dialog closes.
  const [shown, setShown] = useState(announcement);
  if (announcement && announcement !== shown) setShown(announcement);
  const publish = useWrite(announcementContract.publish, announcementChanged);
  if (!shown) return null;
  const { id, kind, phase, publishAt } = shown;
  const name = announcementName(shown);
  return (
    <FormDialog
      open={announcement !== null}
      title={phase === "SCHEDULED" ? "调整发布时间" : "发布公告"}
      schema={PublishForm}
      fields={[
        {
          name: "publishAt",
          label: "发布时间",
          control: <DateTimeInput placeholder="留空为立即发布" />,
          hint: "留空为立即发布；选择以后的时间则到时自动发布",
        },
      ]}
      initial={phase === "SCHEDULED" && publishAt ? { publishAt } : {}}
      submitText="发布"
      submit={async ({ publishAt: at }: PublishForm) => {
        await publish.mutateAsync({ params: { id }, body: { publishAt: at ?? null } });
        toast.success(
          at ? `“${name}”将在 ${formatDateTime(at).slice(0, 16)} 发布` : `“${name}”已发布`,
        );
      }}
      onClose={onClose}
    >
      <p>
        <b>“{name}”</b>发布后，{audienceText(shown)}就能看到
        {kind === "VERSION" ? "，并在打开后台时弹出。" : "。"}
      </p>
    </FormDialog>
  );
}
