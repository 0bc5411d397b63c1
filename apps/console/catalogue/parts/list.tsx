// List page, its table, filters, row actions, pagination and export.
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { useEffect, useRef, useState } from "react";
import { dayRangeFilter } from "../../src/domain/day-range-filter.tsx";
import { ListPage } from "../../src/domain/list-page.tsx";
import { toast } from "../../src/kit/feedback.ts";
import { formatMoney } from "../../src/kit/format.ts";
import { useCall } from "../../src/kit/query.ts";
import { Button } from "../../src/ui/display/button.tsx";
import { Facts } from "../../src/ui/display/detail-drawer.tsx";
import { Age, Status } from "../../src/ui/display/status.tsx";
import { cellValue } from "../../src/ui/list/columns.ts";
import { DataTable } from "../../src/ui/list/data-table.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../src/ui/list/drawer-list.tsx";
import { FilterBar } from "../../src/ui/list/filter-bar.tsx";
import { choiceFilter, digitsFilter, phoneFilter, textFilter } from "../../src/ui/list/filters.tsx";
import { useListState } from "../../src/ui/list/list-state.ts";
import { type ListSums, listSums } from "../../src/ui/list/list-sums.tsx";
import { moneyColumn } from "../../src/ui/list/money-column.tsx";
import { Pagination, type PaginationProps } from "../../src/ui/list/pagination.tsx";
import { RecordDrawer } from "../../src/ui/list/record-drawer.tsx";
import { ActionButtons, type RowAction, RowActions } from "../../src/ui/list/row-actions.tsx";
import { timeRangeFilter } from "../../src/ui/list/time-range-filter.tsx";
import type { ColumnOf } from "../../src/ui/list/use-list.ts";
import { LightSelect, type LightSelectProps } from "../../src/ui/popup/light-select.tsx";
import { type Answer, answer, failed, held, never, once, refused } from "../answers.ts";
import { type Sample, sampleContract, sampleStates, samples, workingList } from "../sample.ts";
import type { Parts, State } from "../state.ts";

const columns: ColumnOf<typeof sampleContract.list>[] = [
  { key: "name", title: "名称", width: 140, sort: "name" },
  {
    key: "state",
    title: "状态",
    width: 100,
    onCard: "mark",
    value: (row) => sampleStates[row.state][0],
    render: ({ state }) => <Status tone={sampleStates[state][1]}>{sampleStates[state][0]}</Status>,
  },
  moneyColumn({ key: "price", title: "价格", fen: (row) => row.priceFen, sort: "price" }),
  { key: "count", title: "数量", width: 90, align: "right" },
  { key: "remark", title: "备注", width: 180, onCard: "line" },
  {
    key: "updatedAt",
    title: "更新时间",
    width: 120,
    isSecondary: true,
    render: (row) => <Age time={row.updatedAt} />,
  },
];

const wideColumns: ColumnOf<typeof sampleContract.list>[] = [
  ...columns,
  ...Array.from({ length: 12 }, (_, index) => ({
    key: `more${index}`,
    title: `指标 ${index + 1}`,
    width: 130,
    value: (row: Sample) => row.count * index,
  })),
];

const filters = [
  textFilter("keyword", "名称"),
  choiceFilter("state", "状态", [
    { value: "NORMAL", label: "正常" },
    { value: "WAITING", label: "待处理" },
    { value: "BROKEN", label: "故障" },
  ]),
  digitsFilter("code", "编号"),
  phoneFilter(),
  { ...timeRangeFilter(["from", "to"], "更新时间"), isRare: true as const },
];

const actionsOf = (row: Sample): RowAction[] => [
  { key: "see", label: "查看", to: "/dashboard" },
  {
    key: "edit",
    label: "修改",
    blocked: row.state === "BROKEN" ? "故障期间不能修改" : undefined,
    run: () => toast.success(`修改 ${row.name}`),
  },
  { key: "copy", label: "复制", run: () => toast.success(`复制 ${row.name}`) },
  { key: "stop", label: "停用", blocked: "还有未完成的订单", run: () => {} },
  { key: "delete", label: "删除", isDanger: true, run: () => toast.success(`删除 ${row.name}`) },
];
const rowActions = {
  width: 150,
  of: (row: Sample) => row.name,
  list: actionsOf,
};

interface SampleListProps {
  shown?: readonly ColumnOf<typeof sampleContract.list>[];
  sums?: ListSums;
}

function SampleList({ shown = columns, sums }: SampleListProps) {
  return (
    <ListPage
      title="样品列表"
      spec={sampleContract.list}
      filters={filters}
      columns={shown}
      {...(sums && { sums })}
      rowKey={(row) => row.id}
      actions={rowActions}
      toolbar={<Button type="primary">新增样品</Button>}
      batch={(rows, clear) => (
        <Button
          onClick={() => {
            toast.success(rows.map(({ name }) => name).join("、"));
            clear();
          }}
        >
          批量处理
        </Button>
      )}
      live="cabinet"
      detail={{
        title: (row) => row.name,
        body: (row) => (
          <Facts facts={columns.map((column) => [column.title, cellValue(column, row)])} />
        ),
      }}
      emptyHint="新增样品后在这里查看"
    />
  );
}

