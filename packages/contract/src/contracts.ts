// All calls of the system by noun: source of the API reference, the access matrix and the fuzz
// cases.

import { cabinetModelContract } from "./equipment/cabinet-model/cabinet-model.contract.ts";
import { cabinetSecretContract } from "./equipment/cabinet-secret/cabinet-secret.contract.ts";
import { compartmentContract } from "./equipment/compartment/compartment.contract.ts";
import { activationContract } from "./equipment/device-stock/activation.contract.ts";
import { deviceStockContract } from "./equipment/device-stock/device-stock.contract.ts";
import { simulatedCabinetContract } from "./equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { advertContract } from "./fleet/advert/advert.contract.ts";
import { cabinetContract } from "./fleet/cabinet/cabinet.contract.ts";
import { cabinetEventContract } from "./fleet/cabinet-event/cabinet-event.contract.ts";
import { cabinetServiceContract } from "./fleet/cabinet-service/cabinet-service.contract.ts";
import { commandContract } from "./fleet/command/command.contract.ts";
import { firmwareContract } from "./fleet/firmware/firmware.contract.ts";
import { rolloutContract } from "./fleet/rollout/rollout.contract.ts";
import { accessContract, MenuEntry } from "./identity/access/access.contract.ts";
import { roleContract } from "./identity/access/role.contract.ts";
import { accountContract } from "./identity/account/account.contract.ts";
import { auditContract } from "./identity/audit/audit.contract.ts";
import { authContract } from "./identity/auth/auth.contract.ts";
import { impersonationContract } from "./identity/impersonation/impersonation.contract.ts";
import { loginLogContract } from "./identity/login-log/login-log.contract.ts";
import { operatorContract } from "./identity/operator/operator.contract.ts";
import { secondFactorContract } from "./identity/second-factor/second-factor.contract.ts";
import { sessionContract } from "./identity/session/session.contract.ts";
import { tenancyContract } from "./identity/tenancy/tenancy.contract.ts";
import type { Contract } from "./kit/endpoint.ts";
import { deviceContract } from "./link/device/device.contract.ts";
import { announcementContract } from "./messaging/announcement/announcement.contract.ts";
import { faqContract } from "./messaging/faq/faq.contract.ts";
import { maintenanceMessageContract } from "./messaging/maintenance-message/maintenance-message.contract.ts";
import { miniProgramContract } from "./messaging/mini-program/mini-program.contract.ts";
import { richTextContract } from "./messaging/rich-text/rich-text.contract.ts";
import { smsContract } from "./messaging/sms/sms.contract.ts";
import { smsChannelContract } from "./messaging/sms/sms-channel.contract.ts";
import { smsCreditContract } from "./messaging/sms/sms-credit.contract.ts";
import { smsStatisticsContract } from "./messaging/sms/sms-statistics.contract.ts";
import {
  appSubscriptionContract,
  templateContract,
} from "./messaging/template/template.contract.ts";
import { webhookContract } from "./messaging/webhook/webhook.contract.ts";
import { ledgerContract } from "./money/ledger/ledger.contract.ts";
import { packageContract } from "./money/package/package.contract.ts";
import { paymentContract } from "./money/payment/payment.contract.ts";
import { pricingContract } from "./money/pricing/pricing.contract.ts";
import { reconciliationContract } from "./money/reconciliation/reconciliation.contract.ts";
import { reviewContract } from "./money/review/review.contract.ts";
import { statementContract } from "./money/statement/statement.contract.ts";
import { walletContract } from "./money/wallet/wallet.contract.ts";
import { backupContract } from "./operations/backup/backup.contract.ts";
import { clientErrorContract } from "./operations/client-error/client-error.contract.ts";
import { exportContract } from "./operations/export/export.contract.ts";
import { malfunctionContract } from "./operations/malfunction/malfunction.contract.ts";
import { notificationContract } from "./operations/notification/notification.contract.ts";
import { homeScreenContract } from "./operations/statistics/home-screen.contract.ts";
import { statisticsContract } from "./operations/statistics/statistics.contract.ts";
import { appContract } from "./orders/app/app.contract.ts";
import { appNoticeContract } from "./orders/app/app-notice.contract.ts";
import { appOrderContract } from "./orders/app/app-order.contract.ts";
import { appPageContract } from "./orders/app/app-page.contract.ts";
import { appWalletContract } from "./orders/app/app-wallet.contract.ts";
import { endUserContract } from "./orders/end-user/end-user.contract.ts";
import { tagContract } from "./orders/end-user/tag.contract.ts";
import { legalTextContract } from "./orders/legal-text/legal-text.contract.ts";
import { affectedOrderContract } from "./orders/order/affected-order.contract.ts";
import { orderContract } from "./orders/order/order.contract.ts";
import { orderActionContract } from "./orders/order/order-action.contract.ts";
import { orderRecipientContract } from "./orders/order/order-recipient.contract.ts";
import { searchContract } from "./orders/search/search.contract.ts";
import { webPageContract } from "./orders/web-page/web-page.contract.ts";
import { mapContract } from "./organization/map/map.contract.ts";
import { storeContract } from "./organization/store/store.contract.ts";
import { tenantContract } from "./organization/tenant/tenant.contract.ts";
import { tenantSettingContract } from "./organization/tenant-setting/tenant-setting.contract.ts";
import { businessOrderContract } from "./partners/open-api/business-order.contract.ts";
import { openApiContract } from "./partners/open-api/open-api.contract.ts";
import { openAppContract } from "./partners/open-api/open-app.contract.ts";
import { openCallContract } from "./partners/open-api/open-call.contract.ts";

