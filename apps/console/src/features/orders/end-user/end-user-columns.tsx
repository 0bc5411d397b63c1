// The columns of 用户列表.
import type {
  EndUser,
  endUserContract,
} from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { endUserStateText } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { personText } from "../../../domain/person-text.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Age, Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import { TagChips } from "./tag-chips.tsx";

type EndUserColumn = ColumnOf<typeof endUserContract.list>;

const SHOWN_TAGS = 2;

/** `已锁定`, with reason and end time in the tooltip. */
const userTone: Record<EndUser["state"], Tone> = { LOCKED: "bad", ACTIVE: "good" };

export function EndUserStatus({ user }: { user: EndUser }) {
  const title = lockText(user);
  return (
    <Status tone={userTone[user.state]} {...(title && { title })}>
      {endUserStateText[user.state]}
    </Status>
  );
}

/** `多次遗留物品（至 2026-12-01 12:00）`; empty unless locked. */
export function lockText({ state, lockReason, lockedUntil }: EndUser): string {
  if (state !== "LOCKED") return "";
  const until = lockedUntil === null ? "直到手动解锁" : `至 ${formatDateTime(lockedUntil)}`;
  return `${lockReason ?? "未填写原因"}（${until}）`;
}

const person: EndUserColumn = {
  key: "person",
  title: "用户",
  width: 176,
  value: personText,
  render: (row) => <CellText>{personText(row)}</CellText>,
  exports: [
    { header: "姓名", width: 14, value: (row) => row.userName },
    { header: "手机号", width: 16, value: (row) => row.phone },
  ],
};

export const endUserColumns: EndUserColumn[] = [
  person,
  {
    key: "tags",
    title: "标签",
    width: 168,
    exportWidth: 30,
    value: (row) => row.tags.map(({ name }) => name).join("、"),
    render: (row) => <TagChips tags={row.tags} most={SHOWN_TAGS} />,
  },
  {
    key: "state",
    title: "状态",
    width: 88,
    value: (row) => endUserStateText[row.state],
    render: (row) => <EndUserStatus user={row} />,
    exports: [
      { header: "状态", width: 10, value: (row) => endUserStateText[row.state] },
      { header: "锁定原因", width: 30, value: (row) => row.lockReason },
      {
        header: "自动解锁时间",
        format: "time",
        value: (row) => (row.lockedUntil ? formatDateTime(row.lockedUntil) : ""),
      },
    ],
  },
  {
    key: "lockText",
    title: "锁定说明",
    width: 160,
    isSecondary: true,
    exports: [],
    value: lockText,
    render: (row) => <CellText>{lockText(row)}</CellText>,
  },
  {
    ...moneyColumn<EndUser, "balance">({
      key: "balance",
      title: "余额",
      width: 104,
      sort: "balance",
      fen: (row) => row.principalFen + row.bonusFen,
    }),
    exports: [
      { header: "本金（元）", width: 14, format: "money", value: (row) => row.principalFen / 100 },
      { header: "赠金（元）", width: 14, format: "money", value: (row) => row.bonusFen / 100 },
      { header: "其中冻结（元）", width: 14, format: "money", value: (row) => row.heldFen / 100 },
    ],
  },
  {
    key: "liveOrders",
    title: "进行中订单",
    width: 96,
    align: "right",
    render: (row) =>
      row.liveOrders === 0 ? <span className="ui-cell-none">0</span> : row.liveOrders,
  },
  {
    key: "lastSeenAt",
    title: "最近使用",
    ...timeWidth,
    sort: "lastSeenAt",
    value: (row) => (row.lastSeenAt ? formatDateTime(row.lastSeenAt) : ""),
    render: (row) => <Age time={row.lastSeenAt} />,
  },
  timeColumn("createdAt", "注册时间", { isSecondary: true }),
];
