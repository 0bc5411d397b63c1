// 回调地址: whom third parties' events are sent to; made, tried, paused, their secrets exchanged, replayed.
import {
  type CallbackEndpoint,
  callbackContract,
  type IssuedCallbackSecret,
} from "@cabinet/contract/callback/callback.contract.ts";
import {
  endpointStateText,
  OVERLAP_HOURS,
  probeResultText,
} from "@cabinet/contract/callback/callback.rules.ts";
import {
  CALLBACK_EVENTS,
  callbackEventText,
} from "@cabinet/contract/callback/callback-event.rules.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useNavigate } from "react-router";
import { formatNumber } from "../../kit/format.ts";
import { useIsPlatform, usePermission } from "../../kit/permission.ts";
import { invalidate, useCall, useWrite } from "../../kit/query.ts";
import { useAction } from "../../ui/action.tsx";
import type { Column } from "../../ui/columns.ts";
import { CellText } from "../../ui/data-table.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../ui/filters.tsx";
import { IssueKey, ShownKeyDialog, type ShownSecret } from "../../ui/issue-key.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { LiveBadge } from "../../ui/live.tsx";
import { type RowAction, RowActions } from "../../ui/row-actions.tsx";
import { Age, Status } from "../../ui/status.tsx";
import { tenantColumn } from "../../ui/tenant-column.ts";
import { CallbackViews } from "../../ui/view-switch.tsx";
import { endpointTone, probeTone } from "./callback-words.ts";
import { EndpointDetail } from "./endpoint-detail.tsx";
import { type Editing, EndpointForm } from "./endpoint-form.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import "./callback.css";

const filters = [
  textFilter("keyword", "名称/地址", "输入名称或地址"),
  choiceFilter("state", "状态", choicesOf(endpointStateText)),
  choiceFilter(
    "type",
    "事件",
    CALLBACK_EVENTS.map((type) => ({ value: type, label: callbackEventText[type] })),
  ),
];

const nameColumn: Column<CallbackEndpoint> = {
  key: "name",
  title: "名称",
  width: 132,
  value: ({ name }) => name,
};

const rest: Column<CallbackEndpoint>[] = [
  {
    key: "url",
    title: "回调地址",
    width: 248,
    exportWidth: 48,
    value: ({ url }) => url,
    render: ({ url }) => <CellText>{url}</CellText>,
  },
  {
    key: "state",
    title: "状态",
    width: 108,
    value: ({ state }) => endpointStateText[state],
    render: ({ state, stateReason }) => (
      <Status tone={endpointTone[state]} title={stateReason}>
        {endpointStateText[state]}
      </Status>
    ),
  },
  {
    key: "types",
    title: "事件",
    width: 84,
    align: "right",
    value: ({ types }) => types.length,
    render: ({ types }) => `${types.length} 种`,
    exports: [
      {
        header: "事件",
        width: 60,
        value: ({ types }) => types.map((type) => callbackEventText[type]).join("、"),
      },
    ],
  },
  {
    key: "app",
    title: "接口应用",
    width: 112,
    isSecondary: true,
    value: ({ appName }) => appName ?? "不限",
  },
  {
    key: "delivered24h",
    title: "24 小时送达",
    width: 108,
    align: "right",
    value: ({ delivered24h }) => delivered24h,
    render: ({ delivered24h }) => formatNumber(delivered24h),
  },
  {
    key: "waiting",
    title: "等待",
    width: 76,
    align: "right",
    value: ({ waiting }) => waiting,
    render: ({ waiting }) => formatNumber(waiting),
  },
  {
    key: "dead",
    title: "投递失败",
    width: 92,
    align: "right",
    value: ({ dead }) => dead,
    render: ({ dead }) => formatNumber(dead),
  },
  {
    key: "lastSuccess",
    title: "最近送达",
    width: 108,
    value: ({ lastSuccessAt }) => lastSuccessAt ?? "",
    render: ({ lastSuccessAt }) => <Age time={lastSuccessAt} />,
  },
  {
    key: "probe",
    title: "签名校验",
    width: 148,
    isSecondary: true,
    value: ({ probeResult }) => (probeResult ? probeResultText[probeResult] : "没有探测"),
    render: ({ probeResult }) =>
      probeResult ? (
        <Status tone={probeTone[probeResult]}>{probeResultText[probeResult]}</Status>
      ) : (
        <span className="ui-cell-none">没有探测</span>
      ),
  },
];

