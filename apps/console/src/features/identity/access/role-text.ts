// Texts for roles and the account kinds of their members.
import type { Role, RoleMember } from "@cabinet/contract/identity/access/role.contract.ts";
import { storeScopeText } from "@cabinet/contract/identity/access/role.rules.ts";

export const accountKindText: Record<RoleMember["userType"], string> = {
  0: "管理员",
  1: "运营",
  2: "运维",
};

/** Formats as `全部门店` or `指定门店：学林街店、东大街店`. */
export function storesText({ storeScope, stores }: Pick<Role, "storeScope" | "stores">): string {
  if (storeScope !== "LISTED") return storeScopeText[storeScope];
  return `${storeScopeText.LISTED}：${stores.map(({ name }) => name).join("、")}`;
}

/** Formats as `页面 12 · 操作 8`. */
export function grantsText({ pages, buttons }: Pick<Role, "pages" | "buttons">): string {
  return `页面 ${pages} · 操作 ${buttons}`;
}

/** Why the signed-in account can neither assign, copy nor delete a role. */
export function aboveScope({ isWithinReach }: Pick<Role, "isWithinReach">): string | undefined {
  return isWithinReach ? undefined : "它的权限或门店范围超出您自己的";
}
