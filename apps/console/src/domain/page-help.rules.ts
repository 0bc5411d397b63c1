// Section of the manual (docs/manual) that explains a page.
import { matchedRoutes, viewOf } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";

/**
 * Anchor by convention: the chapter is named after the first part of the path, the section after the
 * title. Not the title of the menu, which administrators can change. Null: no page of the table.
 */
export function helpAnchorOf(path: string, search: string): string | null {
  const page = matchedRoutes(routeTable, path).at(-1);
  if (!page || page.children) return null;
  const [first = "", ...rest] = path.slice(1).split("/");
  // The pages of both sides are the same.
  const chapter = first === "userApplet" ? "cupboardRun" : first;
  return rest.length > 0 ? `${chapter}-${(viewOf(page, search) ?? page).title}` : chapter;
}
