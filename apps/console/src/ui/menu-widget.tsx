// The menu create/edit/delete widget (specification §2): the tree, a form in a drawer, deletion that asks.
import {
  accessContract,
  type MenuEntry,
  MenuEntryDraft,
} from "@cabinet/contract/access/access.contract.ts";
import Button from "antd/es/button";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import Select from "antd/es/select";
import { useState } from "react";
import { toast } from "../kit/feedback.ts";
import { useCall, useWrite } from "../kit/query.ts";
import { useAction } from "./action.tsx";
import { icons } from "./icons.ts";
import { MenuBar } from "./menu-bar.tsx";
import { canBeDeleted, type FlatEntry, flatten, parentChoices } from "./menu-tree.rules.ts";
import { type Field, FormDrawer } from "./record-form.tsx";
import { RowActions } from "./row-actions.tsx";
import { EmptyState, ErrorState } from "./states.tsx";
import { Status } from "./status.tsx";
import { SvgIcon } from "./svg-icon.tsx";
import "./menu-widget.css";
import "./basics.css";
import "./data-table.css";

/** What the drawer makes or changes: a new entry below a parent, or one that exists. */
type Editing = { parentId: number | null } | { entry: FlatEntry };

const changed = { invalidates: [accessContract.menuTree, accessContract.menu], isQuiet: true };

export function MenuWidget() {
  const tree = useCall(accessContract.menuTree, {}, { isQuiet: true });
  const remove = useWrite(accessContract.deleteMenuEntry, changed);
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
          ）将从菜单树中删除，已获授权的账号会立即失去这个入口。此操作不能撤销。
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
          <Button
            type="primary"
            icon={<SvgIcon name="plus" />}
            onClick={() => edit({ parentId: null })}
          >
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
        <ErrorState message={tree.error.message} onRetry={() => void tree.refetch()} />
      ) : tree.data?.length === 0 ? (
        <EmptyState title="还没有菜单" hint="点“新增菜单”建立第一项" />
      ) : (
        <MenuTable
          entries={tree.data && entries.filter((entry) => !entry.path.some((id) => closed.has(id)))}
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

interface MenuTableProps {
  /** Undefined while the tree is on its way. */
  entries: readonly FlatEntry[] | undefined;
  closed: ReadonlySet<number>;
  onToggle: (id: number) => void;
  onEdit: (what: Editing) => void;
  onRemove: (entry: FlatEntry) => void;
}

function MenuTable({ entries, closed, onToggle, onEdit, onRemove }: MenuTableProps) {
  return (
    <div className="ui-table-box">
      <table className="ui-table ui-menu-table" aria-label="菜单" aria-busy={!entries}>
        <thead>
          <tr>
            <th className="ui-menu-name">名称</th>
            <th>路径</th>
            <th className="ui-menu-kind">类型</th>
            <th>权限标识</th>
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
              </td>
              <td data-label="类型">
                <Status tone={entry.kind === "MENU" ? "waiting" : "quiet"}>
                  {entry.kind === "MENU" ? "菜单" : "按钮"}
                </Status>
              </td>
              <td data-label="权限标识" title={entry.permissions.join("、")}>
                {entry.permissions.join("、") || <span className="ui-cell-none">—</span>}
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

function PlaceRows() {
  return Array.from({ length: 10 }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a place has no other identity
    <tr key={index}>
      {Array.from({ length: 6 }, (_, cell) => (
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
          className="ui-menu-toggle"
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

interface MenuFormProps {
  open: boolean;
  editing: Editing;
  entries: readonly FlatEntry[];
  onClose: () => void;
}

function MenuForm({ open, editing, entries, onClose }: MenuFormProps) {
  const create = useWrite(accessContract.createMenuEntry, changed);
  const update = useWrite(accessContract.updateMenuEntry, changed);
  const entry = "entry" in editing ? editing.entry : null;
  return (
    <FormDrawer
      open={open}
      title={entry ? `编辑菜单：${entry.title}` : "新增菜单"}
      schema={MenuEntryDraft}
      fields={menuFields(parentChoices(entries, entry))}
      initial={entry ? draftOf(entry) : { kind: "MENU", sort: 0, parentId: parentOf(editing) }}
      submit={async (values) => {
        const body: MenuEntryDraft = {
          ...emptyDraft,
          ...values,
          parentId: values.parentId ?? null,
          icon: values.icon ?? "",
        };
        await (entry
          ? update.mutateAsync({ params: { id: entry.id }, body })
          : create.mutateAsync({ body }));
        toast.success(entry ? "菜单已保存" : "菜单已新增");
      }}
      onClose={onClose}
    />
  );
}

const emptyDraft: MenuEntryDraft = {
  parentId: null,
  title: "",
  uri: "",
  icon: "",
  kind: "MENU",
  permissions: [],
  sort: 0,
};

function parentOf(editing: Editing): number | null {
  return "entry" in editing ? null : editing.parentId;
}

/** An entry without an icon leaves the field empty, so that its placeholder shows. */
function draftOf(entry: FlatEntry): Partial<MenuEntryDraft> {
  const { title, uri, icon, kind, permissions, sort } = entry;
  const parentId = entry.path.at(-1) ?? null;
  return { parentId, title, uri, kind, permissions, sort, ...(icon && { icon }) };
}

const iconOptions = Object.keys(icons).map((name) => ({
  value: name,
  label: (
    <span>
      <SvgIcon name={name} /> {name}
    </span>
  ),
}));

function menuFields(parents: readonly MenuEntry[]): Field[] {
  return [
    {
      name: "parentId",
      label: "上级菜单",
      control: (
        <Select
          allowClear
          showSearch={{ optionFilterProp: "label" }}
          placeholder="顶级菜单"
          options={parents.map(({ id, title, uri }) => ({
            value: id,
            label: `${title}（${uri}）`,
          }))}
        />
      ),
    },
    {
      name: "kind",
      label: "类型",
      control: (
        <Radio.Group
          options={[
            { value: "MENU", label: "菜单" },
            { value: "BUTTON", label: "按钮" },
          ]}
        />
      ),
      hint: "按钮不显示在菜单中，只用来授予页面上的一项操作",
    },
    { name: "title", label: "名称", control: <Input maxLength={32} /> },
    {
      name: "uri",
      label: "路径",
      control: <Input maxLength={128} placeholder="/cupboard/index" />,
      hint: "菜单填页面路径；按钮填“页面路径:按钮名”，如 /cupboard/index:open",
    },
    {
      name: "icon",
      label: "图标",
      control: <Select allowClear showSearch placeholder="不使用图标" options={iconOptions} />,
    },
    {
      name: "permissions",
      label: "权限标识",
      control: (
        <Select mode="tags" tokenSeparators={[",", " ", "，"]} placeholder="如 cabinet:read" />
      ),
      hint: "输入后回车，可填多个",
    },
    {
      name: "sort",
      label: "排序",
      control: <InputNumber precision={0} min={0} max={9999} />,
      hint: "数字小的排在前面",
    },
  ];
}
