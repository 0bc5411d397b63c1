// The columns of 用户钱包 and of 充值记录.
import { payChannelText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type {
  TopUp,
  Wallet,
  walletContract,
} from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { type TopUpState, topUpStateText } from "@cabinet/contract/money/wallet/wallet.rules.ts";
import { personText } from "../../../domain/person-text.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Age, Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import { spendableFen } from "./wallet-text.ts";

type WalletColumn = ColumnOf<typeof walletContract.list>;

type Person = Pick<Wallet, "userName" | "phone" | "tenantName">;

function personColumn<Row extends Person>(): Column<Row> {
  return {
    key: "person",
    title: "用户",
    width: 188,
    value: personText,
    render: (row) => <CellText>{personText(row)}</CellText>,
    exports: [
      { header: "姓名", width: 14, value: (row) => row.userName },
      { header: "手机号", width: 16, value: (row) => row.phone },
    ],
  };
}

export const walletColumns: WalletColumn[] = [
  personColumn<Wallet>(),
  moneyColumn({ key: "spendable", title: "可用余额", width: 120, fen: spendableFen }),
  moneyColumn({
    key: "principal",
    title: "本金",
    sort: "principal",
    fen: (row) => row.principalFen,
  }),
  moneyColumn({ key: "bonus", title: "赠金", sort: "bonus", fen: (row) => row.bonusFen }),
  moneyColumn({ key: "held", title: "冻结", fen: (row) => row.heldFen }),
  {
    key: "state",
    title: "用户状态",
    width: 96,
    value: (row) => (row.isLocked ? "已锁定" : "正常"),
    render: (row) => <LockStatus isLocked={row.isLocked} />,
  },
  {
    key: "lastChangeAt",
    title: "最近变动",
    ...timeWidth,
    value: (row) => (row.lastChangeAt ? formatDateTime(row.lastChangeAt) : ""),
    render: (row) => <Age time={row.lastChangeAt} />,
  },
];

const stateTone: Record<TopUpState, Tone> = {
  CREATED: "waiting",
  PAID: "good",
  CLOSED: "quiet",
  PARTIAL_REFUND: "doubtful",
  REFUNDED: "doubtful",
};

export function LockStatus({ isLocked }: { isLocked: boolean }) {
  return <Status tone={isLocked ? "bad" : "good"}>{isLocked ? "已锁定" : "正常"}</Status>;
}

export function TopUpStatus({ of }: { of: TopUpState }) {
  return <Status tone={stateTone[of]}>{topUpStateText[of]}</Status>;
}

export const topUpColumns: Column<TopUp>[] = [
  timeColumn("createdAt", "时间"),
  personColumn<TopUp>(),
  moneyColumn({ key: "principal", title: "实付", fen: (row) => row.principalFen }),
  moneyColumn({ key: "bonus", title: "赠送", fen: (row) => row.bonusFen }),
  { key: "channel", title: "渠道", width: 96, value: (row) => payChannelText[row.channel] },
  {
    key: "state",
    title: "状态",
    width: 100,
    value: (row) => topUpStateText[row.state],
    render: (row) => <TopUpStatus of={row.state} />,
  },
  { key: "package", title: "套餐", width: 128, value: (row) => row.packageName },
  {
    key: "transactionNo",
    title: "支付单号/收据号",
    width: 168,
    keepsEnd: true,
    isSecondary: true,
    exportWidth: 34,
  },
  { key: "actor", title: "操作人", width: 200, value: (row) => row.actorName },
  { key: "reason", title: "说明", width: 168, isSecondary: true, exportWidth: 30 },
];
