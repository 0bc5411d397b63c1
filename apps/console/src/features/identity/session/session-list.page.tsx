// 在线会话: list of console sessions with their addresses, and forced sign-out.
import {
  type OnlineSession,
  sessionContract,
} from "@cabinet/contract/identity/session/session.contract.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { textFilter } from "../../../ui/list/filters.tsx";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";

const filters = [
  textFilter("username", "账号", "账号或姓名"),
  textFilter("address", "登录地址", "IP 或其前段"),
];

const reasons = ["账号可能被他人使用", "人员已离职", "安全检查"];

/** Reason why the session cannot be ended from here; undefined if it can. */
function blockedOf({ isOwn, isManageable }: OnlineSession): string | undefined {
  if (isOwn) return "这是您正在使用的会话，请用右上角的“退出登录”";
  return isManageable ? undefined : "该账号的权限或负责的门店超出您的，不能由您强制下线";
}

/** Mark of the account's own session or of an impersonation. */
function markOf({ isOwn, visitedTenantName }: OnlineSession): string | null {
  if (isOwn) return "当前会话";
  return visitedTenantName && `正在查看 ${visitedTenantName}`;
}

const columns: Column<OnlineSession>[] = [
  { key: "username", title: "账号", width: 144 },
  { key: "displayName", title: "姓名", width: 112 },
  {
    key: "lastSeenAt",
    title: "最近活动",
    ...timeWidth,
    value: (row) => formatDateTime(row.lastSeenAt),
    render: (row) => <Age time={row.lastSeenAt} />,
  },
  timeColumn("createdAt", "登录时间"),
  { key: "address", title: "登录地址", width: 140 },
  { key: "device", title: "设备", width: 168 },
  {
    key: "mark",
    title: "说明",
    width: 148,
    value: markOf,
    render: (row) =>
      markOf(row) === null ? (
        <CellText>{null}</CellText>
      ) : (
        <Status tone={row.isOwn ? "good" : "waiting"} title={markOf(row) ?? ""}>
          {markOf(row)}
        </Status>
      ),
  },
];

export const prefetch = listPrefetch(sessionContract.list);

export default function SessionListPage() {
  const mayEnd = usePermission("session:write");
  const { ask, dialog } = useAction();
  const end = useWrite(sessionContract.end);
  const askEnd = (row: OnlineSession) =>
    ask({
      title: "强制下线",
      effect: (
        <>
          账号<b>“{row.username}”</b>在 {row.address ?? "未知地址"}（{row.device}
          ）上的会话将立即结束，未保存的内容会丢失。该账号仍可用密码重新登录；要阻止登录，请停用账号或重置密码。
        </>
      ),
      confirm: "强制下线",
      isDanger: true,
      reasons,
      run: (reason) => end.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: `账号“${row.username}”的会话已结束`,
    });
  return (
    <>
      <ListPage
        title="在线会话"
        heading={<ViewSwitch />}
        spec={sessionContract.list}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.id}
        actions={
          mayEnd && {
            width: 96,
            of: (row) => row.username,
            list: (row) => [
              {
                key: "end",
                label: "强制下线",
                isDanger: true,
                blocked: blockedOf(row),
                run: () => askEnd(row),
              },
            ],
          }
        }
        detail={{
          title: (row) => `${row.displayName} 的会话`,
          body: (row) => <SessionFacts session={row} />,
        }}
        emptyHint="30 分钟内有操作的登录会显示在这里"
      />
      {dialog}
    </>
  );
}

function SessionFacts({ session }: { session: OnlineSession }) {
  return (
    <>
      <DrawerSection title="详情">
        <Facts
          facts={[
            ["账号", session.username],
            ["姓名", session.displayName],
            ["租户", session.tenantName],
            ["说明", markOf(session)],
            ["登录时间", formatDateTime(session.createdAt)],
            ["最近活动", formatDateTime(session.lastSeenAt)],
            ["最迟失效", formatDateTime(session.expiresAt)],
            ["登录地址", session.address],
            ["设备", session.device],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="浏览器标识">
        <p>{session.userAgent || "没有提供"}</p>
      </DrawerSection>
    </>
  );
}
