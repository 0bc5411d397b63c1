// Menu create/edit/delete widget (specification §2): tree, form in a drawer, deletion with
// confirmation.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { useState } from "react";
import { useCall, useWrite } from "../../kit/query.ts";
import { useAction } from "../../ui/display/action.tsx";
import { Button } from "../../ui/display/button.tsx";
import { EmptyState, ErrorState } from "../../ui/display/states.tsx";
import { MenuBar } from "../../ui/list/menu-bar.tsx";
import { type Editing, MenuForm } from "./menu-form.tsx";
import { MenuTable, usedBy } from "./menu-table.tsx";
import { type FlatEntry, flatten } from "./menu-tree.rules.ts";

export function MenuWidget() {
  const tree = useCall(accessContract.menuTree);
  const counted = useCall(accessContract.menuUse);
  const use = new Map(counted.data?.map((each) => [each.entryId, each]));
  const remove = useWrite(accessContract.deleteMenuEntry);
  const { ask, dialog } = useAction();
  const [editing, setEditing] = useState<Editing>({ parentId: null });
  const [isOpen, setIsOpen] = useState(false);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const entries = flatten(tree.data ?? []);
  const groups = entries.filter((entry) => entry.children.length > 0);

  const edit = (what: Editing) => {
    setEditing(what);
    setIsOpen(true);
  };
  const toggle = (id: number) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const askRemove = (entry: FlatEntry) =>
    ask({
      title: "删除菜单",
      effect: (
        <>
          菜单 <b>“{entry.title}”</b>（{entry.uri}
          ）将从菜单树中删除，{usedBy(use.get(entry.id))}
          ，其成员会立即失去这个入口。此操作不能撤销。
        </>
      ),
      confirm: "删除",
      isDanger: true,
      run: () => remove.mutateAsync({ params: { id: entry.id } }),
      done: `已删除“${entry.title}”`,
    });

  return (
    <>
      <MenuBar
        left={
          <Button type="primary" onClick={() => edit({ parentId: null })}>
            新增菜单
          </Button>
        }
        right={
          <>
            <Button type="text" onClick={() => setClosed(new Set())}>
              全部展开
            </Button>
            <Button type="text" onClick={() => setClosed(new Set(groups.map(({ id }) => id)))}>
              全部收起
            </Button>
          </>
        }
      />
      {tree.error && !tree.data ? (
        <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />
      ) : tree.data?.length === 0 ? (
        <EmptyState title="暂无菜单" hint="点“新增菜单”建立第一项" />
      ) : (
        <MenuTable
          entries={tree.data && entries.filter((entry) => !entry.path.some((id) => closed.has(id)))}
          use={use}
          closed={closed}
          onToggle={toggle}
          onEdit={edit}
          onRemove={askRemove}
        />
      )}
      <MenuForm
        open={isOpen}
        editing={editing}
        entries={entries}
        onClose={() => setIsOpen(false)}
      />
      {dialog}
    </>
  );
}
