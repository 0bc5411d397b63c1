// The columns of 交易记录.
import type { Journal } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { type JournalKind, journalKindText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { OrderLink, orderNumberWidth } from "../../../domain/order-link.tsx";
import { personText } from "../../../domain/person-text.ts";
import { formatMoneyChange } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { actorText, changeFen } from "./journal-text.ts";

const kindTone: Record<JournalKind, Tone> = {
  RECHARGE: "good",
  RECHARGE_REFUND: "doubtful",
  PAYMENT: "quiet",
  PAYMENT_REFUND: "doubtful",
  PACKAGE_BUY: "quiet",
  ADMIN_ADJUST: "waiting",
};

export function JournalKindStatus({ of }: { of: JournalKind }) {
  return <Status tone={kindTone[of]}>{journalKindText[of]}</Status>;
}

export const journalColumns: Column<Journal>[] = [
  timeColumn("at", "时间"),
  {
    key: "kind",
    title: "类型",
    width: 108,
    value: (journal) => journalKindText[journal.kind],
    render: (journal) => <JournalKindStatus of={journal.kind} />,
  },
  {
    key: "person",
    title: "用户",
    width: 176,
    value: personText,
    render: (journal) => <CellText>{personText(journal)}</CellText>,
    exports: [
      { header: "姓名", width: 14, value: (journal) => journal.userName },
      { header: "手机号", width: 16, value: (journal) => journal.phone },
    ],
  },
  {
    key: "change",
    title: "金额",
    width: 108,
    align: "right",
    value: (journal) => changeFen(journal) / 100,
    render: (journal) => (
      <span className="journal-change" data-gain={changeFen(journal) > 0}>
        {formatMoneyChange(changeFen(journal))}
      </span>
    ),
    exports: [
      {
        header: "金额（元）",
        width: 14,
        format: "money",
        value: (journal) => changeFen(journal) / 100,
      },
    ],
  },
  moneyColumn({
    key: "principal",
    title: "本金变动",
    isChange: true,
    fen: (row) => row.principalFen,
  }),
  moneyColumn({ key: "bonus", title: "赠金变动", isChange: true, fen: (row) => row.bonusFen }),
  moneyColumn({
    key: "after",
    title: "变动后余额",
    fen: (row) => row.principalAfterFen + row.bonusAfterFen,
  }),
  {
    key: "order",
    title: "订单号",
    ...orderNumberWidth,
    value: (journal) => (journal.orderId === null ? "" : String(journal.orderId)),
    render: ({ orderId, side }) => <OrderLink id={orderId} side={side} />,
  },
  {
    key: "side",
    title: "单双面",
    width: 84,
    isSecondary: true,
    value: ({ side }) => (side ? sideText[side] : "不分"),
  },
  { key: "actor", title: "操作人", width: 152, value: actorText },
  { key: "reason", title: "说明", width: 168, isSecondary: true, exportWidth: 30 },
  {
    key: "id",
    title: "流水号",
    width: 96,
    isSecondary: true,
    value: (journal) => String(journal.id),
  },
];
