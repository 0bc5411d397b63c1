// 交易记录: list of journals, filtered by person, order and time, with sums by kind.
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { sideQueryAt, useSideChoice } from "../../../domain/cabinet/page-side.ts";
import { SideHeading } from "../../../domain/cabinet/side-heading.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { formatMoneyChange } from "../../../kit/format.ts";
import { choiceFilter, choicesOf, digitsFilter, phoneFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listSums } from "../../../ui/list/list-sums.tsx";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { journalColumns } from "./journal-columns.tsx";
import { JournalDetail } from "./journal-detail.tsx";
import { JournalSums } from "./journal-sums.tsx";
import { changeFen } from "./journal-text.ts";
import "../../../ui/display/basics.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  choiceFilter("kind", "类型", choicesOf(journalKindText)),
  phoneFilter(),
  digitsFilter("orderNo", "订单号", "完整订单号", 16),
];

const sums = listSums(ledgerContract.sums, ({ sums: kinds, isCapped }) => {
  const all = { count: 0, principalFen: 0, bonusFen: 0 };
  for (const { count, principalFen, bonusFen } of kinds) {
    all.count += count;
    all.principalFen += principalFen;
    all.bonusFen += bonusFen;
  }
  return {
    count: all.count,
    isCapped,
    texts: {
      change: formatMoneyChange(changeFen(all)),
      principal: formatMoneyChange(all.principalFen),
      bonus: formatMoneyChange(all.bonusFen),
    },
  };
});

export const prefetch = listPrefetch(ledgerContract.list, sideQueryAt);

export default function JournalListPage() {
  const side = useSideChoice();
  const { texts, filter } = useListState();
  return (
    <ListPage
      title="交易记录"
      heading={
        <SideHeading note="只含订单的支付与退款：充值、套餐和人工调整不分单双面，在“全部”中" />
      }
      spec={ledgerContract.list}
      fixed={side.query}
      filters={filters}
      columns={journalColumns}
      sums={sums}
      rowKey={(journal) => journal.id}
      toolbar={
        texts.endUserId ? (
          <button type="button" className="ui-link" onClick={() => filter({ endUserId: "" })}>
            只看一个用户的交易，查看全部
          </button>
        ) : (
          <JournalSums />
        )
      }
      detail={{
        title: (journal) => `${journalKindText[journal.kind]} ${journal.id}`,
        body: (journal) => <JournalDetail key={journal.id} journal={journal} />,
      }}
      emptyHint="充值、支付、退款和调整都会记录在这里"
    />
  );
}
