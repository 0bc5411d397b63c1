// Hits that an empty order list has elsewhere: on the other side, in other states, in other periods.
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { sideBase } from "../../../domain/cabinet/page-side.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Link, type Path } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { type SearchValues, useListState, withSearchValues } from "../../../ui/list/list-state.ts";
import "../../../ui/display/basics.css";

const sideName: Record<Side, string> = { SINGLE: "单面设备", DOUBLE: "双面设备" };

export function OrdersElsewhere({ side }: { side: Side }) {
  const { texts } = useListState();
  const other = ({ SINGLE: "DOUBLE", DOUBLE: "SINGLE" } as const)[side];
  const anyState = { state: "", payStatus: "" };
  const anyTime = { from: "", to: "" };
  const hasState = Boolean(texts.state || texts.payStatus);
  const hasTime = Boolean(texts.from || texts.to);
  return (
    <p className="ui-state-links">
      {hasState && <Elsewhere side={side} without={anyState} name="其他状态" />}
      {hasTime && <Elsewhere side={side} without={anyTime} name="其他时间" />}
      <Elsewhere side={other} without={{}} name={sideName[other]} />
      {(hasState || hasTime) && (
        <Elsewhere
          side={other}
          without={{ ...anyState, ...anyTime }}
          name={`${sideName[other]}的其他状态或时间`}
        />
      )}
    </p>
  );
}

interface ElsewhereProps {
  side: Side;
  /** Filters that are dropped there. */
  without: SearchValues;
  name: string;
}

function Elsewhere({ side, without, name }: ElsewhereProps) {
  const { texts } = useListState();
  const there = withSearchValues(texts, { ...without, page: "", open: "" });
  const query = { ...queryFromText(orderContract.list.query, there), side, page: 1, pageSize: 1 };
  const { data } = useCall(orderContract.list, { query });
  if (!data || data.total === 0) return null;
  const path = `${sideBase(side)}/rider/order?${new URLSearchParams(there)}` as Path;
  return (
    <Link className="ui-link" to={path}>
      {name}有 {formatNumber(data.total)}
      {data.isTotalCapped && "+"} 条
    </Link>
  );
}
