// 资金复核: requests of the account, and those that it may agree to or refuse.
import { journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { type Review, reviewContract } from "@cabinet/contract/money/review/review.contract.ts";
import { type ReviewState, reviewStateText } from "@cabinet/contract/money/review/review.rules.ts";
import { notificationContract } from "@cabinet/contract/operations/notification/notification.contract.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { personText } from "../../../domain/person-text.ts";
import { formatDateTime, formatMoneyChange } from "../../../kit/format.ts";
import { useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { choiceFilter, choicesOf } from "../../../ui/list/filters.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";

const filters = [choiceFilter("state", "状态", choicesOf(reviewStateText))];

const stateTone: Record<ReviewState, Tone> = {
  PENDING: "waiting",
  APPROVED: "good",
  REFUSED: "bad",
  EXPIRED: "quiet",
};

function StateStatus({ of }: { of: ReviewState }) {
  return <Status tone={stateTone[of]}>{reviewStateText[of]}</Status>;
}

const sumOf = ({ principalFen, bonusFen }: Review) => principalFen + bonusFen;

const columns: Column<Review>[] = [
  timeColumn("requestedAt", "提交时间"),
  {
    key: "state",
    title: "状态",
    width: 96,
    value: ({ state }) => reviewStateText[state],
    render: ({ state }) => <StateStatus of={state} />,
  },
  { key: "kind", title: "操作", width: 108, value: ({ kind }) => journalKindText[kind] },
  {
    key: "person",
    title: "用户",
    width: 176,
    value: personText,
    render: (row) => <CellText>{personText(row)}</CellText>,
  },
  moneyColumn({ key: "sum", title: "金额", isChange: true, fen: sumOf }),
  { key: "reason", title: "原因", width: 180, exportWidth: 30 },
  { key: "requesterName", title: "提交人", width: 152 },
  { key: "deciderName", title: "复核人", width: 152 },
];

export const prefetch = listPrefetch(reviewContract.list);

const invalidates = [notificationContract.list];

export default function ReviewListPage() {
  const { ask, dialog } = useAction();
  const approve = useWrite(reviewContract.approve, { invalidates });
  const refuse = useWrite(reviewContract.refuse, { invalidates });
  const nameOf = (row: Review) => `${journalKindText[row.kind]} ${formatMoneyChange(sumOf(row))}`;
  const askApprove = (row: Review) =>
    ask({
      title: "同意并执行",
      effect: (
        <p>
          <b>{nameOf(row)}</b>，用户 {personText(row)}，{row.requesterName} 提交，原因：{row.reason}
          。同意后立即执行，不能撤销。
        </p>
      ),
      confirm: "同意并执行",
      run: () => approve.mutateAsync({ params: { id: row.id } }),
      done: `已同意并执行：${nameOf(row)}`,
    });
  const askRefuse = (row: Review) =>
    ask({
      title: row.isOwn ? "撤回" : "拒绝",
      effect: (
        <p>
          <b>{nameOf(row)}</b>，用户 {personText(row)}，将不执行。需要时可以重新提交。
        </p>
      ),
      confirm: row.isOwn ? "撤回" : "拒绝",
      isDanger: true,
      reasons: row.isOwn ? ["填写有误", "不再需要"] : ["金额不对", "没有凭据", "请先与我核实"],
      run: (reason) => refuse.mutateAsync({ params: { id: row.id }, body: { reason } }),
      done: row.isOwn ? "已撤回" : "已拒绝",
    });
  return (
    <>
      <ListPage
        title="资金复核"
        spec={reviewContract.list}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.id}
        live="notice"
        actions={{
          width: 120,
          of: nameOf,
          list: (row) => {
            if (row.state !== "PENDING") return [];
            const withdraw = { key: "refuse", label: "撤回", run: () => askRefuse(row) };
            if (row.isOwn) return [withdraw];
            return [
              { key: "approve", label: "同意", run: () => askApprove(row) },
              { ...withdraw, label: "拒绝", isDanger: true },
            ];
          },
        }}
        detail={{ title: nameOf, body: (row) => <ReviewFacts review={row} /> }}
        emptyHint="超过租户复核金额的充值、调整、退款、售卡会出现在这里，由另一人同意后执行"
      />
      {dialog}
    </>
  );
}

function ReviewFacts({ review }: { review: Review }) {
  const { state, decidedAt, decision } = review;
  return (
    <DrawerSection title="申请">
      <Facts
        facts={[
          ["状态", <StateStatus key="state" of={state} />],
          ["用户", personText(review)],
          ["租户", review.tenantName],
          ["本金变动", formatMoneyChange(review.principalFen)],
          ["赠金变动", formatMoneyChange(review.bonusFen)],
          ["订单号", review.orderId && String(review.orderId)],
          ["原因", review.reason],
          ["提交人", review.requesterName],
          ["提交时间", formatDateTime(review.requestedAt)],
          ["有效至", formatDateTime(review.expiresAt)],
          ["复核人", review.deciderName],
          ["复核时间", decidedAt && formatDateTime(decidedAt)],
          ["拒绝原因", decision],
        ]}
      />
    </DrawerSection>
  );
}
