// The tree of regions out of the table by codes, on the table that the console brings.
import { areaList } from "@vant/area-data";
import { expect, it } from "vitest";
import { type Region, regionPath, regionText, regionTree } from "./region.rules.ts";

const tree = regionTree(areaList);
const find = (path: string[]) =>
  path.reduce<Region | undefined>((at, name) => at?.children?.find(({ value }) => value === name), {
    value: "",
    label: "",
    children: tree,
  });

it("has the provinces with their cities and districts", () => {
  expect(tree.length).toBeGreaterThanOrEqual(34);
  expect(find(["浙江省", "杭州市", "西湖区"])).toEqual({ value: "西湖区", label: "西湖区" });
});

it("leaves out levels that nobody says", () => {
  expect(find(["上海市", "徐汇区"])).toBeDefined();
  expect(find(["重庆市", "云阳县"])).toBeDefined();
  expect(find(["河南省", "济源市"])).toBeDefined();
});

it("has no level without names, and no name twice under one", () => {
  const check = (regions: Region[]) => {
    expect(new Set(regions.map(({ value }) => value)).size).toBe(regions.length);
    for (const { children } of regions) {
      if (!children) continue;
      expect(children.length).toBeGreaterThan(0);
      check(children);
    }
  };
  check(tree);
});

it("is written as one line, and read again", () => {
  expect(regionText(["浙江省", "杭州市"])).toBe("浙江省 杭州市");
  expect(regionPath(" 浙江省  杭州市 ")).toEqual(["浙江省", "杭州市"]);
  expect(regionPath("")).toEqual([]);
});
