// 回调地址: webhook endpoints of third parties; create, test, pause, rotate secrets, replay.
import {
  type IssuedWebhookSecret,
  type WebhookEndpoint,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { endpointStateText } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import {
  WEBHOOK_EVENTS,
  webhookEventText,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { useState } from "react";
import { useAppFilter } from "../../../domain/app-filter.ts";
import { ShownKeyDialog } from "../../../domain/key/issue-key.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { useAskedNew } from "../../../ui/list/use-asked-new.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useEndpointActions } from "./endpoint-actions.tsx";
import { endpointColumns } from "./endpoint-columns.tsx";
import { EndpointDetail } from "./endpoint-detail.tsx";
import { type Editing, EndpointForm } from "./endpoint-form.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { RotateDialog, shownOf } from "./rotate-dialog.tsx";
import "./webhook.css";

const filters = [
  textFilter("keyword", "名称/地址", "输入名称或地址"),
  choiceFilter("state", "状态", choicesOf(endpointStateText)),
  choiceFilter(
    "type",
    "事件",
    WEBHOOK_EVENTS.map((type) => ({ value: type, label: webhookEventText[type] })),
  ),
];

export const prefetch = listPrefetch(webhookContract.endpoints);

export default function EndpointListPage() {
  const mayWrite = usePermission("callback:write");
  const mayReplay = usePermission("callback:replay");
  const [editing, setEditing] = useState<Editing>(null);
  useAskedNew(() => setEditing("new"));
  const [rotating, setRotating] = useState<WebhookEndpoint | null>(null);
  const [replaying, setReplaying] = useState<WebhookEndpoint | null>(null);
  const [issued, setIssued] = useState<IssuedWebhookSecret | null>(null);

  const { actionsOf, dialog } = useEndpointActions({
    edit: setEditing,
    rotate: setRotating,
    replay: setReplaying,
    showIssued: setIssued,
  });

  return (
    <>
      <ListPage
        title="回调地址"
        heading={<ViewSwitch />}
        spec={webhookContract.endpoints}
        filters={[...filters, ...useAppFilter()]}
        columns={endpointColumns}
        rowKey={({ id }) => id}
        live="callback"
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => setEditing("new")}>
              新增回调地址
            </Button>
          )
        }
        actions={
          (mayWrite || mayReplay) && {
            width: 172,
            of: (endpoint) => endpoint.name,
            list: actionsOf,
          }
        }
        detail={{
          title: ({ name }) => name,
          body: (endpoint) => <EndpointDetail endpoint={endpoint} />,
        }}
        emptyHint="新增一个地址后，订单与故障的变化会以签名的 HTTPS 请求发给它"
      />
      {dialog}
      <EndpointForm editing={editing} onClose={() => setEditing(null)} onCreated={setIssued} />
      <ReplayDialog endpoint={replaying} onClose={() => setReplaying(null)} />
      <RotateDialog endpoint={rotating} onClose={() => setRotating(null)} />
      <ShownKeyDialog shown={issued && shownOf(issued)} onClose={() => setIssued(null)} />
    </>
  );
}
