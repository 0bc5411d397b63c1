// Result of a replay: sums by price line, duration and place, and the largest differences.

import type {
  PricingSimulation,
  ReplayedOrder,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { minutesText, type RatedRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { priceLineText } from "@cabinet/contract/money/pricing/stay-lines.rules.ts";
import { useState } from "react";
import { formatMoney, formatMoneyChange, formatNumber, formatShare } from "../../../kit/format.ts";
import { DetailDrawer } from "../../../ui/display/detail-drawer.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { EmptyState } from "../../../ui/display/states.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import { DataTable } from "../../../ui/list/data-table.tsx";
import { MenuBar } from "../../../ui/list/menu-bar.tsx";
import { ApplyRule, type SimulatedPlace } from "./apply-rule.tsx";
import { orderColumns, placeColumns } from "./simulator-columns.tsx";
import { Compared } from "./simulator-order.tsx";
import "../../../ui/chart/figure-cards.css";
import "./simulator.css";

interface SimulatorResultProps {
  rule: RatedRule;
  place: SimulatedPlace;
  /** Undefined while the server calculates. */
  data: PricingSimulation | undefined;
  isBusy: boolean;
}

export function SimulatorResult({ rule, place, data, isBusy }: SimulatorResultProps) {
  if (data?.orders === 0) {
    return (
      <PageCard className="simulator-part">
        <EmptyState
          title="没有可试算的订单"
          hint="所选日期、门店和设备没有已取出的订单，请放宽条件"
        />
      </PageCard>
    );
  }
  return (
    <>
      <PageCard className="simulator-part">
        <Sums data={data} isBusy={isBusy} />
        <p className="simulator-note">
          按所选日期内存入并已取出的订单，以同样的存放时长重算；含套餐抵扣和减免之前的费用，未计入改价对使用量的影响
        </p>
        {data && (
          <div>
            <ApplyRule rule={rule} place={place} />
          </div>
        )}
        {data && (
          <div className="simulator-tables">
            <Lines data={data} />
            <Lengths data={data} />
          </div>
        )}
      </PageCard>
      {data && <Places rule={rule} data={data} />}
    </>
  );
}

function Sums({ data, isBusy }: { data: PricingSimulation | undefined; isBusy: boolean }) {
  const difference = data ? data.newFen - data.oldFen : 0;
  const share = data && data.oldFen > 0 ? difference / data.oldFen : null;
  const figures: [title: string, value: string, note: string][] = data
    ? [
        ["试算订单", formatNumber(data.orders), `免费 ${data.oldFree} → ${data.newFree} 单`],
        ["实际费用", formatMoney(data.oldFen), `平均 ${formatMoney(mean(data.oldFen, data))}`],
        ["试算费用", formatMoney(data.newFen), `平均 ${formatMoney(mean(data.newFen, data))}`],
        ["差额", formatMoneyChange(difference), share === null ? "—" : signed(share)],
        ["费用降低", `${formatNumber(data.cheaper)} 单`, formatShare(data.cheaper / data.orders)],
        ["费用升高", `${formatNumber(data.dearer)} 单`, formatShare(data.dearer / data.orders)],
        ["超过滞留时限", `${formatNumber(data.newOverdue)} 单`, `实际 ${data.oldOverdue} 单`],
      ]
    : ["试算订单", "实际费用", "试算费用", "差额", "费用降低", "费用升高", "超过滞留时限"].map(
        (title) => [title, "", " "],
      );
  return (
    <ul className="ui-figures" aria-label="试算结果" aria-busy={isBusy}>
      {figures.map(([title, value, note]) => (
        <li key={title}>
          <span>{title}</span>
          {value ? <b>{value}</b> : <i className="ui-skeleton" />}
          <em>{note}</em>
        </li>
      ))}
    </ul>
  );
}

const mean = (fen: number, { orders }: PricingSimulation) => Math.round(fen / orders);
const signed = (share: number) => `${share > 0 ? "+" : ""}${formatShare(share)}`;

function Lines({ data }: { data: PricingSimulation }) {
  const { oldFen, newFen } = data;
  const rows = data.lines
    .filter((line) => line.oldFen !== 0 || line.newFen !== 0)
    .map((line) => ({ ...line, name: priceLineText[line.kind] }));
  return (
    <table className="simulator-table" aria-label="费用构成">
      <ComparisonHead title="费用构成" />
      <tbody>
        {rows.map((row) => (
          <ComparisonRow key={row.name} {...row} />
        ))}
        <ComparisonRow name="合计" {...{ oldFen, newFen }} isSum />
      </tbody>
    </table>
  );
}

function Lengths({ data }: { data: PricingSimulation }) {
  const rows = data.lengths.map(({ upToMinutes, ...row }, nth) => {
    const above = data.lengths[nth - 1]?.upToMinutes ?? null;
    const name =
      upToMinutes === null ? `超过 ${minutesText(above ?? 0)}` : spanText(above, upToMinutes);
    return { ...row, name: `${name}（${formatNumber(row.orders)} 单）` };
  });
  return (
    <table className="simulator-table" aria-label="存放时长">
      <ComparisonHead title="存放时长" />
      <tbody>
        {rows.map((row) => (
          <ComparisonRow key={row.name} {...row} />
        ))}
      </tbody>
    </table>
  );
}

function spanText(above: number | null, upTo: number): string {
  return above === null
    ? `${minutesText(upTo)}以内`
    : `${minutesText(above)}至 ${minutesText(upTo)}`;
}

function ComparisonHead({ title }: { title: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{title}</th>
        <th scope="col">实际</th>
        <th scope="col">试算</th>
        <th scope="col">差额</th>
      </tr>
    </thead>
  );
}

interface ComparisonRowProps {
  name: string;
  oldFen: number;
  newFen: number;
  isSum?: boolean;
}

function ComparisonRow({ name, oldFen, newFen, isSum }: ComparisonRowProps) {
  return (
    <tr data-sum={isSum}>
      <th scope="row">{name}</th>
      <td>{formatMoney(oldFen)}</td>
      <td>{formatMoney(newFen)}</td>
      <td>{formatMoneyChange(newFen - oldFen)}</td>
    </tr>
  );
}

const views = [
  ["STORE", "门店"],
  ["CABINET", "设备"],
  ["ORDER", "差额最大的订单"],
] as const;

function Places({ rule, data }: { rule: RatedRule; data: PricingSimulation }) {
  const [view, setView] = useState<(typeof views)[number][0]>("STORE");
  const [opened, setOpened] = useState<ReplayedOrder | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const places = view === "STORE" ? data.stores : data.cabinets;
  return (
    <PageCard className="simulator-part">
      <MenuBar
        left={<ChoiceBar label="差额" choices={views} chosen={view} onChoose={setView} />}
        right={null}
      />
      {view === "ORDER" ? (
        data.samples.length === 0 ? (
          <EmptyState title="没有费用不同的订单" hint="两条规则对这些订单的收费相同" />
        ) : (
          <DataTable<ReplayedOrder>
            label="差额最大的订单"
            columns={orderColumns}
            rows={data.samples}
            rowKey={(order) => order.orderId}
            expectedRows={10}
            onOpen={(order) => {
              setOpened(order);
              setIsOpen(true);
            }}
          />
        )
      ) : (
        <DataTable
          label={{ STORE: "各门店的差额", CABINET: "各设备的差额" }[view]}
          columns={placeColumns({ STORE: "门店", CABINET: "设备" }[view])}
          rows={places}
          rowKey={(place) => place.id}
          expectedRows={10}
        />
      )}
      <DetailDrawer
        open={isOpen}
        title={opened && `订单 ${opened.orderId}`}
        onClose={() => setIsOpen(false)}
      >
        {opened && <Compared order={opened} rule={rule} />}
      </DetailDrawer>
    </PageCard>
  );
}