const changed = {
  invalidates: [callbackContract.endpoints, callbackContract.endpoint],
  isQuiet: true,
};

export default function EndpointListPage() {
  const isPlatform = useIsPlatform();
  const mayWrite = usePermission("callback:write");
  const mayReplay = usePermission("callback:replay");
  const navigate = useNavigate();
  const { ask, dialog } = useAction();
  const [editing, setEditing] = useState<Editing>(null);
  const [rotating, setRotating] = useState<CallbackEndpoint | null>(null);
  const [replaying, setReplaying] = useState<CallbackEndpoint | null>(null);
  const [issued, setIssued] = useState<IssuedCallbackSecret | null>(null);
  const enable = useWrite(callbackContract.enable, changed);
  const disable = useWrite(callbackContract.disable, changed);
  const remove = useWrite(callbackContract.remove, changed);
  const rotate = useWrite(callbackContract.rotate, changed);
  const test = useWrite(callbackContract.test, { isQuiet: true });
  const probe = useWrite(callbackContract.probe, { isQuiet: true });

  const openDelivery = ({ deliveryId }: { deliveryId: number }) =>
    void navigate(`/thirdPartApi/record?open=${deliveryId}`);
  const named = ({ name, url }: CallbackEndpoint) => (
    <p>
      回调地址<b>“{name}”</b>（<span className="callback-url">{url}</span>）
    </p>
  );

  const actionsOf = (endpoint: CallbackEndpoint): RowAction[] => {
    const { id, name, state } = endpoint;
    const params = { id };
    const writing: RowAction[] = [
      { key: "edit", label: "编辑", run: () => setEditing(endpoint) },
      {
        key: "test",
        label: "测试发送",
        run: () =>
          ask({
            title: "发送测试回调",
            effect: (
              <>
                {named(endpoint)}
                <p>将收到一条签名正确的 callback.test 事件，不重试；结果显示在调用记录里。</p>
              </>
            ),
            confirm: "发送",
            run: async () => openDelivery(await test.mutateAsync({ params })),
          }),
      },
      {
        key: "probe",
        label: "探测签名校验",
        run: () =>
          ask({
            title: "用错误签名探测",
            effect: (
              <>
                {named(endpoint)}
                <p>将收到一条签名错误的 callback.test 事件。正确的接收方应当拒绝它（4xx）。</p>
              </>
            ),
            confirm: "探测",
            run: async () => openDelivery(await probe.mutateAsync({ params })),
          }),
      },
    ];
    const secrets: RowAction[] = [
      { key: "rotate", label: "轮换密钥", run: () => setRotating(endpoint) },
      {
        key: "replace",
        label: "立即替换密钥",
        isDanger: true,
        run: () =>
          ask({
            title: "立即替换密钥",
            effect: (
              <>
                {named(endpoint)}
                <p>现有密钥立即停用：对方换上新密钥之前，会拒绝收到的回调；这些回调会自动重试。</p>
              </>
            ),
            confirm: "立即替换",
            isDanger: true,
            reasons: ["密钥疑似泄露", "对方人员变动"],
            run: async (reason) =>
              setIssued(await rotate.mutateAsync({ params, body: { overlapHours: 0, reason } })),
          }),
      },
    ];
    const switching: RowAction =
      state === "DISABLED"
        ? {
            key: "enable",
            label: "启用",
            run: () =>
              ask({
                title: "启用回调地址",
                effect: (
                  <>
                    {named(endpoint)}
                    <p>
                      还在等待的会立即发送；停用期间发生的事件没有排队，可在启用后用“重放一段时间”补发。
                    </p>
                  </>
                ),
                confirm: "启用",
                run: () => enable.mutateAsync({ params }),
                done: `“${name}”已启用`,
              }),
          }
        : {
            key: "disable",
            label: "停用",
            isDanger: true,
            run: () =>
              ask({
                title: "停用回调地址",
                effect: (
                  <>
                    {named(endpoint)}
                    <p>不再发送，也不再为它排队新的事件；还在等待的保留到重新启用。</p>
                  </>
                ),
                confirm: "停用",
                isDanger: true,
                reasons: ["对方维护", "对方不再使用", "发送了过多请求"],
                run: (reason) => disable.mutateAsync({ params, body: { reason } }),
                done: `“${name}”已停用`,
              }),
          };
    const removing: RowAction = {
      key: "remove",
      label: "删除",
      isDanger: true,
      run: () =>
        ask({
          title: "删除回调地址",
          effect: (
            <>
              {named(endpoint)}
              <p>
                删除后不能恢复，密钥一并作废
                {endpoint.waiting > 0 &&
                  `；还在等待的 ${formatNumber(endpoint.waiting)} 条不再发送`}
                。已有的回调记录仍可查看。
              </p>
            </>
          ),
          confirm: "删除",
          isDanger: true,
          reasons: ["对方不再使用", "地址填写错误"],
          run: (reason) => remove.mutateAsync({ params, query: { reason } }),
          done: `“${name}”已删除`,
        }),
    };
    const replay: RowAction = {
      key: "replay",
      label: "重放一段时间",
      blocked: state === "DISABLED" ? "回调地址已停用，请先启用" : undefined,
      run: () => setReplaying(endpoint),
    };
    return [
      ...(mayWrite ? writing : []),
      ...(mayReplay ? [replay] : []),
      ...(mayWrite ? [...secrets, switching, removing] : []),
    ];
  };

  return (
    <>
      <ListPage
        title="回调地址"
        heading={<CallbackViews />}
        spec={callbackContract.endpoints}
        filters={filters}
        columns={isPlatform ? [nameColumn, tenantColumn(), ...rest] : [nameColumn, ...rest]}
        rowKey={({ id }) => id}
        freshness={() => (
          <LiveBadge topic="callback" refresh={() => invalidate(callbackContract.endpoints)} />
        )}
        {...(mayWrite && {
          toolbar: (
            <Button type="primary" onClick={() => setEditing("new")}>
              新增回调地址
            </Button>
          ),
        })}
        {...((mayWrite || mayReplay) && {
          actions: {
            width: 172,
            render: (endpoint: CallbackEndpoint) => (
              <RowActions of={endpoint.name} actions={actionsOf(endpoint)} />
            ),
          },
        })}
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

function shownOf({ name, secret }: IssuedCallbackSecret): ShownSecret {
  return { facts: [["回调地址", name]], secret };
}

function RotateDialog({
  endpoint,
  onClose,
}: {
  endpoint: CallbackEndpoint | null;
  onClose: () => void;
}) {
  const rotate = useWrite(callbackContract.rotate, changed);
  // It stays named while the dialog closes.
  const [shown, setShown] = useState(endpoint);
  if (endpoint && endpoint !== shown) setShown(endpoint);
  const { data } = useCall(
    callbackContract.endpoint,
    { params: { id: shown?.id ?? 0 } },
    { enabled: endpoint !== null, isQuiet: true },
  );
  if (!shown || !data) return null;
  const hints = data.secrets.map(({ hint }) => `whsec_…${hint}`);
  return (
    <IssueKey
      open={endpoint !== null}
      owner={
        <>
          回调地址<b>“{shown.name}”</b>
        </>
      }
      what="签名密钥"
      kids={hints}
      defaultHours={OVERLAP_HOURS}
      issue={(overlapHours) =>
        rotate.mutateAsync({ params: { id: shown.id }, body: { overlapHours } })
      }
      show={(made) => ({
        ...shownOf(made),
        previous: {
          kid: hints[0] ?? "",
          expiresAt: made.previousExpiresAt,
          effect: "此前每条回调同时带有新旧两个签名。",
        },
      })}
      onClose={onClose}
    />
  );
}
