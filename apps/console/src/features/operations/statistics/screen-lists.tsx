// Lists of the big screen: the stores with most orders, the newest orders, open alarms.

import type { Screen } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { malfunctionKindText } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { formatMoney, formatNumber, formatTime } from "../../../kit/format.ts";
import { Age } from "../../../ui/display/status.tsx";
import { Lines, Panel } from "./screen-panel.tsx";

interface ListProps {
  data: Screen | undefined;
  at: string | null;
}

export function ScreenTopStores({ data, at }: ListProps) {
  const most = Math.max(1, ...(data?.topStores.map(({ started }) => started) ?? []));
  return (
    <Panel area="top" title="近 7 天门店排行" at={at}>
      <Lines rows={data?.topStores} empty="近 7 天暂无订单">
        {(store) => (
          <li key={store.id ?? 0} className="screen-rank">
            <b>{store.name}</b>
            <span>{formatNumber(store.started)} 单</span>
            <span>{formatMoney(store.netFen)}</span>
            <i style={{ width: `${(store.started / most) * 100}%` }} />
          </li>
        )}
      </Lines>
    </Panel>
  );
}

const warned = new Set(["OVERDUE", "EXCEPTION"]);

export function ScreenOrders({ data, at }: ListProps) {
  return (
    <Panel area="orders" title="最新订单" at={at}>
      <Lines rows={data?.orders} empty="暂无订单">
        {(order) => (
          <li key={order.id} className="screen-order">
            <time>{formatTime(order.createdAt)}</time>
            <b>{order.cabinetName}</b>
            <span>{sizeText[order.size]}格</span>
            <em
              data-tone={warned.has(order.state) ? "bad" : order.state === "STORED" ? "good" : ""}
            >
              {orderStateText[order.state]}
            </em>
          </li>
        )}
      </Lines>
    </Panel>
  );
}

export function ScreenAlarms({ data, at }: ListProps) {
  const title = data ? `未完结故障 ${formatNumber(data.openAlarms)}` : "未完结故障";
  return (
    <Panel area="alarms" title={title} at={at}>
      <Lines rows={data?.alarms} empty="暂无未完结故障">
        {(alarm) => (
          <li key={`${alarm.tenantId} ${alarm.id}`} className="screen-alarm">
            <em data-tone="bad" data-severity={alarm.severity}>
              {alarm.severity === "SEVERE" && "严重 · "}
              {alarm.isStoreOutage ? "门店断网" : malfunctionKindText[alarm.kind]}
            </em>
            <b title={alarm.description}>{alarm.place}</b>
            <Age time={alarm.createdAt} />
          </li>
        )}
      </Lines>
    </Panel>
  );
}
