// Menu entries of a new installation, derived from the route table.
import type { RouteEntry } from "./route-entry.rules.ts";
import { routeTable } from "./routes.rules.ts";

export interface MenuSeed {
  kind: "MENU" | "BUTTON";
  uri: string;
  title: string;
  icon: string;
  permissions: string[];
  children: MenuSeed[];
}

function seedOf(entry: RouteEntry): MenuSeed {
  const buttons = (entry.buttons ?? []).map(
    (button): MenuSeed => ({
      kind: "BUTTON",
      uri: `${entry.path}:${button.key}`,
      title: button.title,
      icon: "",
      permissions: [...button.permissions],
      children: [],
    }),
  );
  return {
    kind: "MENU",
    uri: entry.path,
    title: entry.title,
    icon: entry.icon ?? "",
    permissions: [...(entry.permissions ?? [])],
    children: [...(entry.children ?? []).filter((child) => !child.hidden).map(seedOf), ...buttons],
  };
}

/** Menu entries of a new installation: all route entries that can be seen or granted. */
export const menuSeed: MenuSeed[] = routeTable.filter((entry) => !entry.hidden).map(seedOf);
