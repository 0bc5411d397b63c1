// Compile-time test: names that a page passes to a list, a form or a link must exist in the contract.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { ListPage } from "./domain/list-page.tsx";
import { textFilter } from "./ui/list/filters.tsx";
import type { ColumnOf } from "./ui/list/use-list.ts";

const list = { title: "设备", spec: cabinetContract.list, rowKey: () => 1 } as const;
const column = { key: "name", title: "名称", width: 1, value: () => "" };

export const lists = [
  <ListPage
    key="right"
    {...list}
    fixed={{ side: "SINGLE" }}
    filters={[textFilter("keyword", "设备")]}
    columns={[{ ...column, sort: "sn" }]}
  />,
  // @ts-expect-error a filter that the call does not have
  <ListPage key="filter" {...list} filters={[textFilter("keywords", "设备")]} columns={[]} />,
  // @ts-expect-error a sort key that the call does not have
  <ListPage key="sort" {...list} filters={[]} columns={[{ ...column, sort: "size" }]} />,
  // @ts-expect-error a fixed parameter that the call does not have
  <ListPage key="fixed" {...list} filters={[]} columns={[]} fixed={{ sides: "SINGLE" }} />,
];

// @ts-expect-error a sort key that the call does not have
export const unsorted: ColumnOf<typeof cabinetContract.list> = { ...column, sort: "size" };
