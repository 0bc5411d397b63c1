// Form control for province, city and district; loads the region table lazily.
import Cascader from "antd/es/cascader";
import { late, useLate } from "../../kit/late.ts";
import { LateLine } from "../display/late-part.tsx";
import type { Control } from "./control.ts";
import { regionPath, regionText, regionTree } from "./region.rules.ts";
import "./region-input.css";

const regions = late(async () => regionTree((await import("@vant/area-data")).areaList));

/** The value is a full region such as `浙江省 杭州市 西湖区`, or a prefix of it. */
export function RegionInput({ id, value = "", onChange }: Control<string>) {
  const { module: table, failure, retry } = useLate(regions);
  return (
    <Cascader
      {...(id && { id })}
      allowClear
      changeOnSelect
      showSearch
      classNames={{ popup: { root: "ui-region" } }}
      placeholder="选择省、市、区"
      loading={table === null && failure === null}
      notFoundContent={failure ? <LateLine failure={failure} retry={retry} /> : "暂无匹配项"}
      options={table ?? []}
      value={regionPath(value)}
      onChange={(path) => onChange?.(regionText(path?.map(String) ?? []))}
    />
  );
}
