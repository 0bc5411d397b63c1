// App calls for money: the wallet and its journals, cards, packages on sale.

import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Id, IdParams, Nullable, OneOf, Strict, Timestamp } from "../../kit/fields.ts";
import { named } from "../../kit/named.ts";
import { PageOf, PageQuery } from "../../kit/pagination.ts";
import { JOURNAL_KINDS } from "../../money/ledger/ledger.rules.ts";
import { AgreedPrice } from "../../money/package/package.contract.ts";
import { CARD_KINDS, CARD_STATES, PACKAGE_KINDS } from "../../money/package/package.rules.ts";
import { TOP_UP_STATES } from "../../money/wallet/wallet.rules.ts";
import { SIDES } from "../../vocabulary/hardware.rules.ts";
import { TOP_UP_LEAST_FEN, TOP_UP_MOST_FEN } from "./app.rules.ts";

const fen = (description?: string) => Type.Integer(description ? { description } : {});

const AppCard = named(
  "AppCard",
  Type.Object({
    id: Id,
    name: Type.String(),
    kind: OneOf(CARD_KINDS),
    sides: Type.Array(OneOf(SIDES)),
    usesLeft: Nullable(Type.Integer({ description: "剩余次数；不限次时为空" })),
    coverLimitFen: Nullable(fen("单次最多抵扣；不限时为空")),
    boughtAt: Timestamp,
    expiresAt: Timestamp,
    state: OneOf(CARD_STATES),
  }),
);

const AppWallet = named(
  "AppWallet",
  Type.Object({
    principalFen: fen("本金"),
    bonusFen: fen("赠金"),
    heldFen: fen("其中已为正在开的门冻结"),
    availableFen: fen("可用余额"),
    isTopUpOpen: Type.Boolean({ description: "可以在线充值；否则请联系运营人员充值" }),
    topUpMostFen: fen("一次最多充值；只能取件时为还需支付的费用"),
    cards: Type.Array(AppCard),
  }),
);

export const AppJournal = named(
  "AppJournal",
  Type.Object({
    id: Id,
    at: Timestamp,
    kind: OneOf(JOURNAL_KINDS),
    principalFen: fen(),
    bonusFen: fen(),
    principalAfterFen: fen(),
    bonusAfterFen: fen(),
    orderId: Nullable(Id),
  }),
);
export type AppJournal = Static<typeof AppJournal>;

const AppPackage = named(
  "AppPackage",
  Type.Object({
    id: Id,
    name: Type.String(),
    kind: OneOf(PACKAGE_KINDS),
    sides: Type.Array(OneOf(SIDES)),
    priceFen: fen(),
    bonusFen: fen(),
    uses: Nullable(Type.Integer()),
    validDays: Nullable(Type.Integer()),
    coverLimitFen: Nullable(fen()),
    remark: Type.String(),
  }),
);

export const appWalletContract = {
  wallet: endpoint({
    method: "GET",
    path: "/app/v1/wallet",
    access: "end-user",
    summary: "我的钱包和套餐卡",
    reply: AppWallet,
  }),
  journals: endpoint({
    method: "GET",
    path: "/app/v1/journal",
    access: "end-user",
    summary: "我的交易记录",
    query: PageQuery({}),
    reply: PageOf(AppJournal),
  }),
  packages: endpoint({
    method: "GET",
    path: "/app/v1/package",
    access: "end-user",
    summary: "在售的套餐",
    reply: Type.Array(AppPackage),
  }),
  buyPackage: endpoint({
    method: "POST",
    path: "/app/v1/package/{id}/buy",
    access: "end-user",
    once: "always",
    startsNew: true,
    pressed: true,
    summary: "用钱包余额购买次卡或月卡",
    params: IdParams,
    body: Strict({ agreedFen: AgreedPrice }),
    reply: Type.Object({ cardId: Id }),
  }),
  topUp: endpoint({
    method: "POST",
    path: "/app/v1/top-up",
    access: "end-user",
    once: true,
    pressed: true,
    summary: "微信支付充值：按金额，或按充值赠送套餐",
    body: Strict({
      openid: Type.Optional(
        Type.String({
          title: "openid",
          pattern: "^[\\w-]{1,128}$",
          description: "付款人在租户小程序中的 openid，默认为其小程序登录时的；微信只允许本人支付",
        }),
      ),
      amountFen: Type.Optional(
        Type.Integer({ title: "充值金额", minimum: TOP_UP_LEAST_FEN, maximum: TOP_UP_MOST_FEN }),
      ),
      packageId: Type.Optional(Id),
      isInBrowser: Type.Optional(
        Type.Boolean({
          title: "在手机浏览器中支付",
          description:
            "微信以外的浏览器：不需要 openid，付款页的地址在充值进展里；商户须开通 H5 支付",
        }),
      ),
    }),
    reply: Type.Object({ topUpId: Id }),
  }),
  topUpProgress: endpoint({
    method: "GET",
    path: "/app/v1/top-up/{id}",
    // A payer who waits makes the server ask WeChat: the notice may be lost.
    isRead: false,
    access: "end-user",
    summary: "充值进展；下单成功后带有调起支付的参数",
    params: IdParams,
    reply: Type.Object({
      state: OneOf(TOP_UP_STATES),
      principalFen: fen("实付"),
      bonusFen: fen("赠送"),
      payParams: Nullable(
        Type.Object({
          appId: Type.String(),
          timeStamp: Type.String(),
          nonceStr: Type.String(),
          package: Type.String(),
          signType: Type.String(),
          paySign: Type.String(),
        }),
      ),
      payUrl: Nullable(
        Type.String({ description: "手机浏览器付款页的地址，可加参数 redirect_url；5 分钟内有效" }),
      ),
      problem: Nullable(Type.String()),
    }),
  }),
};
