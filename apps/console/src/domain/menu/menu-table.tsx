// Tree of the menu widget as a table with collapsible rows.
import type { MenuUse } from "@cabinet/contract/identity/access/access.contract.ts";
import { hasMenuTarget, isExternalTarget } from "@cabinet/contract/identity/access/menu.rules.ts";
import { Status } from "../../ui/display/status.tsx";
import { SvgIcon } from "../../ui/display/svg-icon.tsx";
import type { Tone } from "../../ui/display/tone.rules.ts";
import { RowActions } from "../../ui/list/row-actions.tsx";
import type { Editing } from "./menu-form.tsx";
import { canBeDeleted, type FlatEntry } from "./menu-tree.rules.ts";
import "../../ui/display/basics.css";
import "../../ui/list/data-table.css";
import "./menu-table.css";

const entryTone: Record<"MENU" | "BUTTON", Tone> = { MENU: "waiting", BUTTON: "quiet" };

interface MenuTableProps {
  /** Undefined while the tree is loading. */
  entries: readonly FlatEntry[] | undefined;
  /** By entry; empty until it has loaded. */
  use: ReadonlyMap<number, MenuUse>;
  closed: ReadonlySet<number>;
  onToggle: (id: number) => void;
  onEdit: (what: Editing) => void;
  onRemove: (entry: FlatEntry) => void;
}

export function MenuTable({ entries, use, closed, onToggle, onEdit, onRemove }: MenuTableProps) {
  return (
    <div className="ui-table-box" data-wider="true">
      <table className="ui-table ui-menu-table" aria-label="菜单" aria-busy={!entries}>
        <thead>
          <tr>
            <th className="ui-menu-name">名称</th>
            <th>路径</th>
            <th className="ui-menu-kind">类型</th>
            <th>权限标识</th>
            <th className="ui-menu-use" data-align="right" title="授予它的角色数，各租户合计">
              角色
            </th>
            <th className="ui-menu-sort" data-align="right">
              排序
            </th>
            <th className="ui-table-actions ui-menu-actions">操作</th>
          </tr>
        </thead>
        <tbody>
          {entries?.map((entry) => (
            <tr key={entry.id}>
              <td className="ui-table-name">
                <MenuName entry={entry} isClosed={closed.has(entry.id)} onToggle={onToggle} />
              </td>
              <td data-label="路径" title={entry.uri}>
                {entry.uri}
                {!hasMenuTarget(entry) && (
                  <>
                    {" "}
                    <Status
                      tone="bad"
                      title="没有这个页面，菜单中不显示：请改为已有页面的路径或外部链接"
                    >
                      无对应页面
                    </Status>
                  </>
                )}
              </td>
              <td data-label="类型">
                <Status tone={entryTone[entry.kind]}>{kindText(entry)}</Status>
              </td>
              <td data-label="权限标识" title={entry.permissions.join("、")}>
                {entry.permissions.join("、") || <span className="ui-cell-none">—</span>}
              </td>
              <td data-label="角色" data-align="right" title={usedBy(use.get(entry.id))}>
                {use.get(entry.id)?.roles ?? 0}
              </td>
              <td data-label="排序" data-align="right">
                {entry.sort}
              </td>
              <td className="ui-table-actions">
                <RowActions of={entry.title} visibleCount={3} actions={actionsOf(entry)} />
              </td>
            </tr>
          )) ?? <PlaceRows />}
        </tbody>
      </table>
    </div>
  );

  function actionsOf(entry: FlatEntry) {
    return [
      { key: "edit", label: "编辑", run: () => onEdit({ entry }) },
      {
        key: "add",
        label: "新增下级",
        blocked: entry.kind === "BUTTON" ? "按钮下不能再建菜单" : undefined,
        run: () => onEdit({ parentId: entry.id }),
      },
      {
        key: "remove",
        label: "删除",
        isDanger: true,
        blocked: canBeDeleted(entry) ? undefined : "请先删除它的下级",
        run: () => onRemove(entry),
      },
    ];
  }
}

function kindText(entry: FlatEntry): string {
  if (entry.kind === "BUTTON") return "按钮";
  return isExternalTarget(entry) ? "外部链接" : "菜单";
}

/** Formats as `3 个角色（2 个租户）`. */
export function usedBy(use: MenuUse | undefined): string {
  return use ? `${use.roles} 个角色（${use.tenants} 个租户）` : "没有角色授予它";
}

function PlaceRows() {
  return Array.from({ length: 10 }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a place has no other identity
    <tr key={index}>
      {Array.from({ length: 7 }, (_, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <td key={cell}>
          <span className="ui-skeleton" />
        </td>
      ))}
    </tr>
  ));
}

interface MenuNameProps {
  entry: FlatEntry;
  isClosed: boolean;
  onToggle: (id: number) => void;
}

function MenuName({ entry, isClosed, onToggle }: MenuNameProps) {
  return (
    <span className="ui-menu-entry" style={{ paddingLeft: entry.path.length * 20 }}>
      {entry.children.length > 0 ? (
        <button
          type="button"
          className="ui-fold-toggle"
          aria-expanded={!isClosed}
          aria-label={`${isClosed ? "展开" : "收起"}${entry.title}`}
          onClick={() => onToggle(entry.id)}
        />
      ) : (
        <span className="ui-menu-leaf" />
      )}
      {entry.icon && <SvgIcon name={entry.icon} />}
      <span title={entry.title}>{entry.title}</span>
    </span>
  );
}
