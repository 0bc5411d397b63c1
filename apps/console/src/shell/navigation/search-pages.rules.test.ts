import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { expect, test } from "vitest";
import { pagesFor } from "../../features/orders/search/search-hit.rules.ts";
import { searchablePages } from "./search-pages.rules.ts";

const admin = { userType: 0, tenantId: 1, menu: [] };

test("search: pages and their views by title, without hidden ones", () => {
  const pages = searchablePages(routeTable, admin);
  expect(pagesFor("对账", pages)).toEqual([
    {
      title: "对账",
      path: "/cupboardRun/pay/payRecord?view=reconciliation",
      groups: ["单面设备运营", "账户管理"],
    },
    {
      title: "对账",
      path: "/userApplet/pay/payRecord?view=reconciliation",
      groups: ["双面设备运营", "账户管理"],
    },
  ]);
  expect(pages.map(({ path }) => path)).not.toContain("/cupboard/blockManage");
  expect(pagesFor(" ", pages)).toEqual([]);
});

test("search: pages by title come before those by group", () => {
  const page = (title: string, ...groups: string[]) => ({ title, groups, path: `/${title}` });
  const pages = [
    page("短信概览", "短信管理"),
    page("发送记录", "短信管理"),
    page("购买短信"),
    page("短信充值"),
  ];
  expect(pagesFor("短信", pages).map(({ title }) => title)).toEqual([
    "短信概览",
    "短信充值",
    "购买短信",
    "发送记录",
  ]);
});

test("search: pages that the account may not open are not found", () => {
  const entry = {
    ...{ id: 1, parentId: null, title: "门店列表", uri: "/point/index", kind: "PAGE" as const },
    ...{ permissions: ["store:read"], children: [], icon: "", sort: 0 },
  };
  const pages = searchablePages(routeTable, { userType: 1, tenantId: 2, menu: [entry as never] });
  expect(pagesFor("门店", pages).map(({ path }) => path)).toEqual(["/point/index"]);
  expect(pagesFor("设备列表", pages)).toEqual([]);
});
