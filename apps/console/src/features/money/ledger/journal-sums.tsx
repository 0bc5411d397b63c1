// Sums of the filtered journals by kind.

import { SUM_CAP } from "@cabinet/contract/kit/pagination.ts";
import { queryFromText } from "@cabinet/contract/kit/query-text.rules.ts";
import { type JournalSum, ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { JOURNAL_KINDS, journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { useSideChoice } from "../../../domain/cabinet/page-side.ts";
import { formatMoneyChange, formatNumber } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { useListState } from "../../../ui/list/list-state.ts";
import { changeFen } from "./journal-text.ts";
import "./journal.css";

export function JournalSums() {
  const side = useSideChoice();
  const { texts } = useListState();
  const query = { ...queryFromText(ledgerContract.sums.query, texts), ...side.query };
  // The row of sums below the table requests them, after the rows.
  const { data } = useCall(ledgerContract.sums, { query }, { enabled: false });
  if (!data || data.sums.length === 0) return null;
  return (
    <ul className="journal-sums" aria-label="合计">
      {inOrder(data.sums).map((sum) => (
        <li key={sum.kind} title={`${formatNumber(sum.count)} 笔`}>
          {journalKindText[sum.kind]}
          <b>{formatMoneyChange(changeFen(sum))}</b>
        </li>
      ))}
      {data.isCapped && <li>仅合计最近 {formatNumber(SUM_CAP)} 笔，可缩小时间范围</li>}
    </ul>
  );
}

/** Sorted like the kinds of the filter: income first, then spending. */
function inOrder(sums: readonly JournalSum[]): JournalSum[] {
  return JOURNAL_KINDS.flatMap((kind) => sums.filter((sum) => sum.kind === kind));
}
