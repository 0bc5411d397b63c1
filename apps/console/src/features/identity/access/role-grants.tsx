// Grants of a role as text, by group.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { buttonsOf, isGroup, leavesOf } from "../../../domain/menu/check-tree.rules.ts";
import "./role.css";

interface RoleGrantsProps {
  tree: readonly MenuEntry[];
  entryIds: readonly number[];
}

export function RoleGrants({ tree, entryIds }: RoleGrantsProps) {
  const granted = new Set(entryIds);
  const isGranted = (entry: MenuEntry) => granted.has(entry.id);
  const parts = tree
    .map((entry) => ({
      entry,
      pages: (isGroup(entry) ? leavesOf([entry]) : [entry]).filter(
        (page) => page.kind === "MENU" && isGranted(page),
      ),
    }))
    .filter(({ pages }) => pages.length > 0);
  if (parts.length === 0) return <p className="ui-cell-none">没有任何功能权限</p>;
  return (
    <dl className="role-grants">
      {parts.map(({ entry, pages }) => (
        <div key={entry.id} style={{ display: "contents" }}>
          <dt>{entry.title}</dt>
          <dd>
            {pages.map((page, at) => {
              const buttons = buttonsOf(page).filter(isGranted);
              return (
                <span key={page.id}>
                  {at > 0 && "、"}
                  {page.title}
                  {buttons.length > 0 && (
                    <small>（{buttons.map(({ title }) => title).join("、")}）</small>
                  )}
                </span>
              );
            })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
