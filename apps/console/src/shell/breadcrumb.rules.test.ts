// What the breadcrumb says.
import { routeTable } from "@cabinet/contract/access/routes.rules.ts";
import { describe, expect, it } from "vitest";
import { crumbsOf, firstPage, matchedRoutes } from "./breadcrumb.rules.ts";

const read = (path: string) =>
  crumbsOf(routeTable, path).map((crumb) => (crumb.isLink ? `[${crumb.title}]` : crumb.title));

describe("§2 Breadcrumb", () => {
  it("prepends home, links neither the last crumb nor a noRedirect one", () => {
    expect(read("/cupboard/index")).toEqual(["[首页]", "设备管理", "设备列表"]);
    expect(read("/cupboardRun/pay/topUp")).toEqual([
      "[首页]",
      "单面设备运营",
      "账户管理",
      "余额充值",
    ]);
  });

  it("is home alone at home", () => {
    expect(read("/dashboard")).toEqual(["首页"]);
  });

  it("keeps hidden pages out", () => {
    expect(read("/cupboard/blockManage")).toEqual(["[首页]", "设备管理"]);
  });

  it("finds the first page of a group", () => {
    const [group] = matchedRoutes(routeTable, "/cupboardRun/pay").slice(-1);
    expect(group && firstPage(group)).toBe("/cupboardRun/pay/payList");
  });
});
