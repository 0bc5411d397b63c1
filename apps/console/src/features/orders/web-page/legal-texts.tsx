// 协议: published versions of the tenant's terms and privacy policy, and the form of a new version.
import {
  type LegalText,
  LegalTextDraft,
  legalTextContract,
} from "@cabinet/contract/orders/legal-text/legal-text.contract.ts";
import {
  LEGAL_TEXT_KINDS,
  LEGAL_TEXT_MAX,
  type LegalTextKind,
  legalTextTitle,
} from "@cabinet/contract/orders/legal-text/legal-text.rules.ts";
import type { WebPageSetting } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import Input from "antd/es/input";
import { useState } from "react";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { DetailDrawer, Facts } from "../../../ui/display/detail-drawer.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { counted } from "../../../ui/form/counted.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { DataTable } from "../../../ui/list/data-table.tsx";

type Shown = LegalText & { isInForce: boolean };

const nameOf = ({ kind, version }: LegalText) => `${legalTextTitle[kind]}第 ${version} 版`;

const columns: Column<Shown>[] = [
  { key: "kind", title: "协议", width: 176, value: nameOf },
  {
    key: "isInForce",
    title: "状态",
    width: 136,
    value: stateOf,
    render: (text) => <Status tone={text.isInForce ? "good" : "quiet"}>{stateOf(text)}</Status>,
  },
  {
    key: "publishedAt",
    title: "发布时间",
    width: 176,
    value: ({ publishedAt }) => formatDateTime(publishedAt),
  },
  { key: "publishedBy", title: "发布人", width: 144 },
  { key: "consents", title: "同意人数", width: 112 },
];

function stateOf({ isInForce, isOfPlatform }: Shown): string {
  if (isOfPlatform) return "现行（平台）";
  return isInForce ? "现行" : "旧版";
}

export function LegalTexts({ setting: { tenantId, tenantName } }: { setting: WebPageSetting }) {
  const mayWrite = usePermission("web-page:write");
  const answer = useCall(legalTextContract.list, { query: { tenantId } });
  const [opened, setOpened] = useState<LegalText | null>(null);
  const [edited, setEdited] = useState<LegalTextKind | null>(null);
  const { data: texts } = answer;
  const newest = new Map<LegalTextKind, LegalText>();
  for (const text of texts ?? []) if (!newest.has(text.kind)) newest.set(text.kind, text);
  const rows = texts?.map((text) => ({ ...text, isInForce: newest.get(text.kind) === text }));
  return (
    <div className="web-page-stickers">
      <p className="web-page-note">
        登录网页版要先勾选同意；发布新版本后，用户下次存件前重新同意，取件不受影响
      </p>
      {mayWrite && texts && (
        <div className="web-page-tools">
          {LEGAL_TEXT_KINDS.map((kind) => (
            <Button key={kind} onClick={() => setEdited(kind)}>
              发布{legalTextTitle[kind]}
            </Button>
          ))}
        </div>
      )}
      {!rows ? (
        <AnswerState answer={answer} />
      ) : rows.length === 0 ? (
        <p className="web-page-note">尚未发布，登录时不出现勾选</p>
      ) : (
        <DataTable<Shown>
          label="协议"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          expectedRows={2}
          onOpen={setOpened}
        />
      )}
      <DetailDrawer
        open={opened !== null}
        title={opened ? nameOf(opened) : ""}
        onClose={() => setOpened(null)}
      >
        {opened && <TextDetail text={opened} tenantId={tenantId} />}
      </DetailDrawer>
      {edited && texts && (
        <PublishDrawer
          kind={edited}
          owner={{ tenantId, tenantName }}
          newest={newest.get(edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}

function useText(text: LegalText | undefined, tenantId: number) {
  return useCall(
    legalTextContract.get,
    { params: { id: text?.id ?? 1 }, query: { tenantId } },
    { enabled: text !== undefined },
  );
}

function TextDetail({ text, tenantId }: { text: LegalText; tenantId: number }) {
  const answer = useText(text, tenantId);
  const { publishedAt, publishedBy, consents } = text;
  return (
    <>
      <Facts
        facts={[
          ["发布", `${formatDateTime(publishedAt)}${publishedBy && `，${publishedBy}`}`],
          ["同意人数", `${consents} 人`],
        ]}
      />
      {answer.data ? (
        <p className="web-page-legal">{answer.data.body}</p>
      ) : (
        <AnswerState answer={answer} />
      )}
    </>
  );
}

interface PublishDrawerProps {
  kind: LegalTextKind;
  owner: { tenantId: number; tenantName: string };
  newest: LegalText | undefined;
  onClose: () => void;
}

/** Begins with the text in force, the platform's where the tenant has none. */
function PublishDrawer({ kind, owner, newest, onClose }: PublishDrawerProps) {
  const { tenantId, tenantName } = owner;
  // Keeps the version it was opened with: a later fetch must not defeat optimistic locking.
  const [opened] = useState(newest);
  const answer = useText(opened, tenantId);
  const publish = useWrite(legalTextContract.publish);
  const title = legalTextTitle[kind];
  const editVersion = opened && !opened.isOfPlatform ? opened.version : 0;
  if (opened && !answer.data) {
    return (
      <DetailDrawer open title={`发布${title}`} onClose={onClose}>
        <AnswerState answer={answer} />
      </DetailDrawer>
    );
  }
  return (
    <FormDrawer
      open
      title={`发布${title}：${tenantName}`}
      width={720}
      schema={LegalTextDraft}
      fields={fields}
      initial={{ body: answer.data?.body ?? "" }}
      draft={`legal-text ${tenantId} ${kind}`}
      submitText={`发布第 ${editVersion + 1} 版`}
      submit={async ({ body }) => {
        const { version } = await publish.mutateAsync({
          body: { kind, body, editVersion, tenantId },
        });
        toast.success(`${title}第 ${version} 版已发布`);
      }}
      onClose={onClose}
    />
  );
}

const fields: FieldOf<typeof LegalTextDraft>[] = [
  {
    name: "body",
    label: "正文",
    control: <Input.TextArea rows={14} count={counted(LEGAL_TEXT_MAX)} />,
    hint: "纯文本，换行和空行照原样显示；发布后不能修改，只能再发布新版本",
  },
];
