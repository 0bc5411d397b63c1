// 新增公告, and with `?id=` 编辑公告; `&edition=` starts from the text of an earlier edition.
import {
  type AnnouncementDetail,
  AnnouncementDraft,
  announcementContract,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import {
  type AnnouncementKind,
  announcementKindText,
  announcementName,
  isAddressFixed,
  mayStep,
} from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import Alert from "antd/es/alert";
import Input from "antd/es/input";
import Switch from "antd/es/switch";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { type Static, Type } from "typebox";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import {
  NoRecord,
  RecordFailure,
  RecordLoading,
  useIdParam,
} from "../../../ui/display/one-record.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import type { Control } from "../../../ui/form/control.ts";
import { counted } from "../../../ui/form/counted.ts";
import { DateTimeInput } from "../../../ui/form/date-time-input.tsx";
import { FormPage } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { RichTextInput, richTextProblem } from "../../../ui/rich-text/rich-text-input.tsx";
import { type Audience, AudienceInput, audienceProblem, everyAccount } from "./audience-input.tsx";
import { PublishAnnouncement, type Publishing } from "./publish-form.tsx";
import "../../../ui/display/basics.css";
import "./announcement.css";

const list = { path: "/inform/index", title: "公告列表" } as const;
const goneHint = "可能已被删除，或属于其他租户。";
const PLATFORM_TENANT_ID = 1;

const { content, isPinned } = AnnouncementDraft.properties;
const filled = (title: string, maxLength: number) =>
  Type.Optional(Type.String({ title, minLength: 1, maxLength, pattern: "\\S" }));
/** An announcement must have a title, a version notice a version. */
const AnnouncementForm = Type.Object({
  title: filled("标题", 60),
  version: filled("版本", 20),
  content,
  audience: Type.Unsafe<Audience>({ type: "object" }),
  isPinned,
  expiresAt: Type.Optional(Type.String()),
});
type FormValues = Static<typeof AnnouncementForm>;

/** A new one also has what its other fields depend on. */
const NewAnnouncementForm = Type.Object({
  tenantId: Type.Integer(),
  kind: AnnouncementDraft.properties.kind,
  ...AnnouncementForm.properties,
});

function draftOf(kind: AnnouncementKind, values: FormValues): AnnouncementDraft {
  const { audience } = values;
  return {
    kind,
    title: values.title ?? "",
    version: values.version ?? "",
    content: values.content,
    audience: ({ VERSION: "OPERATOR", NOTICE: audience.kind } as const)[kind],
    userTypes: audience.userTypes,
    tenantIds: (audience.tenants ?? []).map(({ id }) => id),
    isPinned: values.isPinned,
    expiresAt: values.expiresAt ?? null,
  };
}

interface FieldParts {
  kind: AnnouncementKind;
  tenantId: number;
  isFixed: boolean;
}

function fieldsOf({ kind, tenantId, isFixed }: FieldParts): FieldOf<typeof AnnouncementForm>[] {
  const isVersion = kind === "VERSION";
  return [
    ...(isVersion
      ? [
          {
            name: "version" as const,
            label: "版本",
            isRequired: true,
            control: <Input placeholder="如：V1.2.0" />,
            hint: "显示在弹窗的“版本：”之后",
          },
        ]
      : []),
    {
      name: "title",
      label: isVersion ? "标题（选填）" : "标题",
      isRequired: !isVersion,
      control: <Input count={counted()} placeholder="请输入公告标题" />,
      ...(!isVersion && { isWide: true as const }),
    },
    {
      name: "audience",
      label: isVersion ? "接收租户（运营人员）" : "接收人",
      control: (
        <AudienceInput
          isOfPlatform={tenantId === PLATFORM_TENANT_ID}
          isVersion={isVersion}
          isFixed={isFixed}
        />
      ),
      problem: audienceProblem,
      isWide: true,
      ...(isFixed && { hint: "已发布的公告不能更改接收人群；需要更改请先撤回" }),
    },
    {
      name: "content",
      label: "内容",
      control: (
        <RichTextInput label="内容" upload={announcementContract.upload} tenantId={tenantId} />
      ),
      problem: richTextProblem,
      isWide: true,
    },
    {
      name: "isPinned",
      label: "置顶",
      control: <Switch />,
      valueName: "checked",
      hint: "排在接收人公告列表的最前面",
    },
    {
      name: "expiresAt",
      label: "到期时间",
      control: <DateTimeInput isEnd placeholder="长期有效" />,
      hint: "到期后接收人不再看到；留空为长期有效",
    },
  ];
}

export default function AnnouncementEditPage() {
  const [params] = useSearchParams();
  const id = useIdParam("id");
  if (!params.has("id")) return <NewAnnouncement />;
  if (id === null) return <NoRecord title="没有指定公告" hint={goneHint} list={list} />;
  return <OldAnnouncement key={id} id={id} />;
}

const kinds = Object.entries(announcementKindText) as [AnnouncementKind, string][];

function KindChoice({ value = "NOTICE", onChange }: Control<AnnouncementKind>) {
  return (
    <ChoiceBar
      label="类型"
      choices={kinds}
      chosen={value}
      onChoose={(chosen) => onChange?.(chosen)}
    />
  );
}

const tenantField: FieldOf<typeof NewAnnouncementForm> = {
  name: "tenantId",
  label: "租户",
  control: <TenantSelect />,
};
const kindField: FieldOf<typeof NewAnnouncementForm> = {
  name: "kind",
  label: "类型",
  control: <KindChoice />,
};

/** `publish` shows the dialog 发布公告 for a saved announcement and resolves when it is closed. */
function usePublishing() {
  const [asked, setAsked] = useState<{ announcement: Publishing; close: () => void } | null>(null);
  const publish = async (id: number, draft: AnnouncementDraft, values: FormValues) => {
    const { promise, resolve: close } = Promise.withResolvers<void>();
    const tenants = [...(values.audience.tenants ?? [])];
    setAsked({ announcement: { id, ...draft, tenants, phase: "DRAFT", publishAt: null }, close });
    await promise;
    setAsked(null);
  };
  const dialog = (
    <PublishAnnouncement
      announcement={asked?.announcement ?? null}
      onClose={() => asked?.close()}
    />
  );
  return { publish, dialog };
}

function NewAnnouncement() {
  const isPlatform = useIsPlatform();
  const session = useSignedIn();
  const [kind, setKind] = useState<AnnouncementKind>("NOTICE");
  const [tenantId, setTenantId] = useState(session.tenantId);
  const create = useWrite(announcementContract.create);
  const { publish, dialog } = usePublishing();
  const isOfPlatform = tenantId === PLATFORM_TENANT_ID;
  const shown = isOfPlatform ? kind : "NOTICE";
  const save = async (values: FormValues) => {
    const body = { ...draftOf(shown, values), ...(isPlatform && { tenantId }) };
    const { id } = await create.mutateAsync({ body });
    toast.success(`“${announcementName(body)}”已保存为草稿，发布后接收人才能看到`);
    return { id, body };
  };
  return (
    <FormPage
      title="新增公告"
      backTo={list.path}
      schema={NewAnnouncementForm}
      fields={[
        ...(isPlatform ? [tenantField] : []),
        ...(isPlatform && isOfPlatform ? [kindField] : []),
        ...fieldsOf({ kind: shown, tenantId, isFixed: false }),
      ]}
      initial={{
        ...{ tenantId: session.tenantId, kind: "NOTICE" },
        ...{ audience: everyAccount, isPinned: false },
      }}
      onValues={(values) => {
        setTenantId(values.tenantId ?? session.tenantId);
        setKind(values.kind ?? "NOTICE");
      }}
      also={{ text: "保存草稿", submit: save }}
      submitText="发布"
      submit={async (values) => {
        const { id, body } = await save(values);
        await publish(id, body, values);
      }}
    >
      {dialog}
    </FormPage>
  );
}

function OldAnnouncement({ id }: { id: number }) {
  const edition = useIdParam("edition");
  const answer = useCall(announcementContract.get, { params: { id } }, { staleTime: 0 });
  const editions = useCall(
    announcementContract.editions,
    { params: { id }, query: { page: 1, pageSize: 100 } },
    { enabled: edition !== null },
  );
  const error = answer.error ?? editions.error;
  const retry = () => void Promise.all([answer.refetch(), edition !== null && editions.refetch()]);
  const isReady = answer.data && answer.isFetchedAfterMount && (edition === null || editions.data);
  if (!answer.data || !isReady) {
    if (!error) return <RecordLoading />;
    return <RecordFailure error={error} hint={goneHint} list={list} onRetry={retry} />;
  }
  const earlier = editions.data?.list.find((each) => each.edition === edition);
  return (
    <EditAnnouncement
      key={edition}
      fetched={answer.data}
      restored={earlier ? { edition: earlier.edition, content: earlier.content } : null}
    />
  );
}

interface EditProps {
  fetched: AnnouncementDetail;
  /** Earlier text, to be saved as the newest edition. */
  restored: { edition: number; content: string } | null;
}

/** Keeps the edition that the form was opened with, regardless of later refetches. */
function EditAnnouncement({ fetched, restored }: EditProps) {
  const [announcement] = useState(fetched);
  const { id, kind, phase, tenantId } = announcement;
  const update = useWrite(announcementContract.update);
  const { publish, dialog } = usePublishing();
  const save = async (values: FormValues) => {
    const body = { ...draftOf(kind, values), editVersion: announcement.edition };
    await update.mutateAsync({ params: { id }, body });
    toast.success(`“${announcementName(body)}”已保存${phase === "LIVE" ? "，接收人立即看到" : ""}`);
  };
  // The time of a scheduled one is changed in the list.
  const isPublishable = mayStep(phase, "publish") && phase !== "SCHEDULED";
  const buttons = isPublishable
    ? {
        also: { text: "保存", submit: save },
        submitText: "发布",
        submit: async (values: FormValues) => {
          await save(values);
          await publish(id, draftOf(kind, values), values);
        },
      }
    : { submit: save };
  return (
    <FormPage
      title={`编辑公告：${announcementName(announcement)}`}
      backTo={list.path}
      schema={AnnouncementForm}
      fields={fieldsOf({ kind, tenantId, isFixed: isAddressFixed(phase) })}
      initial={{ ...initialOf(announcement), ...(restored && { content: restored.content }) }}
      {...buttons}
    >
      {dialog}
      {restored && (
        <Alert
          className="ui-form-wide"
          type="info"
          showIcon
          title={`内容已换成第 ${restored.edition} 版的，核对后点“保存”才会生效。`}
        />
      )}
      {phase === "LIVE" && kind === "VERSION" && (
        <Alert
          className="ui-form-wide"
          type="warning"
          showIcon
          title="这条版本通知已发布：保存后，已经看过的运营人员会再次看到弹窗。"
        />
      )}
    </FormPage>
  );
}

function initialOf(announcement: AnnouncementDetail): Partial<FormValues> {
  const { title, version, expiresAt, audience, userTypes, tenants } = announcement;
  return {
    title,
    version,
    content: announcement.content,
    isPinned: announcement.isPinned,
    ...(expiresAt && { expiresAt }),
    audience: {
      kind: audience,
      userTypes: { OPERATOR: userTypes, END_USER: everyAccount.userTypes }[audience],
      tenants: tenants.length > 0 ? tenants : null,
    },
  };
}
