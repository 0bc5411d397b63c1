import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { expect, test } from "vitest";
import { pagesFor } from "../../features/orders/search/search-hit.rules.ts";
import { SEARCH_ACTIONS, searchableActions } from "./search-actions.rules.ts";

test("search: the platform begins everything, each at a page that exists", () => {
  const actions = searchableActions(routeTable, { userType: 0, tenantId: 1, menu: [] });
  expect(actions).toHaveLength(SEARCH_ACTIONS.length);
  expect(pagesFor("新增公告", actions)).toEqual([
    { title: "新增公告", path: "/inform/edit", groups: [] },
  ]);
});

test("search: an account begins only what it may write", () => {
  const entry = (permissions: string[]) => ({
    ...{ id: 1, parentId: null, title: "运营人员", uri: "/user/operationAdmin", kind: "PAGE" },
    ...{ permissions, children: [], icon: "", sort: 0 },
  });
  const actionsOf = (permissions: string[]) =>
    searchableActions(routeTable, {
      userType: 1,
      tenantId: 2,
      menu: [entry(permissions) as never],
    });
  expect(actionsOf(["operator:read"])).toEqual([]);
  expect(actionsOf(["operator:read", "operator:write"]).map(({ title }) => title)).toEqual([
    "新增运营人员",
  ]);
});
