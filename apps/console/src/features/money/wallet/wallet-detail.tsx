// Detail view of one wallet: balances, holds with reasons, and journals.
import { type Wallet, walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { usePageSide } from "../../../domain/cabinet/page-side.ts";
import { OrderLink } from "../../../domain/order-link.tsx";
import { personText } from "../../../domain/person-text.ts";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { UserJournals } from "../ledger/index.ts";
import { LockStatus } from "./wallet-columns.tsx";
import { spendableFen } from "./wallet-text.ts";
import "../../../ui/display/basics.css";
import "./wallet.css";

export function WalletDetail({ wallet }: { wallet: Wallet }) {
  const may = usePermissions();
  const { data, error, refetch } = useCall(walletContract.get, {
    query: { endUserId: wallet.endUserId },
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const shown = data ?? wallet;
  return (
    <>
      <DrawerSection title="余额">
        <Facts
          facts={[
            ["可用余额", <b key="spendable">{formatMoney(spendableFen(shown))}</b>],
            ["本金", formatMoney(shown.principalFen)],
            ["赠金", formatMoney(shown.bonusFen)],
            ["冻结", formatMoney(shown.heldFen)],
            ["累计充值", data && formatMoney(data.rechargedFen)],
            ["累计获赠", data && formatMoney(data.giftedFen)],
            ["累计消费", data && formatMoney(data.spentFen)],
          ]}
        />
        {data && data.holds.length > 0 && <Holds holds={data.holds} />}
      </DrawerSection>
      <DrawerSection title="用户">
        <Facts
          facts={[
            ["用户", personText(shown)],
            ["状态", <LockStatus key="state" isLocked={shown.isLocked} />],
            ["租户", shown.tenantName],
            ["首次使用", data && formatDateTime(data.since)],
          ]}
        />
      </DrawerSection>
      {may("ledger:read") && (
        <DrawerSection title="交易记录">
          <UserJournals endUserId={wallet.endUserId}>{null}</UserJournals>
        </DrawerSection>
      )}
    </>
  );
}

interface HoldsProps {
  holds: readonly { orderId: number; principalFen: number; bonusFen: number; at: string }[];
}

function Holds({ holds }: HoldsProps) {
  const side = usePageSide();
  return (
    <ul className="wallet-holds">
      {holds.map((hold) => (
        <li key={hold.orderId}>
          订单 <OrderLink id={hold.orderId} side={side} /> 开门支付中，冻结{" "}
          {formatMoney(hold.principalFen + hold.bonusFen)}（{formatDateTime(hold.at)}{" "}
          起）：门确认打开后扣款，未打开则退回可用余额
        </li>
      ))}
    </ul>
  );
}