const priceSums = listSums(sampleContract.sums, ({ priceFen, ...of }) => ({
  ...of,
  texts: { price: formatMoney(priceFen) },
}));

/** More rows than the list counts, of which the sums count so many. */
const summed = (count: number, isCapped = false): Partial<State> => ({
  session: platform,
  show: () => <SampleList sums={priceSums} />,
  answers: [
    listWith(async (request) => ({
      ...((await workingList.reply(request)) as Page<Sample>),
      total: 10_000,
      isTotalCapped: true,
    })),
    answer(sampleContract.sums, () => ({
      count,
      priceFen: count * 150,
      ...(isCapped && { isCapped }),
    })),
  ],
});

const listWith = (reply: Answer["reply"]): Answer => ({ ...workingList, reply });
const list = (state: Partial<State> = {}): State => ({
  show: SampleList,
  answers: [workingList],
  ...state,
});

const platform = { userType: 0 as const, tenantId: 1 };

/** As many rows as an export fetches in two pages. */
const manySamples = [...samples, ...samples, ...samples];

/** Snapshot of all samples, whose page of rows fails this many times. */
function exporting(failures = 0, rows = samples, failure = () => failed(500)): Answer[] {
  const id = "0199aaaa-0000-7000-8000-000000000000";
  let left = failures;
  return [
    workingList,
    answer(exportContract.start, () => ({ id })),
    answer(exportContract.end, () => null),
    answer(exportContract.page, ({ query }) =>
      query.pageSize !== "1" && left-- > 0 ? failure() : pageOf(rows, query),
    ),
  ];
}

const pageOf = (rows: Sample[], { page, pageSize }: Readonly<Record<string, string>>) => {
  const start = (Number(page) - 1) * Number(pageSize);
  const list = rows.slice(start, start + Number(pageSize));
  return { state: "READY" as const, ahead: 0, total: rows.length, rowCount: rows.length, list };
};

const listPage: Parts[string] = {
  rows: list(),
  "many-columns": list({ show: () => <SampleList shown={wideColumns} /> }),
  loading: list({ answers: [listWith(never)] }),
  empty: list({ answers: [listWith(() => ({ list: [], total: 0 }))] }),
  "empty-filtered": list({ search: "keyword=无" }),
  "past-the-end": list({ search: "page=9" }),
  "error-then-rows": list({ answers: [listWith(once(() => failed(500), workingList.reply))] }),
  "refused-then-rows": list({
    answers: [listWith(once(() => refused("数据库正在维护"), workingList.reply))],
  }),
  forbidden: list({ answers: [listWith(() => failed(403))] }),
  stale: list({
    answers: [listWith(once(workingList.reply, () => refused("数据库正在维护")))],
  }),
  "next-held": list({
    answers: [
      listWith(
        once(workingList.reply, async (request) => {
          await held(null);
          return workingList.reply(request);
        }),
      ),
    ],
  }),
  "next-fails": list({ answers: [listWith(once(workingList.reply, () => failed(500)))] }),
  "sums-count-further": list(summed(11_541)),
  "sums-count-no-further": list(summed(100_000, true)),
  platform: list({ session: platform }),
  "columns-open": list({ press: ["列设置"] }),
  "saved-open": list({ press: ["常用筛选"], search: "state=BROKEN" }),
  "export-asks": list({ answers: exporting(), press: ["导出"] }),
  "export-waits": list({
    answers: [
      answer(exportContract.page, () => ({
        state: "WAITING" as const,
        ahead: 2,
        total: null,
        rowCount: 0,
        list: [],
      })),
      ...exporting(),
    ],
    press: ["导出", "确定"],
  }),
  "export-held": list({
    answers: [
      answer(exportContract.page, async ({ query }) => {
        if (query.pageSize !== "1") await held(null);
        return pageOf(samples, query);
      }),
      ...exporting(),
    ],
    press: ["导出", "确定"],
  }),
  "export-refused": list({
    answers: exporting(2, manySamples, () => refused("数据库正在维护")),
    press: ["导出", "确定"],
  }),
  "export-fails": list({
    // A page that failed is fetched a second time before the export stops.
    answers: exporting(2),
    press: ["导出", "确定"],
  }),
};

function Table(props: { isPlain?: boolean; isLoading?: boolean }) {
  const [selected, setSelected] = useState<ReadonlyMap<React.Key, Sample>>(new Map());
  return (
    <DataTable<Sample>
      label="样品"
      columns={props.isPlain ? wideColumns : columns}
      rows={props.isLoading ? undefined : samples.slice(0, 10)}
      rowKey={(row) => row.id}
      expectedRows={5}
      {...(!props.isPlain && {
        selection: { selected, onSelect: setSelected },
        actions: rowActions,
      })}
    />
  );
}

