// Journals of one person in a drawer, newest first.
import { type Journal, ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { ReactNode } from "react";
import { formatDateTime, formatMoney, formatMoneyChange } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { changeFen } from "./journal-text.ts";
import "./journal.css";

export function UserJournals({ endUserId, children }: { endUserId: number; children: ReactNode }) {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    ledgerContract.list,
    { query: { endUserId, page, pageSize } },
    { keepPreviousData: true },
  );
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText="暂无交易"
      row={(journal: Journal) => (
        <DrawerRow
          key={journal.id}
          name={
            <>
              {journalKindText[journal.kind]}
              <small>
                {[formatDateTime(journal.at), journal.reason].filter(Boolean).join("，")}
              </small>
            </>
          }
          state={
            <>
              <b className="journal-change" data-gain={changeFen(journal) > 0}>
                {formatMoneyChange(changeFen(journal))}
              </b>
              <small>余额 {formatMoney(journal.principalAfterFen + journal.bonusAfterFen)}</small>
            </>
          }
        />
      )}
    >
      {children}
    </DrawerList>
  );
}
