// 余额充值: list of wallets with manual recharge and adjustment.
import { type Wallet, walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import type { WalletAction } from "@cabinet/contract/money/wallet/wallet.rules.ts";
import { useState } from "react";
import { sideBase, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { CompanyHeading } from "../../../domain/cabinet/side-heading.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { personText } from "../../../domain/person-text.ts";
import { formatMoney } from "../../../kit/format.ts";
import { pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { choiceFilter, phoneFilter, textFilter } from "../../../ui/list/filters.tsx";
import { listSums } from "../../../ui/list/list-sums.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { WalletChangeDialog } from "./wallet-change-dialog.tsx";
import { walletColumns } from "./wallet-columns.tsx";
import { WalletDetail } from "./wallet-detail.tsx";
import { spendableFen } from "./wallet-text.ts";

const filters = [
  phoneFilter(),
  textFilter("name", "姓名"),
  choiceFilter("hasBalance", "余额", [
    { value: true, label: "有余额" },
    { value: false, label: "无余额" },
  ]),
];

const sums = listSums(walletContract.sums, (all) => ({
  ...all,
  texts: {
    spendable: formatMoney(spendableFen(all)),
    principal: formatMoney(all.principalFen),
    bonus: formatMoney(all.bonusFen),
    held: formatMoney(all.heldFen),
  },
}));

interface Changing {
  wallet: Wallet;
  action: WalletAction;
}

export const prefetch = listPrefetch(walletContract.list);

export default function WalletListPage() {
  const may = usePermissions();
  const side = usePageSide();
  const [changing, setChanging] = useState<Changing | null>(null);
  const actionsOf = (wallet: Wallet): RowAction[] =>
    [
      may("wallet:write") && {
        key: "recharge",
        label: "充值",
        run: () => setChanging({ wallet, action: "RECHARGE" as const }),
      },
      may("wallet:write") && {
        key: "adjust",
        label: "调整余额",
        run: () => setChanging({ wallet, action: "ADMIN_ADJUST" as const }),
      },
      may("ledger:read") && {
        key: "journals",
        label: "交易记录",
        to: pathTo(`${sideBase(side)}/pay/payRecord`, { endUserId: wallet.endUserId, side: "ALL" }),
      },
      {
        key: "topUps",
        label: "充值记录",
        to: pathTo(`${sideBase(side)}/pay/topUp?view=topUps`, { endUserId: wallet.endUserId }),
      },
    ].filter((action) => action !== false);

  return (
    <>
      <ListPage
        title="用户钱包"
        heading={<CompanyHeading note="余额不分单双面，两个菜单中相同" />}
        spec={walletContract.list}
        filters={filters}
        columns={walletColumns}
        sums={sums}
        rowKey={(wallet) => wallet.endUserId}
        actions={{ width: 168, of: personText, list: actionsOf }}
        detail={{
          title: personText,
          body: (wallet) => <WalletDetail key={wallet.endUserId} wallet={wallet} />,
        }}
        emptyHint="骑手或取件人第一次使用后，钱包会显示在这里"
      />
      <WalletChangeDialog changing={changing} onClose={() => setChanging(null)} />
    </>
  );
}
