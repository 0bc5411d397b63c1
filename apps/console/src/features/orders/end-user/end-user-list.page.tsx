// 用户列表: list of a tenant's riders and recipients, with lock, tag and delete actions.
import {
  type EndUser,
  endUserContract,
} from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import {
  endUserStateText,
  leftoverTexts,
  MOST_TAGS,
} from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { tagContract } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import { useState } from "react";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { personText } from "../../../domain/person-text.ts";
import { type OfTenant, tenantChoiceFilter } from "../../../domain/tenant/tenant-choice-filter.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { toast } from "../../../kit/feedback.ts";
import { pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermissions } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, phoneFilter, textFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { endUserChanged } from "./end-user-changed.ts";
import { endUserColumns, lockText } from "./end-user-columns.tsx";
import { EndUserDetail } from "./end-user-detail.tsx";
import { LockDialog } from "./lock-dialog.tsx";
import { AssignTagsDialog, UserTagsDialog } from "./tag-dialogs.tsx";
import "./end-user.css";

const OPTIONS_STALE_MS = 60_000;

function useTagChoices(query: OfTenant) {
  const isPlatform = useIsPlatform();
  const tags = useCall(
    tagContract.list,
    { query: { page: 1, pageSize: MOST_TAGS, ...query } },
    { staleTime: OPTIONS_STALE_MS },
  );
  return tags.data?.list.map(({ id, name, tenantName }) => ({
    value: id,
    label: isPlatform && !query.tenantId ? `${name}（${tenantName}）` : name,
  }));
}

const filters = [
  phoneFilter(),
  textFilter("name", "姓名"),
  choiceFilter("state", "状态", choicesOf(endUserStateText)),
  tenantChoiceFilter("tagId", "标签", useTagChoices),
  choiceFilter("hasBalance", "余额", [
    { value: true, label: "有余额" },
    { value: false, label: "无余额" },
  ]),
  choiceFilter("hasGoods", "在柜物品", [
    { value: true, label: "有物品在柜" },
    { value: false, label: "无物品在柜" },
  ]),
  timeRangeFilter(["from", "to"], "注册时间"),
];

export const prefetch = listPrefetch(endUserContract.list);

export default function EndUserListPage() {
  const { texts, filter } = useListState();
  const may = usePermissions();
  const { ask, dialog } = useAction();
  const [locking, setLocking] = useState<EndUser | null>(null);
  const [tagging, setTagging] = useState<EndUser | null>(null);
  const [assigning, setAssigning] = useState<{ users: EndUser[]; clear: () => void } | null>(null);
  const lock = useWrite(endUserContract.lock, endUserChanged);
  const remove = useWrite(endUserContract.delete, endUserChanged);
  const mayWrite = may("end-user:write");

  const askUnlock = (user: EndUser) =>
    ask({
      title: "解锁用户",
      effect: (
        <>
          <b>{personText(user)}</b> 将可以重新存件和购买套餐。
          <p>锁定原因：{lockText(user)}</p>
        </>
      ),
      confirm: "解锁",
      reasons: ["用户已处理问题", "核实为误锁", "用户来电申请解锁"],
      run: (reason) =>
        lock.mutateAsync({ params: { id: user.id }, query: { lock: false, reason } }),
      done: `已解锁 ${personText(user)}`,
    });

  const askDelete = (user: EndUser) =>
    ask({
      title: "删除用户",
      effect: <DeleteEffect user={user} />,
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: user.id } }),
      done: `已删除 ${personText(user)} 的个人资料`,
    });

  const actionsOf = (user: EndUser): RowAction[] => {
    const isLocked = user.state === "LOCKED";
    const wallet = pathTo(`${sideBase("SINGLE")}/pay/topUp`, { endUserId: user.id });
    const actions = [
      mayWrite &&
        (isLocked
          ? { key: "unlock", label: "解锁", run: () => askUnlock(user) }
          : { key: "lock", label: "锁定", run: () => setLocking(user) }),
      mayWrite && { key: "tags", label: "标签", run: () => setTagging(user) },
      mayWrite && isLocked && { key: "relock", label: "修改锁定", run: () => setLocking(user) },
      may("wallet:read") && { key: "wallet", label: "钱包", to: wallet },
      mayWrite && {
        key: "delete",
        label: "删除",
        isDanger: true,
        run: () => askDelete(user),
      },
    ];
    return actions.filter((action) => action !== false);
  };

  const assign = (users: EndUser[], clear: () => void) => {
    const isOneTenant = new Set(users.map(({ tenantId }) => tenantId)).size === 1;
    if (isOneTenant) setAssigning({ users, clear });
    else toast.info("所选用户属于不同租户，请按租户分别加标签");
  };

  return (
    <>
      <ListPage
        title="用户列表"
        heading={<ViewSwitch />}
        spec={endUserContract.list}
        filters={filters}
        columns={endUserColumns}
        rowKey={(user) => user.id}
        toolbar={
          texts.endUserId && (
            <button type="button" className="ui-link" onClick={() => filter({ endUserId: "" })}>
              只看一个用户，查看全部
            </button>
          )
        }
        batch={
          mayWrite &&
          ((users: EndUser[], clear: () => void) => (
            <Button onClick={() => assign(users, clear)}>加标签</Button>
          ))
        }
        actions={{ width: 132, of: personText, list: actionsOf }}
        detail={{
          title: personText,
          body: (user) => <EndUserDetail key={user.id} id={user.id} user={user} />,
        }}
        emptyHint="骑手或取件人第一次登录小程序，或有人给他们存件后，会出现在这里"
      />
      {dialog}
      <LockDialog user={locking} onClose={() => setLocking(null)} />
      <UserTagsDialog user={tagging} onClose={() => setTagging(null)} />
      <AssignTagsDialog
        users={assigning?.users ?? null}
        onDone={() => assigning?.clear()}
        onClose={() => setAssigning(null)}
      />
    </>
  );
}

/** Explains what deletion erases and keeps, and lists what blocks it before the user confirms. */
function DeleteEffect({ user }: { user: EndUser }) {
  const { data } = useCall(endUserContract.get, { params: { id: user.id } });
  const left = data ? leftoverTexts(data.leftovers) : [];
  return (
    <>
      <b>{personText(user)}</b>{" "}
      的姓名、手机号、微信绑定、标签、备注和短信内容将被清除，不能恢复；其订单、交易记录保留，显示为“已注销用户”。此手机号以后再登录是新用户。
      {left.length > 0 && (
        <>
          <p>现在还不能删除，请先处理：</p>
          <ul className="end-user-left">
            {left.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
