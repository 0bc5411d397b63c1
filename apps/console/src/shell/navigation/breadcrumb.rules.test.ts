// Contents of the breadcrumb.
import { matchedRoutes } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { describe, expect, it } from "vitest";
import { crumbsOf, firstPage } from "./breadcrumb.rules.ts";

const read = (path: string, query?: string) =>
  crumbsOf(routeTable, path, query).map((crumb) =>
    crumb.isLink ? `[${crumb.title}]` : crumb.title,
  );

describe("§2 breadcrumb", () => {
  it("prepends home, links neither the last crumb nor a noRedirect one", () => {
    expect(read("/cupboard/index")).toEqual(["[首页]", "设备管理", "设备列表"]);
    expect(read("/cupboardRun/pay/topUp")).toEqual([
      "[首页]",
      "单面设备运营",
      "账户管理",
      "余额充值",
    ]);
  });

  it("contains only home on the home page", () => {
    expect(read("/dashboard")).toEqual(["首页"]);
  });

  it("shows a view's title last and links its page", () => {
    expect(read("/cupboard/index", "?view=rollouts&page=2")).toEqual([
      "[首页]",
      "设备管理",
      "[设备列表]",
      "下发任务",
    ]);
    expect(read("/cupboard/index", "?view=unknown")).toEqual(["[首页]", "设备管理", "设备列表"]);
  });

  it("leaves out hidden pages", () => {
    expect(read("/cupboard/blockManage")).toEqual(["[首页]", "设备管理"]);
  });

  it("finds the first page of a group", () => {
    const [group] = matchedRoutes(routeTable, "/cupboardRun/pay").slice(-1);
    expect(group && firstPage(group)).toBe("/cupboardRun/pay/payList");
  });
});
