// Actions on a role: edit, choose members, copy, delete.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { type Role, roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { pathTo } from "../../../kit/paths.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { aboveScope } from "./role-text.ts";

/** Queries to invalidate after a change of roles, including the user's own menu. */
export const roleChanged = { invalidates: [accessContract.menu] };

interface RoleDialogs {
  onMembers: (role: Role) => void;
  onCopy: (role: Role) => void;
}

export function useRoleActions({ onMembers, onCopy }: RoleDialogs) {
  const { ask, dialog } = useAction();
  const remove = useWrite(roleContract.delete, roleChanged);

  const askDelete = (role: Role) =>
    ask({
      title: "删除角色",
      effect: <DeleteEffect role={role} />,
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: role.id }, query: { members: role.members } }),
      done: `角色“${role.name}”已删除`,
    });

  const actionsOf = (role: Role): RowAction[] => {
    const blocked = aboveScope(role);
    return [
      { key: "edit", label: "编辑", to: pathTo("/set/role?view=edit", { id: role.id }) },
      { key: "members", label: "成员", blocked, run: () => onMembers(role) },
      { key: "copy", label: "复制", blocked, run: () => onCopy(role) },
      { key: "delete", label: "删除", blocked, isDanger: true, run: () => askDelete(role) },
    ];
  };
  return { actionsOf, dialog };
}

const NAMED = 8;

/** Lists the members who lose the role. */
function DeleteEffect({ role }: { role: Role }) {
  const detail = useCall(roleContract.get, { params: { id: role.id } });
  const names = detail.data?.people.map(({ displayName }) => displayName) ?? [];
  return (
    <>
      角色<b>“{role.name}”</b>将被删除，不能恢复。
      {role.members > 0 && (
        <p>
          {role.members} 名成员会立即失去它的权限
          {names.length > 0 &&
            `：${names.slice(0, NAMED).join("、")}${names.length > NAMED ? "等" : ""}`}
          。
        </p>
      )}
      {role.defaultFor !== null && <p>它是新建账号时默认选择的角色，删除后须另选。</p>}
    </>
  );
}
