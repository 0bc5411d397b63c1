// Publishes an announcement now or at a scheduled time.
import {
  type Announcement,
  announcementContract,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import { announcementName } from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import Radio from "antd/es/radio";
import { useState } from "react";
import { type Static, Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { DateTimeInput } from "../../../ui/form/date-time-input.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { audienceText } from "./announcement-columns.tsx";

const whenText = { NOW: "立即发布", LATER: "定时发布" } as const;
type When = keyof typeof whenText;

const PublishForm = Type.Object({
  when: Type.Unsafe<When>({ type: "string" }),
  publishAt: Type.Optional(Type.String()),
});
type PublishForm = Static<typeof PublishForm>;

function laterProblem(at: unknown): string | null {
  if (!at) return "请选择发布时间";
  return Date.parse(String(at)) > Date.now()
    ? null
    : "发布时间应晚于当前时间；如需马上发布，请选择“立即发布”";
}

export type Publishing = Pick<
  Announcement,
  "id" | "kind" | "title" | "version" | "audience" | "userTypes" | "tenants" | "phase" | "publishAt"
>;

interface PublishFormProps {
  /** Null: the dialog is closed. */
  announcement: Publishing | null;
  onClose: () => void;
}

export function PublishAnnouncement({ announcement, onClose }: PublishFormProps) {
  // Keeps the announcement's name during the closing animation.
  const [shown, setShown] = useState(announcement);
  const [chosen, setChosen] = useState<When | null>(null);
  if (announcement && announcement !== shown) {
    setShown(announcement);
    setChosen(null);
  }
  const publish = useWrite(announcementContract.publish);
  if (!shown) return null;
  const { id, kind, phase, publishAt } = shown;
  const name = announcementName(shown);
  const planned = phase === "SCHEDULED" && publishAt !== null ? publishAt : null;
  const when = chosen ?? (planned ? "LATER" : "NOW");
  return (
    <FormDialog
      open={announcement !== null}
      title={phase === "SCHEDULED" ? "调整发布时间" : "发布公告"}
      schema={PublishForm}
      fields={[
        {
          name: "when",
          label: "发布方式",
          control: (
            <Radio.Group
              options={Object.entries(whenText).map(([value, label]) => ({ value, label }))}
              onChange={({ target }) => setChosen(target.value as When)}
            />
          ),
        },
        ...(when === "LATER"
          ? [
              {
                name: "publishAt" as const,
                label: "发布时间",
                control: <DateTimeInput />,
                hint: "到时自动发布；发布前可修改或取消",
                problem: laterProblem,
              },
            ]
          : []),
      ]}
      initial={{ when, ...(planned && { publishAt: planned }) }}
      submitText={whenText[when]}
      submit={async (values: PublishForm) => {
        const at = values.when === "LATER" ? values.publishAt : undefined;
        await publish.mutateAsync({ params: { id }, body: { publishAt: at ?? null } });
        toast.success(
          at ? `“${name}”将在 ${formatDateTime(at).slice(0, 16)} 发布` : `“${name}”已发布`,
        );
      }}
      onClose={onClose}
    >
      <p>
        <b>“{name}”</b>发布后，{audienceText(shown)}就能看到
        {{ VERSION: "，并在打开后台时弹出。", NOTICE: "。" }[kind]}
      </p>
    </FormDialog>
  );
}
