// Actions on a webhook endpoint, with their confirmations.
import {
  type IssuedWebhookSecret,
  type WebhookEndpoint,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import type { ReactNode } from "react";
import { formatNumber } from "../../../kit/format.ts";
import { pathTo, useNavigate } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import "./webhook.css";

/** Forms and dialogs of the page that an action opens. */
interface Opening {
  edit: (endpoint: WebhookEndpoint) => void;
  rotate: (endpoint: WebhookEndpoint) => void;
  replay: (endpoint: WebhookEndpoint) => void;
  showIssued: (issued: IssuedWebhookSecret) => void;
}

export function useEndpointActions(open: Opening): {
  actionsOf: (endpoint: WebhookEndpoint) => RowAction[];
  dialog: ReactNode;
} {
  const mayWrite = usePermission("callback:write");
  const mayReplay = usePermission("callback:replay");
  const { ask, dialog } = useAction();
  const askTry = useTries(ask);
  const askReplace = useReplacing(ask, open.showIssued);
  const askSwitch = useSwitches(ask);

  const actionsOf = (endpoint: WebhookEndpoint): RowAction[] => {
    const isDisabled = endpoint.state === "DISABLED";
    const actions: (RowAction | false)[] = [
      mayWrite && { key: "edit", label: "编辑", run: () => open.edit(endpoint) },
      mayWrite && { key: "test", label: "测试发送", run: () => askTry.test(endpoint) },
      mayWrite && { key: "probe", label: "错误签名测试", run: () => askTry.probe(endpoint) },
      mayReplay && {
        key: "replay",
        label: "按时间段重新推送",
        blocked: isDisabled ? "回调地址已停用，请先启用" : undefined,
        run: () => open.replay(endpoint),
      },
      mayWrite && { key: "rotate", label: "轮换密钥", run: () => open.rotate(endpoint) },
      mayWrite && {
        key: "replace",
        label: "立即替换密钥",
        isDanger: true,
        run: () => askReplace(endpoint),
      },
      mayWrite &&
        (isDisabled
          ? {
              key: "enable",
              label: "启用",
              blocked:
                endpoint.appState === "DISABLED"
                  ? `接口应用“${endpoint.appName}”已停用，请先启用应用`
                  : undefined,
              run: () => askSwitch.enable(endpoint),
            }
          : {
              key: "disable",
              label: "停用",
              isDanger: true,
              run: () => askSwitch.disable(endpoint),
            }),
      mayWrite && {
        key: "remove",
        label: "删除",
        isDanger: true,
        run: () => askSwitch.remove(endpoint),
      },
    ];
    return actions.filter((action) => action !== false);
  };

  return { actionsOf, dialog };
}

type Ask = ReturnType<typeof useAction>["ask"];

/** Test and probe; both lead to the record of the delivery. */
function useTries(ask: Ask) {
  const navigate = useNavigate();
  const test = useWrite(webhookContract.test);
  const probe = useWrite(webhookContract.probe);
  const openDelivery = ({ deliveryId }: { deliveryId: number }) =>
    void navigate(pathTo("/thirdPartApi/record", { open: deliveryId }));
  return {
    test: (endpoint: WebhookEndpoint) =>
      ask({
        title: "发送测试回调",
        effect: effectOn(
          endpoint,
          "将收到一条签名正确的 callback.test 事件，不重试；结果显示在调用记录里。",
        ),
        confirm: "发送",
        run: async () => openDelivery(await test.mutateAsync({ params: { id: endpoint.id } })),
      }),
    probe: (endpoint: WebhookEndpoint) =>
      ask({
        title: "用错误签名测试",
        effect: effectOn(
          endpoint,
          "将收到一条签名错误的 callback.test 事件。正确的接收方应当拒绝它（4xx）。",
        ),
        confirm: "测试",
        run: async () => openDelivery(await probe.mutateAsync({ params: { id: endpoint.id } })),
      }),
  };
}

function useReplacing(ask: Ask, showIssued: Opening["showIssued"]) {
  const rotate = useWrite(webhookContract.rotate);
  return (endpoint: WebhookEndpoint) =>
    ask({
      title: "立即替换密钥",
      effect: effectOn(
        endpoint,
        "现有密钥立即停用：第三方换上新密钥之前，会拒绝收到的回调；这些回调会自动重试。",
      ),
      confirm: "立即替换",
      isDanger: true,
      reasons: ["密钥疑似泄露", "合作方人员变动"],
      run: async (reason) => {
        const body = { overlapHours: 0, reason };
        showIssued(await rotate.mutateAsync({ params: { id: endpoint.id }, body }));
      },
    });
}

function useSwitches(ask: Ask) {
  const enable = useWrite(webhookContract.enable);
  const disable = useWrite(webhookContract.disable);
  const remove = useWrite(webhookContract.remove);
  return {
    enable: (endpoint: WebhookEndpoint) =>
      ask({
        title: "启用回调地址",
        effect: effectOn(
          endpoint,
          "还在等待的会立即发送；停用期间发生的事件没有排队，可在启用后用“按时间段重新推送”补发。",
        ),
        confirm: "启用",
        run: () => enable.mutateAsync({ params: { id: endpoint.id } }),
        done: `“${endpoint.name}”已启用`,
      }),
    disable: (endpoint: WebhookEndpoint) =>
      ask({
        title: "停用回调地址",
        effect: effectOn(endpoint, "不再发送，也不再为它排队新的事件；还在等待的保留到重新启用。"),
        confirm: "停用",
        isDanger: true,
        reasons: ["第三方维护", "第三方不再使用", "发送了过多请求"],
        run: (reason) => disable.mutateAsync({ params: { id: endpoint.id }, body: { reason } }),
        done: `“${endpoint.name}”已停用`,
        undo: () => enable.mutateAsync({ params: { id: endpoint.id } }),
      }),
    remove: (endpoint: WebhookEndpoint) => {
      const { id, name, waiting } = endpoint;
      const lost = waiting > 0 ? `；还在等待的 ${formatNumber(waiting)} 条不再发送` : "";
      ask({
        title: "删除回调地址",
        effect: effectOn(endpoint, `删除后不能恢复，密钥一并作废${lost}。已有的回调记录仍可查看。`),
        confirm: "删除",
        isDanger: true,
        reasons: ["第三方不再使用", "地址填写错误"],
        run: (reason) => remove.mutateAsync({ params: { id }, query: { reason } }),
        done: `“${name}”已删除`,
      });
    },
  };
}

function effectOn({ name, url }: WebhookEndpoint, text: string): ReactNode {
  return (
    <>
      <p>
        回调地址<b>“{name}”</b>（<span className="callback-url">{url}</span>）
      </p>
      <p>{text}</p>
    </>
  );
}