function Filters() {
  const { texts, filter } = useListState();
  const today = new Date().toISOString().slice(0, 10);
  const days = dayRangeFilter({ label: "日期", usual: { from: today, to: today }, most: 30 });
  const all = [...filters.slice(0, 3), { ...days, names: ["first", "last"] }, ...filters.slice(3)];
  return (
    <FilterBar filters={all} texts={texts} onFilter={filter} onAgain={() => {}} isBusy={false} />
  );
}

function Pages(props: Partial<PaginationProps>) {
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(10);
  return <Pagination {...{ page, pageSize, ...props }} onPage={setPage} onPageSize={setPageSize} />;
}

function InDrawer() {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answered = useCall(sampleContract.list, { query: { page, pageSize } });
  return (
    <DrawerList
      answer={answered}
      pages={pages}
      emptyText="没有样品"
      row={(row) => <DrawerRow key={row.id} name={row.name} state={sampleStates[row.state][0]} />}
    >
      <p>共 {answered.data?.total ?? "…"} 个样品</p>
    </DrawerList>
  );
}

const sizes = [10, 20, 30, 50].map((size) => ({ value: String(size), label: `${size} 条` }));
const stores = Array.from({ length: 250 }, (_, index) => ({
  value: String(index + 1),
  label: `${index % 2 ? "东湖" : "西溪"}门店 ${String(index + 1).padStart(3, "0")}`,
}));

/** Submits like a filter bar; `isOpen`: shows its options. */
function Choice({ isOpen = false, ...props }: Partial<LightSelectProps> & { isOpen?: boolean }) {
  const [value, setValue] = useState(props.value ?? "");
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isOpen) box.current?.querySelector("input")?.click();
  }, [isOpen]);
  return (
    <form
      ref={box}
      onSubmit={(event) => {
        event.preventDefault();
        toast.success("已提交");
      }}
    >
      <label htmlFor="choice">选项</label>{" "}
      <LightSelect
        id="choice"
        isClearable
        placeholder="全部"
        options={sizes}
        {...props}
        value={value}
        onChange={setValue}
      />{" "}
      <Button htmlType="submit">查询</Button>
      <p>值：{value || "无"}</p>
    </form>
  );
}

/** `isRow`: records are shown by their row only. */
function Linked({ rows, isRow = false }: { rows: Sample[] | undefined; isRow?: boolean }) {
  const byId = { title: (id: number) => `样品 ${id}`, body: (id: number) => <p>编号 {id}</p> };
  return (
    <RecordDrawer<Sample>
      rows={rows}
      rowKey={({ id }) => id}
      detail={{ title: (row) => row.name, body: () => null, ...(!isRow && { linked: byId }) }}
    />
  );
}

const [broken] = samples.filter(({ state }) => state === "BROKEN");

export const listParts: Parts = {
  "list-page": listPage,
  "data-table": {
    selectable: { show: () => <Table /> },
    plain: { show: () => <Table isPlain /> },
    loading: { show: () => <Table isLoading /> },
  },
  filters: {
    empty: { show: Filters },
    applied: { show: Filters, search: "keyword=样品&state=BROKEN&from=2026-11-20T16:00:00.000Z" },
    open: { show: Filters, press: ["更多筛选"] },
    problem: { show: Filters, search: "phone=12", press: ["查询"] },
  },
  pagination: {
    counted: { show: () => <Pages total={123} /> },
    capped: { show: () => <Pages total={10_000} isTotalCapped /> },
    unknown: { show: () => <Pages /> },
  },
  "light-select": {
    empty: { show: () => <Choice /> },
    chosen: { show: () => <Choice value="20" /> },
    loading: { show: () => <Choice options={undefined} isOpen /> },
    unknown: { show: () => <Choice value="99" /> },
    open: { show: () => <Choice value="20" isOpen /> },
    searched: { show: () => <Choice options={stores} value="7" isOpen /> },
    none: { show: () => <Choice options={[]} isOpen /> },
  },
  "row-actions": {
    usual: {
      show: () => <RowActions of="样品 01" actions={samples.slice(0, 1).flatMap(actionsOf)} />,
    },
    blocked: { show: () => broken && <RowActions of={broken.name} actions={actionsOf(broken)} /> },
    menu: {
      show: () => broken && <RowActions of={broken.name} actions={actionsOf(broken)} />,
      press: ["更多操作：样品 03"],
    },
    buttons: {
      show: () => <ActionButtons actions={samples.slice(0, 1).flatMap(actionsOf)} first="edit" />,
    },
  },
  "drawer-list": {
    rows: { show: InDrawer, answers: [workingList] },
    loading: { show: InDrawer, answers: [listWith(never)] },
    empty: { show: InDrawer, answers: [listWith(() => ({ list: [], total: 0 }))] },
    error: { show: InDrawer, answers: [listWith(() => failed(500))] },
  },
  "record-drawer": {
    row: list({ search: "page=2&open=12" }),
    linked: { search: "open=7", show: () => <Linked rows={[]} /> },
    loading: { search: "open=7", show: () => <Linked rows={undefined} isRow /> },
    missing: list({ search: "open=999" }),
  },
};
