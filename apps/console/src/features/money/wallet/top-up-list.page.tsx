// 充值记录: list of top-ups, cash or online, with state and refund.
import { payChannelText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { type TopUp, walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { topUpStateText } from "@cabinet/contract/money/wallet/wallet.rules.ts";
import { useState } from "react";
import { CompanyHeading } from "../../../domain/cabinet/side-heading.tsx";
import { ListPage } from "../../../domain/list-page.tsx";
import { personText } from "../../../domain/person-text.ts";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { choiceFilter, choicesOf, phoneFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listSums } from "../../../ui/list/list-sums.tsx";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { TopUpRefundDialog, TopUpRefunds } from "../payment/index.ts";
import { TopUpStatus, topUpColumns } from "./wallet-columns.tsx";
import "../../../ui/display/basics.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  phoneFilter(),
  choiceFilter("channel", "渠道", choicesOf(payChannelText)),
  choiceFilter("state", "状态", choicesOf(topUpStateText)),
];

const sums = listSums(walletContract.topUpSums, ({ principalFen, bonusFen, ...of }) => ({
  ...of,
  texts: {
    principal: formatMoney(principalFen),
    bonus: formatMoney(bonusFen),
    state: "不含未支付",
  },
}));

export const prefetch = listPrefetch(walletContract.topUps);

export default function TopUpListPage() {
  const { texts, filter } = useListState();
  const mayRefund = usePermission("top-up:refund");
  const [refunding, setRefunding] = useState<TopUp | null>(null);
  return (
    <>
      <ListPage
        title="充值记录"
        heading={<CompanyHeading note="充值不分单双面，两个菜单中相同" />}
        spec={walletContract.topUps}
        filters={filters}
        columns={topUpColumns}
        sums={sums}
        rowKey={(topUp) => topUp.id}
        toolbar={
          texts.endUserId && (
            <button type="button" className="ui-link" onClick={() => filter({ endUserId: "" })}>
              只看一个用户的充值，查看全部
            </button>
          )
        }
        detail={{
          title: (topUp) => `充值 ${formatMoney(topUp.principalFen)}`,
          body: (topUp) => <TopUpDetail topUp={topUp} />,
        }}
        actions={
          mayRefund && {
            width: 88,
            of: personText,
            list: (topUp) => [
              {
                key: "refund",
                label: "退款",
                isDanger: true,
                blocked: refundObstacle(topUp),
                run: () => setRefunding(topUp),
              },
            ],
          }
        }
        emptyHint="线下充值和用户在线充值都会记录在这里"
      />
      <TopUpRefundDialog
        topUp={refunding && { id: refunding.id, person: personText(refunding) }}
        onClose={() => setRefunding(null)}
      />
    </>
  );
}

/** Reason why a top-up cannot be refunded; undefined if it can. */
function refundObstacle({ state }: TopUp): string | undefined {
  if (state === "CREATED") return "未支付";
  if (state === "CLOSED") return "未支付，已关闭";
  return state === "REFUNDED" ? "已全部退回" : undefined;
}

function TopUpDetail({ topUp }: { topUp: TopUp }) {
  const mayRefund = usePermission("top-up:refund");
  return (
    <>
      <DrawerSection title="充值">
        <Facts
          facts={[
            ["用户", personText(topUp)],
            ["租户", topUp.tenantName],
            ["状态", <TopUpStatus key="state" of={topUp.state} />],
            ["实付", formatMoney(topUp.principalFen)],
            ["赠送", formatMoney(topUp.bonusFen)],
            ["套餐", topUp.packageName],
            ["说明", topUp.reason],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="支付">
        <Facts
          facts={[
            ["渠道", payChannelText[topUp.channel]],
            ["商户单号", topUp.outTradeNo],
            [{ CASH: "收据号", WECHAT: "支付单号" }[topUp.channel], topUp.transactionNo],
            ["操作人", topUp.actorName],
            ["创建时间", formatDateTime(topUp.createdAt)],
            ["到账时间", topUp.paidAt && formatDateTime(topUp.paidAt)],
          ]}
        />
      </DrawerSection>
      {mayRefund && <TopUpRefunds topUpId={topUp.id} />}
    </>
  );
}
