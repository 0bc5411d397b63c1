// Details of a role: stores, grants, members.
import { type Role, roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { DrawerRow } from "../../../ui/list/drawer-list.tsx";
import { RoleGrants } from "./role-grants.tsx";
import { accountKindText, storesText } from "./role-text.ts";
import "../../../ui/display/basics.css";

export function RoleDetail({ role }: { role: Role }) {
  const answer = useCall(roleContract.get, { params: { id: role.id } });
  const offered = useCall(roleContract.grantable, { query: { tenantId: role.tenantId } });
  const error = answer.error ?? offered.error;
  if (error && !(answer.data && offered.data)) {
    const retry = () => void Promise.all([answer.refetch(), offered.refetch()]);
    return <ErrorState error={error} onRetry={retry} />;
  }
  const people = answer.data?.people;
  return (
    <>
      <DrawerSection title="基本信息">
        <Facts facts={factsOf(role)} />
      </DrawerSection>
      <DrawerSection title={people ? `成员（${people.length}）` : "成员"}>
        {!people && <p className="ui-cell-none">正在加载…</p>}
        {people?.length === 0 && <p className="ui-cell-none">暂无成员，可用“成员”加入账号</p>}
        <ul className="ui-drawer-rows">
          {people?.map((person) => (
            <DrawerRow
              key={person.id}
              name={
                <>
                  {person.displayName} <small>{person.username}</small>
                </>
              }
              state={
                <>
                  {person.isDisabled && <Status tone="quiet">已停用</Status>}{" "}
                  {accountKindText[person.userType]}
                </>
              }
            />
          ))}
        </ul>
      </DrawerSection>
      <DrawerSection title="功能权限">
        {answer.data && offered.data ? (
          <RoleGrants tree={offered.data.tree} entryIds={answer.data.entryIds} />
        ) : (
          <p className="ui-cell-none">正在加载…</p>
        )}
      </DrawerSection>
    </>
  );
}

function factsOf(role: Role): DescriptionItem[] {
  return [
    ["租户", role.tenantName],
    ["门店范围", storesText(role)],
    ["两步验证", role.needsSecondFactor ? "成员登录时要求" : "不要求"],
    ["备注", role.remark || null],
    ["最近修改", `${formatDateTime(role.editedAt)}${role.editedBy ? `，${role.editedBy}` : ""}`],
  ];
}
