// Roles and menus: the tree of menu entries that an account is granted (specification §2, §6, §7).

import { type Static, Type } from "typebox";
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import {
  Id,
  IdParams,
  IgnoredQuery,
  idOf,
  Nullable,
  nameOf,
  OneOf,
  Strict,
} from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { MAX_URI_LENGTH, MENU_ICON_PATTERN, MENU_URI_PATTERN } from "./menu.rules.ts";

export interface MenuEntry {
  id: number;
  uri: string;
  title: string;
  icon: string;
  kind: "MENU" | "BUTTON";
  permissions: string[];
  sort: number;
  children: MenuEntry[];
}

/** Recursive: children are menu entries again, expressed by a JSON Schema reference. */
export const MenuEntry = Type.Unsafe<MenuEntry>({
  $id: "MenuEntry",
  type: "object",
  required: ["id", "uri", "title", "icon", "kind", "permissions", "sort", "children"],
  properties: {
    id: { type: "integer" },
    uri: { type: "string" },
    title: { type: "string" },
    icon: { type: "string" },
    kind: { type: "string", enum: ["MENU", "BUTTON"] },
    permissions: { type: "array", items: { type: "string" } },
    sort: { type: "integer" },
    children: { type: "array", items: { $ref: "MenuEntry#" } },
  },
});

const MenuEntryRef = named("MenuEntry", Type.Unsafe<MenuEntry>({ $ref: "MenuEntry#" }));
export const MenuTree = Type.Array(MenuEntryRef);

export const MenuUse = Type.Object({
  entryId: Id,
  roles: Type.Integer({ description: "授予它的角色数" }),
  tenants: Type.Integer({ description: "这些角色所属的租户数" }),
});
export type MenuUse = Static<typeof MenuUse>;

export const MenuEntryDraft = named(
  "MenuEntryDraft",
  Strict({
    parentId: Nullable(idOf("上级菜单")),
    title: nameOf("名称", 1, 32),
    uri: Type.String({
      title: "路径",
      minLength: 1,
      maxLength: MAX_URI_LENGTH,
      pattern: MENU_URI_PATTERN,
      examples: ["/cupboard/index 或 https://www.example.com"],
    }),
    icon: Type.String({ title: "图标", maxLength: 2048, pattern: MENU_ICON_PATTERN }),
    kind: OneOf(["MENU", "BUTTON"], "类型"),
    permissions: Type.Array(
      Type.String({ pattern: "^[a-z-]+:[a-z-]+$", maxLength: 64, title: "权限标识" }),
      { title: "权限标识", maxItems: 20 },
    ),
    sort: Type.Integer({ title: "排序", minimum: 0, maximum: 9999 }),
  }),
);
export type MenuEntryDraft = Static<typeof MenuEntryDraft>;

export const accessContract = {
  menu: endpoint({
    method: "GET",
    path: "/admin/v1/menu",
    access: "signed-in",
    summary: "当前账号可见的菜单树",
    query: IgnoredQuery,
    reply: MenuTree,
  }),
  menuTree: endpoint({
    method: "GET",
    path: "/admin/v1/menu/tree",
    access: "platform",
    summary: "完整菜单树",
    reply: MenuTree,
  }),
  menuUse: endpoint({
    method: "GET",
    path: "/admin/v1/menu/use",
    access: "platform",
    summary: "各菜单被多少角色和租户使用",
    reply: Type.Array(MenuUse),
  }),
  createMenuEntry: endpoint({
    method: "POST",
    path: "/admin/v1/menu/save",
    access: "platform",
    risk: "trust",
    summary: "新增菜单",
    body: MenuEntryDraft,
    reply: Nothing,
  }),
  updateMenuEntry: endpoint({
    method: "PUT",
    path: "/admin/v1/menu/update/{id}",
    access: "platform",
    risk: "trust",
    summary: "编辑菜单",
    params: IdParams,
    body: MenuEntryDraft,
    reply: Nothing,
  }),
  deleteMenuEntry: endpoint({
    method: "DELETE",
    path: "/admin/v1/menu/del/{id}",
    access: "platform",
    risk: "trust",
    summary: "删除菜单",
    params: IdParams,
    reply: Nothing,
  }),
};
