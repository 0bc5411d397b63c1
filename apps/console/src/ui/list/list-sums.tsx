// Table of a list with a row of sums below it: over all rows of its filters, requested after the rows.
import type { EndpointSpec, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { type Page, SUM_CAP } from "@cabinet/contract/kit/pagination.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import type { LiveTopic } from "@cabinet/contract/live/live.rules.ts";
import type { TObject } from "typebox";
import type { CallInput } from "../../kit/api.ts";
import { formatNumber } from "../../kit/format.ts";
import { useAccess } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { useLiveRefresh } from "../live/live.tsx";
import { ListTable, type ListTableProps } from "./list-table.tsx";
import type { List } from "./use-list.ts";
import "../display/basics.css";
import "./list-sums.css";

/** Sums of a list; texts by the key of the column below which they are shown. */
export interface SumRow {
  count: number;
  isCapped?: boolean | undefined;
  texts: Readonly<Record<string, string>>;
}

/** The call that sums the rows of a list, and the row that shows its reply. */
export interface ListSums {
  spec: EndpointSpec & { query: TObject };
  rowOf: (reply: unknown) => SumRow;
}

export function listSums<Spec extends EndpointSpec & { query: TObject }>(
  spec: Spec,
  rowOf: (reply: Reply<Spec>) => SumRow,
): ListSums {
  return { spec, rowOf: rowOf as ListSums["rowOf"] };
}

interface SummedTableProps<Row> extends Omit<ListTableProps<Row>, "foot"> {
  sums: ListSums;
  /** Query parameters that are not in the URL. */
  fixed: object | undefined;
}

/** A list that refreshes itself every three seconds does not sum as often. */
const FRESH_MS = 15_000;

/** No sums without access to their call or without rows. */
export function SummedTable<Row>({ sums, fixed, ...table }: SummedTableProps<Row>) {
  const { spec, rowOf } = sums;
  const { list, columns } = table;
  const isShown = useAccess()(spec.access) && Boolean(list.page?.total);
  const query = { ...queryFromText(spec.query, list.state.texts), ...fixed };
  const { data, error, refetch } = useCall(
    spec as EndpointSpec,
    { query } as CallInput<EndpointSpec>,
    {
      enabled: isShown && !list.isRefreshing,
      staleTime: FRESH_MS,
    },
  );
  const row = data === undefined ? null : rowOf(data);
  const hasFailed = row === null && error !== null;
  const foot = isShown && (
    <tfoot className="ui-sums" aria-busy={row === null && !hasFailed}>
      <tr>
        {table.selection && <td className="ui-table-check" />}
        {columns.map(({ key, title, align }, index) =>
          index === 0 ? (
            <th key={key} scope="row" className="ui-table-name">
              {row ? <CountText row={row} /> : hasFailed ? "合计加载失败" : "合计"}
              {hasFailed && (
                <button type="button" className="ui-link" onClick={() => void refetch()}>
                  重试
                </button>
              )}
            </th>
          ) : (
            <td key={key} data-align={align} data-label={title}>
              {row?.texts[key]}
            </td>
          ),
        )}
        {table.actions && <td className="ui-table-actions" />}
      </tr>
    </tfoot>
  );
  return <ListTable<Row> {...table} list={counted(list, row)} foot={foot} />;
}

/** The sums count further than the list: below one table there are not two numbers of rows. */
function counted<Row>(list: List<Row>, row: SumRow | null): List<Row> {
  const { page } = list;
  if (!page?.isTotalCapped || list.isOther || !row || row.count < page.total) return list;
  const total: Page<Row> = { list: page.list, total: row.count };
  return { ...list, page: row.isCapped ? { ...total, isTotalCapped: true } : total };
}

function CountText({ row: { count, isCapped } }: { row: SumRow }) {
  const number = formatNumber(count);
  if (!isCapped) return `合计 ${number} 条`;
  return <span title={`仅合计最近 ${formatNumber(SUM_CAP)} 条，可缩小范围`}>最近 {number} 条</span>;
}

interface LiveSumsProps {
  topic: LiveTopic;
  cabinetId: number | undefined;
  refresh: () => unknown;
}

/** Refreshes the sums after changes of the topic, less often than the rows. */
export function LiveSums({ topic, cabinetId, refresh }: LiveSumsProps) {
  useLiveRefresh(topic, refresh, { cabinetId, pace: "calm" });
  return null;
}
