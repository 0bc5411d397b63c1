// Detail view of one difference: both amounts, advice and resolution.
import type { Difference } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import {
  areaOf,
  differenceAdvice,
  differenceAreaText,
  differenceStateText,
} from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import { sideBase, usePageSide } from "../../../domain/cabinet/page-side.ts";
import { OrderLink } from "../../../domain/order-link.tsx";
import { formatDateTime, formatMoney, formatMoneyChange } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { gapOf, personOf } from "./difference-columns.tsx";
import "../../../ui/display/basics.css";
import "./payment.css";

export function DifferenceDetail({ difference }: { difference: Difference }) {
  const gap = gapOf(difference);
  return (
    <>
      <DrawerSection title="差异">
        <Facts
          facts={[
            ["对象", difference.subject],
            ["范围", differenceAreaText[areaOf(difference.kind)]],
            ["账面金额", formatMoney(difference.expectedFen)],
            ["实际金额", formatMoney(difference.actualFen)],
            ["差额", gap === null ? null : formatMoneyChange(gap)],
            ["账期", difference.day],
            ["说明", difference.detail],
            ["租户", difference.tenantName],
            ["首次发现", formatDateTime(difference.foundAt)],
            ["最近发现", formatDateTime(difference.seenAt)],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="处理建议">
        <p className="difference-advice">{differenceAdvice[difference.kind]}</p>
      </DrawerSection>
      <Related difference={difference} />
      <DrawerSection title="处理结果">
        <Facts
          facts={[
            ["状态", differenceStateText[difference.state]],
            ["处理人", difference.resolvedBy],
            ["处理时间", difference.resolvedAt && formatDateTime(difference.resolvedAt)],
            ["结果", difference.resolution],
          ]}
        />
      </DrawerSection>
    </>
  );
}

/** Links to the related user, order, journals and top-up. */
function Related({ difference }: { difference: Difference }) {
  const side = usePageSide();
  const base = sideBase(side);
  const may = usePermissions();
  const { orderId, endUserId, topUpId } = difference;
  if (orderId === null && endUserId === null) return null;
  return (
    <DrawerSection title="相关记录">
      <Facts
        facts={[
          ["用户", personOf(difference)],
          ["订单", orderId !== null && <OrderLink key="order" id={orderId} side={side} />],
          [
            "交易记录",
            endUserId !== null && (
              <Link
                key="journals"
                className="ui-link"
                to={pathTo(`${base}/pay/payRecord`, { endUserId, side: "ALL" })}
              >
                查看该用户的交易
              </Link>
            ),
          ],
          [
            "充值记录",
            topUpId !== null && may("wallet:read") && (
              <Link
                key="topUp"
                className="ui-link"
                to={pathTo(`${base}/pay/topUp?view=topUps`, { endUserId })}
              >
                查看该用户的充值
              </Link>
            ),
          ],
        ].map(([name, value]) => [name as string, value || null] as const)}
      />
    </DrawerSection>
  );
}