export const contracts = {
  access: accessContract,
  account: accountContract,
  activation: activationContract,
  advert: advertContract,
  announcement: announcementContract,
  app: appContract,
  "app-notice": appNoticeContract,
  "app-order": appOrderContract,
  "app-page": appPageContract,
  "app-subscription": appSubscriptionContract,
  "app-wallet": appWalletContract,
  audit: auditContract,
  auth: authContract,
  backup: backupContract,
  cabinet: cabinetContract,
  "cabinet-event": cabinetEventContract,
  "cabinet-model": cabinetModelContract,
  "cabinet-secret": cabinetSecretContract,
  "cabinet-service": cabinetServiceContract,
  callback: webhookContract,
  command: commandContract,
  compartment: compartmentContract,
  device: deviceContract,
  "device-stock": deviceStockContract,
  "end-user": endUserContract,
  export: exportContract,
  faq: faqContract,
  firmware: firmwareContract,
  ledger: ledgerContract,
  "legal-text": legalTextContract,
  statement: statementContract,
  "login-log": loginLogContract,
  "maintenance-message": maintenanceMessageContract,
  malfunction: malfunctionContract,
  map: mapContract,
  "mini-program": miniProgramContract,
  clientError: clientErrorContract,
  notification: notificationContract,
  "business-order": businessOrderContract,
  "open-api": openApiContract,
  "open-app": openAppContract,
  "open-call": openCallContract,
  operator: operatorContract,
  package: packageContract,
  order: orderContract,
  "affected-order": affectedOrderContract,
  "order-deed": orderActionContract,
  "order-recipient": orderRecipientContract,
  payment: paymentContract,
  pricing: pricingContract,
  reconciliation: reconciliationContract,
  review: reviewContract,
  role: roleContract,
  "rich-text": richTextContract,
  rollout: rolloutContract,
  search: searchContract,
  "second-factor": secondFactorContract,
  session: sessionContract,
  "simulated-cabinet": simulatedCabinetContract,
  "home-screen": homeScreenContract,
  statistics: statisticsContract,
  sms: smsContract,
  "sms-channel": smsChannelContract,
  "sms-credit": smsCreditContract,
  "sms-statistics": smsStatisticsContract,
  store: storeContract,
  tenancy: tenancyContract,
  tag: tagContract,
  template: templateContract,
  tenant: tenantContract,
  visit: impersonationContract,
  "tenant-setting": tenantSettingContract,
  wallet: walletContract,
  "web-page": webPageContract,
} satisfies Record<string, Contract>;

/** Titles of the nouns in the API reference. */
export const nounTitles: Record<keyof typeof contracts, string> = {
  access: "菜单与权限",
  account: "个人设置",
  activation: "设备激活",
  advert: "广告",
  announcement: "公告与版本通知",
  app: "登录与个人",
  "app-notice": "公告与常见问题",
  "app-order": "存件与取件",
  "app-page": "网页版与报修",
  "app-subscription": "订阅消息",
  "app-wallet": "钱包与套餐",
  audit: "操作审计",
  auth: "登录与退出",
  backup: "备份",
  "business-order": "业务订单",
  cabinet: "设备",
  "cabinet-event": "状态日志",
  "cabinet-model": "设备型号",
  "cabinet-secret": "设备接口密钥",
  "cabinet-service": "设备服务",
  callback: "回调",
  command: "指令与操作日志",
  compartment: "格口",
  device: "设备连接",
  "device-stock": "新设备",
  "end-user": "用户",
  export: "导出",
  faq: "常见问题",
  firmware: "固件",
  ledger: "交易记录",
  "legal-text": "协议",
  statement: "月结单",
  "login-log": "登录日志",
  "maintenance-message": "维护消息",
  malfunction: "故障",
  map: "地图",
  "mini-program": "小程序配置",
  clientError: "控制台错误",
  notification: "消息中心",
  "open-api": "开放接口",
  "open-app": "接口应用",
  "open-call": "调用记录",
  operator: "后台账号",
  order: "订单",
  "affected-order": "受故障影响的订单",
  "order-deed": "订单处置",
  "order-recipient": "更正取件人",
  package: "套餐",
  payment: "支付配置",
  pricing: "计费规则",
  reconciliation: "对账",
  review: "资金复核",
  "rich-text": "富文本图片",
  role: "角色",
  rollout: "下发任务",
  search: "全局搜索",
  "second-factor": "两步验证",
  session: "在线会话",
  "simulated-cabinet": "模拟柜机",
  sms: "短信",
  "sms-channel": "短信通道",
  "sms-credit": "短信余额",
  "sms-statistics": "短信统计",
  "home-screen": "首页",
  statistics: "统计",
  store: "门店",
  tag: "用户标签",
  template: "消息模板",
  tenancy: "租户管理",
  tenant: "租户",
  "tenant-setting": "租户其他配置",
  visit: "进入租户",
  wallet: "钱包",
  "web-page": "网页版",
};

/** Schemas referenced by `$ref`. */
export const sharedSchemas = [MenuEntry];
