// 新增问题 and, with `?id=`, 编辑问题.
import {
  type FaqDetail,
  FaqDraft,
  faqContract,
} from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { faqAudienceText } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Switch from "antd/es/switch";
import { useState } from "react";
import { Type } from "typebox";
import { TenantSelect, type TenantSelectProps } from "../../../domain/tenant/tenant-select.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { EditPage } from "../../../ui/display/one-record.tsx";
import { counted } from "../../../ui/form/counted.ts";
import { FormPage } from "../../../ui/form/form-frames.tsx";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { RichTextInput, richTextProblem } from "../../../ui/rich-text/rich-text-input.tsx";
import "../../../ui/display/basics.css";
import "./faq.css";

const list = { path: "/faq/index", title: "问题列表" } as const;
const MOST_CATEGORIES = 100;
const PLATFORM_TENANT_ID = 1;

/** A new question's category decides on its tenant. */
const NewFaqForm = Type.Object({ tenantId: Type.Integer(), ...FaqDraft.properties });

function useFaqFields(tenantId: number): FieldOf<typeof FaqDraft>[] {
  const categories = useCall(faqContract.categories, {
    query: { page: 1, pageSize: MOST_CATEGORIES, tenantId },
  });
  const named = categories.data?.list.map(({ id, name, audience }) => ({
    id,
    name: tenantId === PLATFORM_TENANT_ID ? `${name}（${faqAudienceText[audience]}）` : name,
  }));
  return [
    {
      name: "question",
      label: "问题",
      control: <Input count={counted()} placeholder="用户会怎么问，如：忘记取件码怎么办？" />,
      isWide: true,
    },
    {
      name: "categoryId",
      label: "分类",
      control: (
        <OneSelect
          answer={{ data: named, isLoading: categories.isLoading }}
          placeholder="请选择分类"
        />
      ),
      ...(named?.length === 0 && { hint: "暂无分类，请先在“问题列表 › 分类”中新增" }),
    },
    {
      name: "isOn",
      label: "启用",
      control: <Switch />,
      valueName: "checked",
      hint: "停用后用户看不到",
    },
    {
      name: "answer",
      label: "回答",
      control: <RichTextInput label="回答" upload={faqContract.upload} tenantId={tenantId} />,
      problem: richTextProblem,
      isWide: true,
    },
  ];
}

export default function FaqEditPage() {
  return (
    <EditPage
      noun="问题"
      spec={faqContract.get}
      list={list}
      create={<NewFaq />}
      edit={(fetched) => <EditFaq fetched={fetched} />}
    />
  );
}

function NewFaq() {
  const isPlatform = useIsPlatform();
  const session = useSignedIn();
  const [tenantId, setTenantId] = useState(session.tenantId);
  const fields = useFaqFields(tenantId);
  const create = useWrite(faqContract.create);
  return (
    <FormPage
      title="新增问题"
      backTo={list.path}
      schema={NewFaqForm}
      fields={isPlatform ? [tenantField, ...fields] : fields}
      initial={{ tenantId: session.tenantId, isOn: true }}
      onValues={(values) => setTenantId(values.tenantId ?? session.tenantId)}
      submitText="新增"
      submit={async ({ tenantId: _, ...body }) => {
        await create.mutateAsync({ body });
        toast.success(`“${body.question.trim()}”已新增`);
      }}
    />
  );
}

const tenantField: FieldOf<typeof NewFaqForm> = {
  name: "tenantId",
  label: "租户",
  control: <FaqTenant />,
  isWide: true,
};

/** Tenant input; a change clears the category, since a category belongs to one tenant. */
function FaqTenant(props: TenantSelectProps) {
  const form = Form.useFormInstance();
  return (
    <TenantSelect
      {...props}
      onChange={(chosen) => {
        form.setFieldValue("categoryId", undefined);
        props.onChange?.(chosen);
      }}
    />
  );
}

/** Keeps the `editVersion` it was opened with: a later fetch must not defeat optimistic locking. */
function EditFaq({ fetched }: { fetched: FaqDetail }) {
  const [faq] = useState(fetched);
  const { id, question, answer, categoryId, isOn, editVersion } = faq;
  const fields = useFaqFields(faq.tenantId);
  const update = useWrite(faqContract.update);
  return (
    <FormPage
      title={`编辑问题：${question}`}
      backTo={list.path}
      schema={FaqDraft}
      fields={fields}
      initial={{ question, answer, categoryId, isOn }}
      submit={async (values) => {
        await update.mutateAsync({ params: { id }, body: { ...values, editVersion } });
        toast.success(`“${values.question.trim()}”已保存`);
      }}
    />
  );
}
