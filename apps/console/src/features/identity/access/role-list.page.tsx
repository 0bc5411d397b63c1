// 角色管理: roles with their grants and members.
import { type Role, roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { storeScopeText } from "@cabinet/contract/identity/access/role.rules.ts";
import { useState } from "react";
import { ListPage } from "../../../domain/list-page.tsx";
import { useNavigate } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { Button } from "../../../ui/display/button.tsx";
import { choiceFilter, choicesOf, textFilter } from "../../../ui/list/filters.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useRoleActions } from "./role-actions.tsx";
import { roleColumns } from "./role-columns.tsx";
import { RoleCopy } from "./role-copy.tsx";
import { RoleDetail } from "./role-detail.tsx";
import { RoleMembers } from "./role-members.tsx";

const filters = [
  textFilter("keyword", "角色", "名称或备注"),
  choiceFilter("storeScope", "门店范围", choicesOf(storeScopeText)),
];

export const prefetch = listPrefetch(roleContract.list);

export default function RoleListPage() {
  const mayWrite = usePermission("role:write");
  const navigate = useNavigate();
  const [joining, setJoining] = useState<Role | null>(null);
  const [copying, setCopying] = useState<Role | null>(null);
  const { actionsOf, dialog } = useRoleActions({ onMembers: setJoining, onCopy: setCopying });
  return (
    <>
      <ListPage
        title="角色管理"
        spec={roleContract.list}
        filters={filters}
        columns={roleColumns}
        rowKey={(role) => role.id}
        toolbar={
          mayWrite && (
            <Button type="primary" onClick={() => void navigate("/set/role?view=edit")}>
              新增角色
            </Button>
          )
        }
        actions={mayWrite && { width: 148, of: (role) => role.name, list: actionsOf }}
        detail={{
          title: (role) => role.name,
          body: (role) => <RoleDetail role={role} />,
        }}
        emptyHint="新增角色并加入成员后，成员可使用角色授予的功能"
      />
      <RoleMembers role={joining} onClose={() => setJoining(null)} />
      <RoleCopy role={copying} onClose={() => setCopying(null)} />
      {dialog}
    </>
  );
}
