// Columns of the role list.
import type { Role, roleContract } from "@cabinet/contract/identity/access/role.contract.ts";
import { storeScopeText } from "@cabinet/contract/identity/access/role.rules.ts";
import { formatNumber } from "../../../kit/format.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import { grantsText, storesText } from "./role-text.ts";
import "./role.css";

type RoleColumn = ColumnOf<typeof roleContract.list>;

const nameColumn: RoleColumn = {
  key: "name",
  title: "角色名称",
  width: 168,
  sort: "name",
  render: (row) => <RoleName role={row} />,
};

export const roleColumns: RoleColumn[] = [
  nameColumn,
  {
    key: "storeScope",
    title: "门店范围",
    width: 176,
    exportWidth: 36,
    value: storesText,
    render: (row) => (
      <span className="ui-cell-text" title={storesText(row)}>
        {row.storeScope === "LISTED"
          ? `${storeScopeText.LISTED}（${row.stores.length} 家）`
          : storeScopeText[row.storeScope]}
      </span>
    ),
  },
  { key: "grants", title: "功能权限", width: 152, value: grantsText },
  {
    key: "members",
    title: "成员",
    width: 72,
    align: "right",
    sort: "members",
    render: (row) => formatNumber(row.members),
  },
  { key: "remark", title: "备注", width: 180, exportWidth: 36 },
  timeColumn("editedAt", "最近修改", { sort: "editedAt" }),
  {
    key: "editedBy",
    title: "修改人",
    width: 96,
    isSecondary: true,
    value: (row) => row.editedBy || null,
  },
];

function RoleName({ role }: { role: Role }) {
  return (
    <>
      {role.name}
      {role.defaultFor !== null && (
        <small className="role-default" title="新建账号时默认选择的角色">
          默认
        </small>
      )}
    </>
  );
}
