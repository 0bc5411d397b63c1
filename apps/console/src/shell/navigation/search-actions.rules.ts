// Pages and forms that begin something (新增公告 …), as the search box offers them.
import type { RouteEntry } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import type { Access } from "@cabinet/contract/kit/endpoint.ts";
import type { PageHit } from "../../features/orders/search/search-hit.rules.ts";
import { accessOf, type Viewer } from "../../kit/access.rules.ts";
import { mayOpen } from "../page-access.rules.ts";

interface SearchAction {
  title: string;
  path: string;
  /** Access of the view or the form, besides that of the page. */
  access?: Access;
}

/** A list page opens its form for `?new=1` (`useAskedNew`). */
export const SEARCH_ACTIONS: readonly SearchAction[] = [
  { title: "登记故障", path: "/malfunction/index?new=1", access: "malfunction:write" },
  { title: "新增公告", path: "/inform/edit" },
  { title: "新增门店", path: "/point/pointEdit" },
  { title: "新增运营人员", path: "/user/operationAdmin?new=1", access: "operator:write" },
  { title: "新增运维人员", path: "/user/userAdmin?new=1", access: "operator:write" },
  { title: "新增角色", path: "/set/role?view=edit", access: "role:write" },
  { title: "新增单面套餐", path: "/cupboardRun/pay/mealAdd" },
  { title: "新增双面套餐", path: "/userApplet/pay/mealAdd" },
  { title: "新增问题", path: "/faq/faqEdit" },
  { title: "新增用户标签", path: "/user/normalUser?view=tags&new=1", access: "end-user:write" },
  { title: "新增回调地址", path: "/thirdPartApi/set?new=1", access: "callback:write" },
  { title: "新增租户", path: "/register/registerAdd" },
  { title: "新增设备型号", path: "/cupboard/ModelAdd" },
];

const allPages = (routes: readonly RouteEntry[]): RouteEntry[] =>
  routes.flatMap((route) => [route, ...allPages(route.children ?? [])]);

export function searchableActions(routes: readonly RouteEntry[], viewer: Viewer): PageHit[] {
  const pages = new Map(allPages(routes).map((page) => [page.path, page]));
  const hasAccess = accessOf(viewer);
  return SEARCH_ACTIONS.flatMap(({ title, path, access }) => {
    const page = pages.get(path.split("?")[0] ?? "");
    const isAllowed = page && mayOpen(viewer, page) && (!access || hasAccess(access));
    return isAllowed ? [{ title, path, groups: [] }] : [];
  });
}
