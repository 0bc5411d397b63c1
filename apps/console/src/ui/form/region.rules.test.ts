// Region tree built from the console's own table of region codes.
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

it("tree: contains the provinces with their cities and districts", () => {
  expect(tree.length).toBeGreaterThanOrEqual(34);
  expect(find(["浙江省", "杭州市", "西湖区"])).toEqual({ value: "西湖区", label: "西湖区" });
});

it("tree: goes through the 3,000 districts once", () => {
  let times = 0;
  const county_list = new Proxy(areaList.county_list, {
    ownKeys(names) {
      times++;
      return Reflect.ownKeys(names);
    },
  });
  expect(regionTree({ ...areaList, county_list })).toEqual(tree);
  expect(times).toBe(1);
});

it("tree: leaves out administrative levels without a name of their own", () => {
  expect(find(["上海市", "徐汇区"])).toBeDefined();
  expect(find(["重庆市", "云阳县"])).toBeDefined();
  expect(find(["河南省", "济源市"])).toBeDefined();
});

it("tree: every level has names, and no name occurs twice below one parent", () => {
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

it("text: one line that parses back to the same path", () => {
  expect(regionText(["浙江省", "杭州市"])).toBe("浙江省 杭州市");
  expect(regionPath(" 浙江省  杭州市 ")).toEqual(["浙江省", "杭州市"]);
  expect(regionPath("")).toEqual([]);
});
