// The columns of the store list.
import type { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Store, storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import type { Static } from "typebox";
import { formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";
import "./store.css";

type StoreColumn = ColumnOf<typeof storeContract.list>;

const nameColumn: StoreColumn = { key: "name", title: "门店名称", width: 132, sort: "name" };

export const storeColumns: StoreColumn[] = [
  nameColumn,
  { key: "code", title: "编码", width: 72, sort: "code" },
  { key: "region", title: "地区", width: 164 },
  {
    key: "address",
    title: "地址",
    width: 140,
    exportWidth: 36,
    exports: [
      { header: "地址", width: 36, value: (row) => row.address },
      { header: "经度（GCJ-02）", width: 16, value: (row) => row.longitude },
      { header: "纬度（GCJ-02）", width: 16, value: (row) => row.latitude },
    ],
  },
  {
    key: "cabinets",
    title: "设备",
    width: 72,
    align: "right",
    sort: "cabinets",
    render: (row) => <CabinetCount store={row} count={row.cabinets} />,
  },
  {
    key: "online",
    title: "在线",
    width: 60,
    align: "right",
    render: (row) => (
      <CabinetCount store={row} count={row.online} filter={{ connectivity: "ONLINE" }} />
    ),
  },
  {
    key: "faulty",
    title: "有故障",
    width: 72,
    align: "right",
    render: (row) => (
      <CabinetCount store={row} count={row.faulty} filter={{ hasFault: true }} isBad />
    ),
  },
  { key: "manager", title: "负责人", width: 76, value: (row) => row.managerName },
  {
    key: "contact",
    title: "联系人",
    width: 168,
    value: (row) => `${row.contactName} ${row.contactPhone}`.trim(),
    render: (row) => (
      <CellText>{[row.contactName, row.contactPhone].filter(Boolean).join(" ")}</CellText>
    ),
  },
  { key: "openingHours", title: "营业时间", width: 120, exportWidth: 36, isSecondary: true },
  { key: "remark", title: "备注", width: 140, exportWidth: 36, isSecondary: true },
];

type CabinetFilter = Partial<Static<typeof cabinetContract.list.query>>;

/** Path of 设备列表 filtered by store. */
export function cabinetsLink(storeId: number, filter: CabinetFilter = {}) {
  return pathTo("/cupboard/index", { storeId, ...filter });
}

interface CabinetCountProps {
  store: Store;
  count: number;
  filter?: CabinetFilter;
  isBad?: boolean;
}

function CabinetCount({ store, count, filter, isBad = false }: CabinetCountProps) {
  if (count === 0) return <span className="store-count-none">0</span>;
  return (
    <Link
      className="ui-link store-count"
      data-bad={isBad || undefined}
      to={cabinetsLink(store.id, filter)}
      title="在设备列表中查看"
    >
      {formatNumber(count)}
    </Link>
  );
}
