// Calls for wallets of riders and recipients and for manual recharges (余额充值).
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import {
  amountOf,
  Id,
  Nullable,
  OneOf,
  PersonPhonePart,
  Reason,
  Strict,
  TenantId,
  Timestamp,
} from "../../kit/fields.ts";
import { PageOf, PageQuery, SumsOf } from "../../kit/pagination.ts";
import { ACTOR_KINDS } from "../../vocabulary/order.rules.ts";
import { PAY_CHANNELS } from "../ledger/ledger.rules.ts";
import { MAX_CHANGE_FEN, TOP_UP_STATES, WALLET_ACTIONS } from "./wallet.rules.ts";

const person = {
  endUserId: Id,
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  userName: Type.String(),
  phone: Type.String({ description: "已隐藏中间四位" }),
};

export const Wallet = Type.Object({
  ...person,
  isLocked: Type.Boolean({ description: "用户已锁定" }),
  principalFen: Type.Integer(),
  bonusFen: Type.Integer(),
  heldFen: Type.Integer({ description: "其中为进行中的支付冻结" }),
  lastChangeAt: Nullable(Timestamp),
});
export type Wallet = Static<typeof Wallet>;

export const WalletDetail = Type.Object({
  ...Wallet.properties,
  since: Timestamp,
  /** Totals over all journals, unsigned. */
  rechargedFen: Type.Integer({ description: "累计充值" }),
  giftedFen: Type.Integer({ description: "累计获赠" }),
  spentFen: Type.Integer({ description: "累计消费，已减去退款" }),
  holds: Type.Array(
    Type.Object({
      orderId: Id,
      principalFen: Type.Integer(),
      bonusFen: Type.Integer(),
      at: Timestamp,
    }),
    { description: "冻结中的支付" },
  ),
});
export type WalletDetail = Static<typeof WalletDetail>;

export const TopUp = Type.Object({
  id: Id,
  ...person,
  channel: OneOf(PAY_CHANNELS),
  state: OneOf(TOP_UP_STATES),
  principalFen: Type.Integer({ description: "实付金额" }),
  bonusFen: Type.Integer({ description: "赠送金额" }),
  packageName: Nullable(Type.String()),
  outTradeNo: Nullable(Type.String({ description: "商户单号" })),
  transactionNo: Nullable(Type.String({ description: "支付单号或收据号" })),
  createdAt: Timestamp,
  paidAt: Nullable(Timestamp),
  actorKind: OneOf(ACTOR_KINDS),
  actorName: Type.String(),
  reason: Nullable(Type.String()),
});
export type TopUp = Static<typeof TopUp>;

const change = (title: string) =>
  Type.Integer({ title, minimum: -MAX_CHANGE_FEN, maximum: MAX_CHANGE_FEN });

const WalletChangeBody = Strict({
  endUserId: Id,
  kind: OneOf(WALLET_ACTIONS, "操作"),
  principalFen: change("本金"),
  bonusFen: change("赠金"),
  /** Recharge by a 充值赠送 package: the amounts are those of the package. */
  packageId: Type.Optional(Id),
  receiptNo: Type.Optional(Type.String({ title: "收据号", maxLength: 64, "x-text": "code" })),
  reason: Reason,
  /** Unsigned sum, typed a second time for large amounts. */
  confirmFen: Type.Optional(amountOf("确认金额", "本金与赠金绝对值之和（分）")),
});

const walletFilters = {
  phone: Type.Optional(PersonPhonePart),
  name: Type.Optional(Type.String({ title: "姓名", maxLength: 64 })),
  hasBalance: Type.Optional(Type.Boolean({ title: "有余额" })),
  endUserId: Type.Optional(Id),
  tenantId: Type.Optional(TenantId),
};

const topUpFilters = {
  phone: Type.Optional(PersonPhonePart),
  channel: Type.Optional(OneOf(PAY_CHANNELS, "渠道")),
  state: Type.Optional(OneOf(TOP_UP_STATES, "状态")),
  endUserId: Type.Optional(Id),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  tenantId: Type.Optional(TenantId),
};

export const walletContract = {
  list: endpoint({
    method: "GET",
    path: "/admin/v2/wallet/list",
    access: "wallet:read",
    summary: "用户钱包列表",
    query: PageQuery({
      ...walletFilters,
      sort: Type.Optional(OneOf(["principal", "bonus"], "排序")),
      order: Type.Optional(OneOf(["asc", "desc"], "排序方向")),
    }),
    reply: PageOf(Wallet),
  }),
  sums: endpoint({
    method: "GET",
    path: "/admin/v2/wallet/sums",
    access: "wallet:read",
    load: "heavy",
    summary: "用户钱包合计",
    query: Strict(walletFilters),
    reply: SumsOf({
      principalFen: Type.Integer(),
      bonusFen: Type.Integer(),
      heldFen: Type.Integer(),
    }),
  }),
  topUps: endpoint({
    method: "GET",
    path: "/admin/v2/wallet/topup/list",
    access: "wallet:read",
    summary: "充值记录",
    query: PageQuery(topUpFilters),
    reply: PageOf(TopUp),
  }),
  topUpSums: endpoint({
    method: "GET",
    path: "/admin/v2/wallet/topup/sums",
    access: "wallet:read",
    load: "heavy",
    summary: "充值记录合计",
    query: Strict(topUpFilters),
    reply: SumsOf({
      principalFen: Type.Integer({ description: "实付金额，不含未支付" }),
      bonusFen: Type.Integer({ description: "赠送金额，不含未支付" }),
    }),
  }),
  get: endpoint({
    method: "GET",
    path: "/admin/v2/user/wallet",
    access: "wallet:read",
    summary: "一个用户的钱包",
    query: Strict({ endUserId: Id }),
    reply: WalletDetail,
  }),
  change: endpoint({
    method: "POST",
    path: "/admin/v2/user/wallet",
    access: "wallet:write",
    risk: "money-by-sum",
    once: "always",
    pressed: true,
    summary: "充值或调整用户余额",
    body: WalletChangeBody,
    reply: Type.Object({
      journalId: Id,
      principalFen: Type.Integer({ description: "之后的本金" }),
      bonusFen: Type.Integer({ description: "之后的赠金" }),
    }),
  }),
};
