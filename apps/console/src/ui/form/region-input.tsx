// Form control for province, city and district; loads the region table lazily.
import { useQuery } from "@tanstack/react-query";
import Cascader from "antd/es/cascader";
import type { Control } from "./control.ts";
import { regionPath, regionText, regionTree } from "./region.rules.ts";
import "./region-input.css";

/** The value is a full region such as `浙江省 杭州市 西湖区`, or a prefix of it. */
export function RegionInput({ id, value = "", onChange }: Control<string>) {
  const table = useQuery({
    queryKey: ["regions"],
    queryFn: async () => regionTree((await import("@vant/area-data")).areaList),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Cascader
      {...(id && { id })}
      allowClear
      changeOnSelect
      showSearch
      classNames={{ popup: { root: "ui-region" } }}
      placeholder="选择省、市、区"
      loading={table.isLoading}
      notFoundContent={table.error ? "地区加载失败，请刷新页面重试" : "暂无匹配项"}
      options={table.data ?? []}
      value={regionPath(value)}
      onChange={(path) => onChange?.(regionText(path?.map(String) ?? []))}
    />
  );
}
