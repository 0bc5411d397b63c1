// Compile-time test: names that a page passes to a list, a form or a link must exist in the contract.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { ListPage } from "./domain/list-page.tsx";
import { Link, pathTo } from "./kit/paths.ts";
import { FormDialog } from "./ui/form/form-frames.tsx";
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

const device = { id: 7 };

export const links = [
  <Link key="page" to="/cupboard/index?view=rollouts" />,
  <Link key="query" to={pathTo("/cupboard/blockManage", device)} />,
  // @ts-expect-error a page that the route table does not have
  <Link key="page" to="/cupboard/list" />,
  // @ts-expect-error a view that the page does not have
  <Link key="view" to="/cupboard/index?view=rollout" />,
  // @ts-expect-error a query that nobody checked
  <Link key="text" to={`/cupboard/blockManage?id=${device.id}`} />,
];

// @ts-expect-error a page that the route table does not have
pathTo("/cupboard/list", {});
// @ts-expect-error a parameter that the page does not have
pathTo("/cupboard/blockManage", { cabinetId: 7 });
// @ts-expect-error a value that the filter does not have
pathTo("/cupboard/index", { connectivity: "ONLINE?" });

const frame = { open: true, title: "停用", onClose: () => {} };
const control = <input />;

export const forms = [
  <FormDialog
    key="right"
    {...frame}
    schema={cabinetContract.pause.body}
    fields={[{ name: "reason", label: "原因", control }]}
    submit={async ({ reason }) => reason.trim()}
  />,
  <FormDialog
    key="field"
    {...frame}
    schema={cabinetContract.pause.body}
    // @ts-expect-error a field that the schema does not have
    fields={[{ name: "cause", label: "原因", control }]}
    submit={async () => {}}
  />,
  <FormDialog
    key="value"
    {...frame}
    schema={cabinetContract.pause.body}
    fields={[]}
    // @ts-expect-error a value that the schema does not have
    submit={async ({ cause }) => cause}
  />,
];
