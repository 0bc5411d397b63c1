// Form control for province, city and district; loads the region table lazily.
import { useQuery } from "@tanstack/react-query";
import Cascader from "antd/es/cascader";
import "./region-input.css";
import { regionPath, regionText, regionTree } from "./region.rules.ts";
import "./region-input.css";

export interface RegionInputProps {
  /** Supplied by the form. */
  id?: string;
  /** Full region such as `浙江省 杭州市 西湖区`, or a prefix of it. */
  value?: string;
  onChange?: (region: string) => void;
}

export function RegionInput({ id, value = "", onChange }: RegionInputProps) {
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
      notFoundContent={table.error ? "地区没有加载成功，请刷新页面重试" : "没有找到"}
      options={table.data ?? []}
      value={regionPath(value)}
      onChange={(path) => onChange?.(regionText(path?.map(String) ?? []))}
    />
  );
}
