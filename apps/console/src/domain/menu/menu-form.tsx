// Form of the menu widget: creates or edits a menu entry.
import {
  accessContract,
  type MenuEntry,
  MenuEntryDraft,
} from "@cabinet/contract/identity/access/access.contract.ts";
import { hasMenuTarget, MAX_URI_LENGTH } from "@cabinet/contract/identity/access/menu.rules.ts";
import { errorText } from "@cabinet/contract/kit/errors.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import Select from "antd/es/select";
import { useState } from "react";
import { toast } from "../../kit/feedback.ts";
import { useWrite } from "../../kit/query.ts";
import { icons, isIconAddress } from "../../ui/display/icons.ts";
import { SvgIcon } from "../../ui/display/svg-icon.tsx";
import type { Control } from "../../ui/form/control.ts";
import { FormDrawer } from "../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../ui/form/record-form.tsx";
import { type FlatEntry, parentChoices } from "./menu-tree.rules.ts";

/** Target of the drawer: a new entry below a parent, or an existing entry. */
export type Editing = { parentId: number | null } | { entry: FlatEntry };

interface MenuFormProps {
  open: boolean;
  editing: Editing;
  entries: readonly FlatEntry[];
  onClose: () => void;
}

export function MenuForm({ open, editing, entries, onClose }: MenuFormProps) {
  const create = useWrite(accessContract.createMenuEntry);
  const update = useWrite(accessContract.updateMenuEntry);
  const entry = "entry" in editing ? editing.entry : null;
  return (
    <FormDrawer
      open={open}
      title={entry ? `编辑菜单：${entry.title}` : "新增菜单"}
      schema={MenuEntryDraft}
      fields={menuFields(parentChoices(entries, entry))}
      initial={entry ? draftOf(entry) : { kind: "MENU", sort: 0, parentId: parentOf(editing) }}
      submit={async (body) => {
        await (entry
          ? update.mutateAsync({ params: { id: entry.id }, body })
          : create.mutateAsync({ body }));
        toast.success(entry ? "菜单已保存" : "菜单已新增");
      }}
      onClose={onClose}
    />
  );
}

function parentOf(editing: Editing): number | null {
  return "entry" in editing ? null : editing.parentId;
}

/** Without an icon the field stays empty, so that its placeholder shows. */
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

/** Offers the built-in icons by name, and accepts a typed image address. */
function IconSelect({ id, value, onChange }: Control<string, string | undefined>) {
  const [typed, setTyped] = useState("");
  const addresses = new Set([value ?? "", typed.trim()].filter(isIconAddress));
  const external = [...addresses].map((address) => ({
    value: address,
    label: (
      <span title={address}>
        <SvgIcon name={address} /> 外部图标
      </span>
    ),
  }));
  return (
    <Select
      {...(id && { id })}
      allowClear
      showSearch={{ onSearch: setTyped }}
      placeholder="不使用图标"
      value={value}
      options={[...iconOptions, ...external]}
      onChange={onChange}
    />
  );
}

/** Shown at the field; the server enforces the same rule. */
function uriProblem(value: unknown): string | null {
  const uri = String(value ?? "");
  const isKnown = (["MENU", "BUTTON"] as const).some((kind) => hasMenuTarget({ kind, uri }));
  return isKnown ? null : errorText("MENU_TARGET_UNKNOWN", { uri });
}

function menuFields(parents: readonly MenuEntry[]): FieldOf<typeof MenuEntryDraft>[] {
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
      control: <Input maxLength={MAX_URI_LENGTH} placeholder="/cupboard/index" />,
      hint: "菜单填页面路径或 https:// 开头的外部链接（在新标签页打开）；按钮填“页面路径:按钮名”，如 /cupboard/index:open",
      problem: uriProblem,
    },
    {
      name: "icon",
      label: "图标",
      control: <IconSelect />,
      hint: "选择内置图标，或粘贴外部图标：data:image/ 开头的图片，或本站路径",
    },
    {
      name: "permissions",
      label: "权限标识",
      control: (
        <Select mode="tags" tokenSeparators={[",", " ", "，"]} placeholder="如：cabinet:read" />
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
