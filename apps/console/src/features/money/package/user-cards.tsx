// Cards of one person in a drawer, those that can be used first.
import { packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerList, DrawerRow, useDrawerPages } from "../../../ui/list/drawer-list.tsx";
import { CardStatus } from "./package-columns.tsx";
import { usesText } from "./package-text.ts";

export function UserCards({ endUserId }: { endUserId: number }) {
  const pages = useDrawerPages();
  const { page, pageSize } = pages;
  const answer = useCall(
    packageContract.cards,
    { query: { endUserId, page, pageSize } },
    { keepPreviousData: true },
  );
  return (
    <DrawerList
      answer={answer}
      pages={pages}
      emptyText="暂无套餐卡"
      row={(card) => (
        <DrawerRow
          key={card.id}
          name={
            <>
              {card.name}
              <small>有效期至 {formatDateTime(card.expiresAt)}</small>
            </>
          }
          state={
            <>
              <CardStatus of={card.state} />
              <small>剩余 {usesText(card)}</small>
            </>
          }
        />
      )}
    >
      {null}
    </DrawerList>
  );
}
