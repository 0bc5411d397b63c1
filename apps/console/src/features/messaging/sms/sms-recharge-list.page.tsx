// 充值明细 and 查看短信: text message recharges of the own tenant or, for platform staff, of any tenant.
import {
  type SmsRecharge,
  smsCreditContract,
} from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import { useState } from "react";
import { useLocation } from "react-router";
import { ListPage } from "../../../domain/list-page.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime, formatMoney, formatNumber } from "../../../kit/format.ts";
import { Link } from "../../../kit/paths.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { choiceFilter } from "../../../ui/list/filters.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { listSums } from "../../../ui/list/list-sums.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { RechargeDialog, smsCreditChanged } from "./recharge-dialog.tsx";
import { SmsAccountBar, useSmsAccount } from "./sms-account-bar.tsx";
import "../../../ui/display/basics.css";
import "./sms.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  choiceFilter("kind", "类型", [
    { value: "RECHARGE", label: "充值" },
    { value: "REVERSAL", label: "撤回" },
  ]),
];

function kindOf({ reversesId, reversedById }: SmsRecharge) {
  if (reversesId !== null) return { text: "撤回", tone: "doubtful" } as const;
  return reversedById === null
    ? ({ text: "充值", tone: "good" } as const)
    : ({ text: "已撤回", tone: "quiet" } as const);
}

const withSign = (segments: number) => `${segments > 0 ? "+" : ""}${formatNumber(segments)}`;

const columns: Column<SmsRecharge>[] = [
  timeColumn("at", "时间"),
  tenantColumn(144),
  {
    key: "kind",
    title: "类型",
    width: 96,
    value: (row) => kindOf(row).text,
    render: (row) => <Status tone={kindOf(row).tone}>{kindOf(row).text}</Status>,
  },
  {
    key: "segments",
    title: "条数",
    width: 104,
    align: "right",
    render: (row) => withSign(row.segments),
  },
  moneyColumn({ key: "amount", title: "金额", fen: (row) => row.amountFen, width: 116 }),
  {
    key: "balanceAfter",
    title: "之后余额",
    width: 112,
    align: "right",
    render: (row) => formatNumber(row.balanceAfter),
  },
  { key: "reason", title: "说明", width: 220, exportWidth: 36 },
  { key: "actor", title: "操作人", width: 200, value: (row) => row.actorName },
];

const sums = listSums(smsCreditContract.recordSums, ({ segments, amountFen, ...of }) => ({
  ...of,
  texts: { segments: formatNumber(segments), amount: formatMoney(amountFen) },
}));

export const prefetch = listPrefetch(smsCreditContract.records);

export default function SmsRechargeListPage() {
  const isPlatform = useIsPlatform();
  const isOfTenantList = useLocation().pathname.startsWith("/register");
  const tenantId = Number(useListState().texts.tenantId) || undefined;
  const account = useSmsAccount(tenantId);
  const [isRecharging, setIsRecharging] = useState(false);
  const reverse = useWrite(smsCreditContract.reverse, smsCreditChanged);
  const { ask, dialog } = useAction();

  const askReverse = (row: SmsRecharge) =>
    ask({
      title: "撤回充值",
      effect: (
        <>
          将从 <b>{row.tenantName}</b> 的短信余额中扣回 <b>{formatNumber(row.segments)}</b>{" "}
          条，并记一笔 {formatMoney(-row.amountFen)} 的撤回；已经使用或冻结的不能撤回。
        </>
      ),
      confirm: "撤回",
      isDanger: true,
      reasons: ["充错租户", "条数填错", "付款未到账"],
      run: (reason) => reverse.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: "充值已撤回",
    });

  return (
    <>
      <ListPage
        title="充值明细"
        heading={
          <>
            {isOfTenantList ? (
              <header className="sms-heading">
                <h2>短信余额与充值</h2>
                <Link className="ui-link" to="/register/index">
                  返回租户列表
                </Link>
              </header>
            ) : (
              <ViewSwitch />
            )}
            <SmsAccountBar answer={account}>
              {isPlatform && (
                <Button
                  type="primary"
                  disabled={!account.data}
                  onClick={() => setIsRecharging(true)}
                >
                  充值
                </Button>
              )}
            </SmsAccountBar>
          </>
        }
        spec={smsCreditContract.records}
        filters={filters}
        columns={columns}
        sums={sums}
        rowKey={(row) => row.id}
        actions={
          isPlatform && {
            width: 80,
            of: (row) => `${row.tenantName} ${formatDateTime(row.at)}`,
            list: (row) => [
              {
                key: "reverse",
                label: "撤回",
                isDanger: true,
                blocked: obstacleOf(row),
                run: () => askReverse(row),
              },
            ],
          }
        }
        detail={{
          title: (row) => `${kindOf(row).text} ${withSign(row.segments)} 条`,
          body: (row) => (
            <DrawerSection title="详情">
              <Facts
                facts={[
                  ["类型", kindOf(row).text],
                  ["租户", row.tenantName],
                  ["条数", withSign(row.segments)],
                  ["金额", formatMoney(row.amountFen)],
                  ["之后余额", `${formatNumber(row.balanceAfter)} 条`],
                  ["说明", row.reason],
                  ["编号", row.id],
                  row.reversesId !== null
                    ? ["撤回的充值", row.reversesId]
                    : ["撤回记录", row.reversedById],
                  ["操作人", row.actorName],
                  ["时间", formatDateTime(row.at)],
                ]}
              />
            </DrawerSection>
          ),
        }}
        emptyHint={
          isPlatform ? "选择租户后点“充值”，记录会显示在这里" : "平台为您充值后，记录会显示在这里"
        }
      />
      <RechargeDialog
        account={isRecharging ? (account.data ?? null) : null}
        onClose={() => setIsRecharging(false)}
      />
      {dialog}
    </>
  );
}

function obstacleOf({ reversesId, reversedById }: SmsRecharge): string | undefined {
  if (reversesId !== null) return "这是一笔撤回";
  return reversedById === null ? undefined : "已经撤回";
}
