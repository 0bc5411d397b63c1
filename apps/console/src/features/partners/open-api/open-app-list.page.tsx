// 接口应用: list of third-party applications; issues, rotates and revokes their keys.
import {
  keyStateText,
  MAX_ACTIVE_SECRETS,
  OVERLAP_HOURS,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import {
  type OpenApp,
  openAppContract,
} from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { openAppStateText } from "@cabinet/contract/vocabulary/open-app.rules.ts";
import { useState } from "react";
import { IssueKey } from "../../../domain/key/issue-key.tsx";
import { activeKeys } from "../../../domain/key/key-text.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { useLast } from "../../../ui/display/use-last.ts";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { openAppColumns } from "./open-app-columns.tsx";
import { OpenAppDetail } from "./open-app-detail.tsx";
import { OpenAppForm } from "./open-app-form.tsx";

const filters = [
  textFilter("keyword", "名称/编号", "输入名称或编号"),
  choiceFilter("state", "状态", choicesOf(openAppStateText)),
  choiceFilter("keyState", "密钥状态", choicesOf(keyStateText)),
];

export const prefetch = listPrefetch(openAppContract.list);

export default function OpenAppListPage() {
  const mayWrite = usePermission("open-app:write");
  const { ask, dialog } = useAction();
  const [edited, setEdited] = useState<OpenApp | "NEW" | null>(null);
  const [issuing, setIssuing] = useState<OpenApp | null>(null);
  const disable = useWrite(openAppContract.disable);
  const enable = useWrite(openAppContract.enable);
  const revoke = useWrite(openAppContract.revoke);

  const askDisable = (app: OpenApp) =>
    ask({
      title: "停用应用",
      effect: (
        <p>
          应用 <b>“{app.name}”</b>{" "}
          的请求立即不再接受，包括查询和开门；它的回调地址也不再收到事件。它已创建的订单不受影响，取件人仍可凭码取件。
        </p>
      ),
      confirm: "停用",
      isDanger: true,
      reasons: ["合作结束", "密钥疑似泄露", "第三方程序异常"],
      run: (reason) => disable.mutateAsync({ params: { id: app.id }, body: { reason } }),
      done: `应用“${app.name}”已停用`,
      undo: () => enable.mutateAsync({ params: { id: app.id } }),
    });

  const askEnable = (app: OpenApp) =>
    ask({
      title: "启用应用",
      effect: (
        <p>
          应用 <b>“{app.name}”</b>{" "}
          用有效的密钥可以再次调用接口，它的回调地址也继续接收事件；停用期间的事件没有排队，可在回调地址上用“重放一段时间”补发。
        </p>
      ),
      confirm: "启用",
      run: () => enable.mutateAsync({ params: { id: app.id } }),
      done: `应用“${app.name}”已启用`,
    });

  const askRevoke = (app: OpenApp, kid: string, isOnly: boolean) =>
    ask({
      title: "吊销密钥",
      effect: (
        <>
          <p>
            应用 <b>“{app.name}”</b> 的密钥 <b>{kid}</b> 将立即失效，不能恢复。
          </p>
          {isOnly && <p>这是它唯一的有效密钥：换上新密钥前，第三方的请求都会被拒绝。</p>}
        </>
      ),
      confirm: "吊销",
      isDanger: true,
      reasons: ["密钥疑似泄露", "轮换完成，停用旧密钥", "合作结束"],
      run: (reason) => revoke.mutateAsync({ params: { id: app.id }, body: { kid, reason } }),
      done: `密钥 ${kid} 已吊销`,
    });

  const actionsOf = (app: OpenApp): RowAction[] => {
    const active = activeKeys(app.keys);
    const isFull = active.length >= MAX_ACTIVE_SECRETS;
    return [
      {
        key: "issue",
        label: active.length === 0 ? "生成密钥" : "轮换密钥",
        blocked: isFull ? "已有两把有效密钥：请先吊销不用的一把，或等旧密钥失效" : undefined,
        run: () => setIssuing(app),
      },
      { key: "edit", label: "编辑", run: () => setEdited(app) },
      ...active.map(({ kid }) => ({
        key: kid,
        label: `吊销 ${kid}`,
        isDanger: true,
        run: () => askRevoke(app, kid, active.length === 1),
      })),
      app.state === "ENABLED"
        ? { key: "disable", label: "停用", isDanger: true, run: () => askDisable(app) }
        : { key: "enable", label: "启用", run: () => askEnable(app) },
    ];
  };

  return (
    <>
      <ListPage
        title="接口应用"
        heading={<ViewSwitch />}
        spec={openAppContract.list}
        filters={filters}
        columns={openAppColumns}
        rowKey={(app) => app.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => setEdited("NEW")}>
              新增应用
            </Button>
          )
        }
        actions={mayWrite && { width: 168, of: (app) => app.name, list: actionsOf }}
        detail={{
          title: (app) => app.name,
          body: (app) => <OpenAppDetail app={app} />,
        }}
        emptyHint="新增应用并生成密钥后，第三方就可以按签名调用开放接口"
      />
      {dialog}
      <OpenAppForm edited={edited} onClose={() => setEdited(null)} />
      <IssueDialog app={issuing} onClose={() => setIssuing(null)} />
    </>
  );
}

function IssueDialog({ app, onClose }: { app: OpenApp | null; onClose: () => void }) {
  const issue = useWrite(openAppContract.issue);
  const shown = useLast(app);
  if (!shown) return null;
  return (
    <IssueKey
      open={app !== null}
      owner={
        <>
          应用<b>“{shown.name}”</b>
        </>
      }
      what="接口密钥"
      kids={activeKeys(shown.keys).map(({ kid }) => kid)}
      defaultHours={OVERLAP_HOURS}
      issue={(overlapHours) =>
        issue.mutateAsync({ params: { id: shown.id }, body: { overlapHours } })
      }
      show={(issued) => ({
        facts: [
          ["应用", issued.name],
          ["app", <code key="app">{issued.app}</code>],
          ["kid", <code key="kid">{issued.kid}</code>],
        ],
        secret: issued.secret,
        file: {
          name: `${issued.app}-${issued.kid}.json`,
          content: {
            origin: window.location.origin,
            ...{ app: issued.app, kid: issued.kid, secret: issued.secret },
          },
        },
        ...(issued.previousKid && {
          previous: {
            kid: issued.previousKid,
            expiresAt: issued.previousExpiresAt,
            effect: "届时仍用它签名的请求会被拒绝。",
          },
        }),
      })}
      onClose={onClose}
    />
  );
}
