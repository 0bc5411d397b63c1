import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { expect, test } from "vitest";
import { pagesFor } from "../../features/orders/search/search-hit.rules.ts";
import { SEARCH_DEEDS, searchableDeeds } from "./search-deeds.rules.ts";

test("search: the platform begins everything, each at a page that exists", () => {
  const deeds = searchableDeeds(routeTable, { userType: 0, tenantId: 1, menu: [] });
  expect(deeds).toHaveLength(SEARCH_DEEDS.length);
  expect(pagesFor("新增公告", deeds)).toEqual([
    { title: "新增公告", path: "/inform/edit", groups: [] },
  ]);
});

test("search: an account begins only what it may write", () => {
  const entry = (permissions: string[]) => ({
    ...{ id: 1, parentId: null, title: "运营人员", uri: "/user/operationAdmin", kind: "PAGE" },
    ...{ permissions, children: [], icon: "", sort: 0 },
  });
  const deedsOf = (permissions: string[]) =>
    searchableDeeds(routeTable, { userType: 1, tenantId: 2, menu: [entry(permissions) as never] });
  expect(deedsOf(["operator:read"])).toEqual([]);
  expect(deedsOf(["operator:read", "operator:write"]).map(({ title }) => title)).toEqual([
    "新增运营人员",
  ]);
});
