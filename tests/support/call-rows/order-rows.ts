// Calls about orders, pricing, wallets, payments, text messages and the app.

import { PIXEL_PNG } from "../adverts.ts";
import { type CallName, type CallRow, nothing, reason } from "../call-row.ts";
import { miniProgramDraft } from "../mini-programs.ts";
import { paymentDraft } from "../payments.ts";
import { sampleRule } from "../pricing.ts";
import { smsChannelDraft } from "../sms-carriers.ts";

const cardPackage = {
  name: "十次卡",
  kind: "USES",
  sides: ["SINGLE"],
  priceFen: 2_500,
  bonusFen: 0,
  uses: 10,
  validDays: 90,
  coverLimitFen: null,
  remark: "",
  isOnSale: true,
};
const replayed = {
  from: "2026-11-01",
  to: "2026-11-30",
  freeMinutes: 0,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 0,
  overdueAfterMinutes: 1_440,
};

export const orderRows = {
  "app.requestCode": {
    input: ({ tenantId }) => ({ body: { tenantId, phone: "13800000000" } }),
    refusal: "人机验证",
  },
  "app.signIn": {
    input: ({ tenantId }) => ({
      body: { tenantId, phone: "13800000000", code: "000000", requestToken: "x".repeat(22) },
    }),
    refusal: "验证码不正确",
  },
  "app.signInByMiniProgram": {
    input: ({ tenantId }) => ({ body: { tenantId, loginCode: "0a1B2c" } }),
    refusal: "微信登录",
  },
  "app.signOut": { input: nothing },
  "app.close": { input: nothing, refusal: "暂不能注销" },
  "app.me": { input: nothing },
  "app.agree": { input: () => ({ body: { agreed: [{ kind: "TERMS", version: 1 }] } }) },
  "app-order.cabinet": { input: () => ({ params: { sn: "NOBODY0001" } }), refusal: "设备不存在" },
  "app-order.deposit": {
    input: () => ({
      body: { sn: "NOBODY0001", size: "M", recipientPhone: "13800000000", itemNote: "" },
    }),
    refusal: "设备不存在",
  },
  "app-order.list": { input: () => ({ query: { pageSize: 100 } }) },
  "app-order.get": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "app-order.openAgain": {
    input: ({ orderId }) => ({ params: { id: orderId } }),
    refusal: "不能开门存件",
  },
  "app-order.cancel": {
    input: ({ orderId }) => ({ params: { id: orderId } }),
    refusal: "不能取消",
  },
  "app-order.takeBack": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { agreedFen: 1000 } }),
  },
  "app-order.pickup": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { agreedFen: 1000 } }),
  },
  "app-order.pay": {
    input: ({ orderId }) => ({ params: { id: orderId } }),
    refusal: "请在取件时支付",
  },
  "app-order.pickupByCode": {
    input: () => ({ body: { sn: "NOBODY0001", code: "000000", phoneTail: "0000", agreedFen: 0 } }),
    refusal: "取件码或手机号后四位不正确",
  },
  "app-order.opening": {
    input: ({ commandId }) => ({ params: { id: commandId } }),
    refusal: "不存在",
  },
  "app-page.page": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "app-page.legal": { input: ({ tenantId }) => ({ query: { tenantId, kind: "TERMS" } }) },
  "app-page.logo": {
    input: ({ logoFileId }) => ({ params: { fileId: logoFileId } }),
    refusal: "不存在",
  },
  "app-page.reportMalfunction": {
    input: () => ({
      body: { sn: "NOBODY0001", kind: "OPEN_FAILED", description: "门打不开", photoIds: [] },
    }),
    refusal: "没有找到",
  },
  "app-page.uploadPhoto": {
    input: () => ({ body: {}, file: { name: "lock.png", bytes: PIXEL_PNG } }),
  },
  "app-wallet.wallet": { input: nothing },
  "app-wallet.journals": { input: () => ({ query: { pageSize: 100 } }) },
  "app-wallet.packages": { input: nothing },
  "app-wallet.buyPackage": {
    input: ({ packageId }) => ({ params: { id: packageId }, body: { agreedFen: 100_000 } }),
  },
  "app-wallet.topUp": {
    input: ({ packageId }) => ({ body: { openid: "o-1", packageId } }),
    refusal: "已下架或不存在",
  },
  "app-wallet.topUpProgress": {
    input: ({ topUpId }) => ({ params: { id: topUpId } }),
  },
  "ledger.list": {
    input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId, pageSize: 100 } }),
  },
  "statement.month": {
    input: ({ tenantId, storeId }) => ({ query: { month: "2026-01", tenantId, storeId } }),
  },
  "ledger.sums": { input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId } }) },
  "ledger.get": { input: ({ journalId }) => ({ params: { id: journalId } }) },
  "mini-program.setting": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "mini-program.saveSetting": {
    input: ({ tenantId }) => ({ body: { ...miniProgramDraft, tenantId, editVersion: 1 } }),
    isForAllStores: true,
  },
  "mini-program.checkSetting": { input: ({ tenantId }) => ({ body: { tenantId } }) },
  "order.list": {
    input: ({ tenantId, cabinetId, storeId, endUserId }) => ({
      query: { side: "SINGLE", tenantId, cabinetId, storeId, endUserId, pageSize: 100 },
    }),
  },
  "order.sums": {
    input: ({ tenantId, cabinetId, storeId, endUserId }) => ({
      query: { side: "SINGLE", tenantId, cabinetId, storeId, endUserId },
    }),
  },
  "order.get": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "order.timeline": { input: ({ orderId }) => ({ params: { id: orderId } }) },
  "order.showPhones": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { reason } }),
  },
  "order.showCode": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { reason } }),
  },
  "order-deed.open": {
    input: ({ orderId }) => ({
      params: { id: orderId },
      body: { purpose: "PICKUP", waives: false, reason },
    }),
  },
  "order-deed.decideOpening": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { isOpened: true, reason } }),
    refusal: "无需核实",
  },
  "order-deed.resendCode": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { reason } }),
  },
  "order-deed.extend": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { hours: 24, reason } }),
  },
  "order-deed.complete": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { chargeFen: 0, reason } }),
  },
  "order-deed.cancel": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { reason } }),
    refusal: "不能取消",
  },
  "order-deed.refund": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { amountFen: 100, reason } }),
    refusal: "退款不能超过",
  },
  "order-deed.markException": {
    input: ({ orderId }) => ({ params: { id: orderId }, body: { fault: "OTHER", reason } }),
  },
  "order-recipient.change": {
    input: ({ orderId, endUserId }) => ({
      params: { id: orderId },
      body: { phone: "13800138000", seenRecipientId: endUserId, reason },
    }),
  },
  "package.list": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "package.get": { input: ({ packageId }) => ({ params: { id: packageId } }) },
  "package.save": {
    input: ({ tenantId, packageId }) => ({
      body: { ...cardPackage, tenantId, id: packageId, editVersion: 1 },
    }),
  },
  "package.putOnSale": {
    input: ({ packageId }) => ({ params: { id: packageId }, body: { isOnSale: false } }),
  },
  "package.delete": { input: ({ packageId }) => ({ params: { id: packageId } }) },
  "package.sell": {
    input: ({ packageId, endUserId }) => ({
      body: { packageId, endUserId, agreedFen: 100_000, reason },
    }),
  },
  "package.cards": {
    input: ({ tenantId, packageId, endUserId }) => ({
      query: { tenantId, packageId, endUserId, pageSize: 100 },
    }),
  },
  "package.cardUses": { input: ({ userPackageId }) => ({ params: { id: userPackageId } }) },
  "payment.setting": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "payment.saveSetting": {
    input: ({ tenantId }) => ({ body: { ...paymentDraft, tenantId, editVersion: 1 } }),
    isForAllStores: true,
  },
  "payment.checkSetting": { input: ({ tenantId }) => ({ body: { tenantId } }) },
  "payment.topUp": { input: ({ topUpId }) => ({ params: { id: topUpId } }) },
  "payment.refundTopUp": {
    input: ({ topUpId }) => ({ params: { id: topUpId }, body: { fen: 100, reason } }),
  },
  "payment.checkTopUp": { input: ({ topUpId }) => ({ params: { id: topUpId } }) },
  "pricing.simulate": {
    input: ({ tenantId, storeId, cabinetId }) => ({
      query: { ...replayed, side: "SINGLE", tenantId, storeId, cabinetId },
    }),
  },
  "pricing.get": { input: ({ tenantId, storeId }) => ({ query: { tenantId, storeId } }) },
  "pricing.save": {
    input: ({ tenantId, storeId }) => ({
      body: {
        tenantId,
        storeId,
        version: 0,
        rule: sampleRule,
      },
    }),
  },
  "package.cardSums": {
    input: ({ tenantId, packageId, endUserId }) => ({ query: { tenantId, packageId, endUserId } }),
  },
  "reconciliation.runs": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "reconciliation.run": {
    input: ({ tenantId }) => ({
      body: { tenantId, day: new Date().toISOString().slice(0, 10) },
    }),
  },
  "reconciliation.differences": {
    input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }),
  },
  "reconciliation.differenceSums": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "reconciliation.resolve": {
    input: ({ differenceId }) => ({ params: { id: differenceId }, body: { reason } }),
  },
  "reconciliation.credit": {
    input: ({ creditableId }) => ({ params: { id: creditableId }, body: { reason } }),
  },
  "review.list": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "review.approve": { input: ({ reviewId }) => ({ params: { id: reviewId } }) },
  "review.refuse": { input: ({ reviewId }) => ({ params: { id: reviewId }, body: { reason } }) },
  "sms.history": {
    input: ({ tenantId, orderId }) => ({ query: { tenantId, orderId, pageSize: 100 } }),
  },
  "sms.way": { input: nothing },
  "sms.showText": { input: ({ smsId }) => ({ params: { id: smsId }, body: { reason } }) },
  "sms.resend": {
    input: ({ refusedSmsId }) => ({ params: { id: refusedSmsId }, body: { reason } }),
  },
  "sms-channel.channel": { input: nothing },
  "sms-channel.saveChannel": { input: () => ({ body: { ...smsChannelDraft, editVersion: 1 } }) },
  "sms-channel.checkChannel": { input: nothing },
  "sms-statistics.overview": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "sms-statistics.tenants": {
    input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }),
  },
  "sms-credit.entries": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "sms-credit.info": { input: nothing },
  "sms-credit.infoOf": { input: ({ tenantId }) => ({ params: { tenantId } }) },
  "sms-credit.records": { input: ({ tenantId }) => ({ query: { tenantId, pageSize: 100 } }) },
  "sms-credit.recordSums": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "sms-credit.recordsOf": {
    input: ({ tenantId }) => ({ params: { tenantId }, query: { pageSize: 100 } }),
  },
  "sms-credit.recharge": {
    input: ({ tenantId }) => ({
      body: { tenantId, segments: 1_000, amountFen: 4_500, reason: "合同 2026-11" },
    }),
  },
  "sms-credit.reverse": {
    input: ({ smsRechargeId }) => ({ params: { id: smsRechargeId }, body: { reason } }),
  },
  "statistics.singleIncome": {
    input: ({ tenantId, storeId, cabinetId }) => ({ query: { tenantId, storeId, cabinetId } }),
  },
  "statistics.singleTendency": {
    input: ({ tenantId, storeId, cabinetId }) => ({ body: { tenantId, storeId, cabinetId } }),
  },
  "statistics.doubleIncome": {
    input: ({ tenantId, storeId, cabinetId }) => ({ query: { tenantId, storeId, cabinetId } }),
  },
  "statistics.doubleTendency": {
    input: ({ tenantId, storeId, cabinetId }) => ({ body: { tenantId, storeId, cabinetId } }),
  },
  "statistics.income": {
    input: ({ tenantId, storeId, cabinetId }) => ({ query: { tenantId, storeId, cabinetId } }),
  },
  "statistics.tendency": {
    input: ({ tenantId, storeId, cabinetId }) => ({ body: { tenantId, storeId, cabinetId } }),
  },
  "statistics.ranking": {
    input: ({ tenantId, storeId, cabinetId }) => ({
      query: { tenantId, storeId, cabinetId, by: "CABINET", pageSize: 100 },
    }),
  },
  "statistics.cabinets": {
    input: ({ tenantId, storeId, cabinetId }) => ({
      query: { tenantId, storeId, cabinetId, keyword: "柜", pageSize: 100 },
    }),
  },
  "home-screen.read": { input: ({ tenantId }) => ({ query: { day: "2026-01-05", tenantId } }) },
  "statistics.home": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "statistics.screen": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "statistics.occupancy": {
    input: ({ tenantId, storeId, cabinetId }) => ({ query: { tenantId, storeId, cabinetId } }),
  },
  "statistics.sizes": {
    input: ({ tenantId, storeId, cabinetId }) => ({
      query: { tenantId, storeId, cabinetId, keyword: "柜", pageSize: 100 },
    }),
  },
  "wallet.list": {
    input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId, pageSize: 100 } }),
  },
  "wallet.topUps": {
    input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId, pageSize: 100 } }),
  },
  "wallet.sums": { input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId } }) },
  "wallet.topUpSums": {
    input: ({ tenantId, endUserId }) => ({ query: { tenantId, endUserId } }),
  },
  "wallet.get": { input: ({ endUserId }) => ({ query: { endUserId } }) },
  "wallet.change": {
    input: ({ endUserId, bonusPackageId: packageId }) => ({
      body: { endUserId, kind: "RECHARGE", principalFen: 5_000, bonusFen: 500, packageId, reason },
    }),
  },
  "affected-order.list": {
    input: ({ malfunctionId }) => ({ params: { id: malfunctionId }, query: { pageSize: 100 } }),
  },
  "affected-order.notify": {
    input: ({ malfunctionId }) => ({ params: { id: malfunctionId } }),
    refusal: "没有要通知的取件人",
  },
  "legal-text.list": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "legal-text.get": {
    input: ({ tenantId, legalTextId: id }) => ({ params: { id }, query: { tenantId } }),
  },
  "legal-text.publish": {
    input: ({ tenantId }) => ({
      body: { kind: "PRIVACY", body: "隐私政策", editVersion: 0, tenantId },
    }),
    isForAllStores: true,
  },
  "web-page.setting": { input: ({ tenantId }) => ({ query: { tenantId } }) },
  "web-page.saveSetting": {
    input: ({ tenantId }) => ({ body: { isOn: false, tenantId, editVersion: 1 } }),
    isForAllStores: true,
  },
  "web-page.stickers": {
    input: ({ tenantId, storeId }) => ({ query: { tenantId, storeId } }),
  },
} satisfies Partial<Record<CallName, CallRow>>;
