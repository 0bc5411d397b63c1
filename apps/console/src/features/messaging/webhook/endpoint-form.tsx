// Form of a webhook endpoint: URL, events, and the application whose orders they concern.

import { Strict, TenantId } from "@cabinet/contract/kit/fields.ts";
import {
  EndpointDraft,
  type IssuedWebhookSecret,
  type WebhookEndpoint,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { ORDER_EVENTS } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import Input from "antd/es/input";
import { useState } from "react";
import { type Static, Type } from "typebox";
import { TenantSelect } from "../../../domain/tenant/tenant-select.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import { OneSelect, type OneSelectProps } from "../../../ui/form/one-select.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { EventInput } from "./event-input.tsx";

const Form = Strict({
  ...EndpointDraft.properties,
  appId: Type.Optional(EndpointDraft.properties.appId),
  tenantId: Type.Optional(TenantId),
});
type Form = Static<typeof Form>;

/** Null: the form is closed. `new`: an endpoint to be created. */
export type Editing = WebhookEndpoint | "new" | null;

interface EndpointFormProps {
  editing: Editing;
  onClose: () => void;
  /** Called with the new secret, which is shown exactly once. */
  onCreated: (issued: IssuedWebhookSecret) => void;
}

export function EndpointForm({ editing, onClose, onCreated }: EndpointFormProps) {
  // Keeps the edited endpoint's name during the closing animation.
  const [shown, setShown] = useState<Exclude<Editing, null>>("new");
  if (editing && editing !== shown) setShown(editing);
  const { tenantId: ownId } = useSignedIn();
  const isPlatform = useIsPlatform();
  const mayChooseApp = usePermission("open-app:read");
  const [chosenId, setChosenId] = useState(ownId);
  const create = useWrite(webhookContract.create);
  const update = useWrite(webhookContract.update);
  const endpoint = shown === "new" ? null : shown;
  const tenantId = endpoint?.tenantId ?? chosenId;

  const submit = async ({ tenantId: _, appId = null, ...rest }: Form) => {
    const body = { ...rest, name: rest.name.trim(), url: rest.url.trim(), appId };
    if (endpoint) {
      const { id, editVersion } = endpoint;
      const kept = { ...body, appId: endpoint.appId, editVersion };
      await update.mutateAsync({ params: { id }, body: kept });
      toast.success(`回调地址“${body.name}”已保存`);
    } else {
      onCreated(await create.mutateAsync({ body: { ...body, tenantId } }));
    }
  };

  return (
    <FormDrawer
      open={editing !== null}
      title={endpoint ? `编辑回调地址：${endpoint.name}` : "新增回调地址"}
      width={640}
      schema={Form}
      fields={[
        ...(isPlatform && !endpoint ? [tenantField(setChosenId)] : []),
        ...fields,
        ...(mayChooseApp && !endpoint ? [appField(tenantId)] : []),
      ]}
      initial={endpoint ? draftOf(endpoint) : { types: [...ORDER_EVENTS], tenantId: ownId }}
      submit={submit}
      onClose={onClose}
    />
  );
}

function draftOf({ name, url, types }: WebhookEndpoint): Partial<Form> {
  return { name, url, types };
}

const fields: FieldOf<typeof Form>[] = [
  { name: "name", label: "名称", control: <Input placeholder="如：配送平台" /> },
  {
    name: "url",
    label: "回调地址",
    control: <Input inputMode="url" placeholder="https://example.com/callback" />,
    hint: "由第三方提供，须为公网的 https 地址；事件以 POST 送达，10 秒内回应 2xx 即为收到",
  },
  {
    name: "types",
    label: "事件",
    control: <EventInput />,
    problem: (value) => (Array.isArray(value) && value.length > 0 ? null : "请至少选择一个事件"),
  },
];

function tenantField(choose: (tenantId: number) => void): FieldOf<typeof Form> {
  return { name: "tenantId", label: "租户", control: <TenantInput choose={choose} /> };
}

function TenantInput(
  props: Control<number, number | undefined> & { choose: (tenantId: number) => void },
) {
  const { choose, onChange, ...rest } = props;
  return (
    <TenantSelect
      {...rest}
      onChange={(id) => {
        if (id) choose(id);
        onChange?.(id);
      }}
    />
  );
}

function appField(tenantId: number): FieldOf<typeof Form> {
  return {
    name: "appId",
    label: "接口应用",
    control: <AppSelect tenantId={tenantId} />,
    hint: "选择后只接收该应用所下订单的事件，不选则接收全部；保存后不能修改",
  };
}

function AppSelect({
  tenantId,
  ...form
}: Pick<OneSelectProps, "id" | "value" | "onChange"> & { tenantId: number }) {
  const apps = useCall(openAppContract.options, { query: { tenantId } });
  return <OneSelect {...form} answer={apps} placeholder="不限" isOptional />;
}
