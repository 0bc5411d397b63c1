// 购买记录: cards bought by users, with uses left and the orders covered.
import {
  type PackageCard,
  packageContract,
} from "@cabinet/contract/money/package/package.contract.ts";
import {
  CARD_KINDS,
  cardStateText,
  packageKindText,
} from "@cabinet/contract/money/package/package.rules.ts";
import { sideQueryAt, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { OrderLink } from "../../../domain/order-link.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { choiceFilter, choicesOf, phoneFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listSums } from "../../../ui/list/list-sums.tsx";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { CardStatus, cardColumns } from "./package-columns.tsx";
import { buyerText, sidesText, usesText } from "./package-text.ts";
import "../../../ui/display/basics.css";

const filters = [
  timeRangeFilter(["from", "to"], "购买时间"),
  phoneFilter(),
  choiceFilter(
    "kind",
    "类型",
    CARD_KINDS.map((kind) => ({ value: kind, label: packageKindText[kind] })),
  ),
  choiceFilter("state", "状态", choicesOf(cardStateText)),
];

const sums = listSums(packageContract.cardSums, ({ priceFen, coveredFen, ...of }) => ({
  ...of,
  texts: { price: formatMoney(priceFen), covered: formatMoney(coveredFen) },
}));

export const prefetch = listPrefetch(packageContract.cards, sideQueryAt);

export default function CardListPage() {
  const side = usePageSide();
  const { texts, filter } = useListState();
  return (
    <ListPage
      title="套餐购买记录"
      heading={<ViewSwitch />}
      spec={packageContract.cards}
      fixed={{ side }}
      filters={filters}
      columns={cardColumns}
      sums={sums}
      rowKey={(card) => card.id}
      toolbar={
        texts.packageId && (
          <button type="button" className="ui-link" onClick={() => filter({ packageId: "" })}>
            只看一个套餐的购买记录，查看全部
          </button>
        )
      }
      detail={{
        title: (card) => `${card.name}：${buyerText(card)}`,
        body: (card) => <CardDetail card={card} />,
      }}
      emptyHint="用户购买次卡或月卡后，会出现在这里；充值赠送见“余额充值”的充值记录"
    />
  );
}

function CardDetail({ card }: { card: PackageCard }) {
  const limit = card.coverLimitFen;
  return (
    <>
      <DrawerSection title="套餐卡">
        <Facts
          facts={[
            ["用户", buyerText(card)],
            ["状态", <CardStatus key="state" of={card.state} />],
            ["类型", packageKindText[card.kind]],
            ["剩余次数", usesText(card)],
            ["购买价", formatMoney(card.priceFen)],
            ["单次最多抵扣", limit === null ? "不限" : formatMoney(limit)],
            ["适用设备", sidesText(card)],
            ["购买时间", formatDateTime(card.boughtAt)],
            ["有效期至", formatDateTime(card.expiresAt)],
            ["租户", card.tenantName],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="抵扣的订单">
        <CardUses card={card} />
      </DrawerSection>
    </>
  );
}

function CardUses({ card }: { card: PackageCard }) {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    packageContract.cardUses,
    { params: { id: card.id }, query: { page, pageSize } },
    { keepPreviousData: true },
  );
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText="暂无抵扣记录"
      row={({ orderId, side, cabinetName, compartmentNo, fen, usedAt }) => (
        <DrawerRow
          key={orderId}
          name={
            <>
              <OrderLink id={orderId} side={side} />
              <small>
                {cabinetName} {compartmentNo} 号格口
              </small>
            </>
          }
          state={
            <>
              {formatMoney(fen)}
              <small>{formatDateTime(usedAt)}</small>
            </>
          }
        />
      )}
    >
      共抵扣 {card.usedTimes} 单，{formatMoney(card.coveredFen)}
    </DrawerList>
  );
}
