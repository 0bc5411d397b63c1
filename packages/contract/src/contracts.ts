// All calls of the system by noun: source of the API reference, the access matrix and the fuzz
// cases.
import { accessContract, MenuEntry } from "./access/access.contract.ts";
import { roleContract } from "./access/role.contract.ts";
import { accountContract } from "./account/account.contract.ts";
import { advertContract } from "./advert/advert.contract.ts";
import { announcementContract } from "./announcement/announcement.contract.ts";
import { appContract } from "./app/app.contract.ts";
import { appNoticeContract } from "./app/app-notice.contract.ts";
import { appOrderContract } from "./app/app-order.contract.ts";
import { appWalletContract } from "./app/app-wallet.contract.ts";
import { auditContract } from "./audit/audit.contract.ts";
import { authContract } from "./auth/auth.contract.ts";
import { cabinetContract } from "./cabinet/cabinet.contract.ts";
import { cabinetEventContract } from "./cabinet-event/cabinet-event.contract.ts";
import { cabinetModelContract } from "./cabinet-model/cabinet-model.contract.ts";
import { cabinetSecretContract } from "./cabinet-secret/cabinet-secret.contract.ts";
import { cabinetServiceContract } from "./cabinet-service/cabinet-service.contract.ts";
import { commandContract } from "./command/command.contract.ts";
import { compartmentContract } from "./compartment/compartment.contract.ts";
import { deviceContract } from "./device/device.contract.ts";
import { activationContract } from "./device-stock/activation.contract.ts";
import { deviceStockContract } from "./device-stock/device-stock.contract.ts";
import { endUserContract } from "./end-user/end-user.contract.ts";
import { tagContract } from "./end-user/tag.contract.ts";
import { exportContract } from "./export/export.contract.ts";
import { faqContract } from "./faq/faq.contract.ts";
import { firmwareContract } from "./firmware/firmware.contract.ts";
import { impersonationContract } from "./impersonation/impersonation.contract.ts";
import type { Contract } from "./kit/endpoint.ts";
import { ledgerContract } from "./ledger/ledger.contract.ts";
import { loginLogContract } from "./login-log/login-log.contract.ts";
import { maintenanceMessageContract } from "./maintenance-message/maintenance-message.contract.ts";
import { malfunctionContract } from "./malfunction/malfunction.contract.ts";
import { mapContract } from "./map/map.contract.ts";
import { miniProgramContract } from "./mini-program/mini-program.contract.ts";
import { businessOrderContract } from "./open-api/business-order.contract.ts";
import { openApiContract } from "./open-api/open-api.contract.ts";
import { openAppContract } from "./open-api/open-app.contract.ts";
import { openCallContract } from "./open-api/open-call.contract.ts";
import { operatorContract } from "./operator/operator.contract.ts";
import { orderContract } from "./order/order.contract.ts";
import { orderActionContract } from "./order/order-action.contract.ts";
import { packageContract } from "./package/package.contract.ts";
import { paymentContract } from "./payment/payment.contract.ts";
import { pricingContract } from "./pricing/pricing.contract.ts";
import { reconciliationContract } from "./reconciliation/reconciliation.contract.ts";
import { richTextContract } from "./rich-text/rich-text.contract.ts";
import { rolloutContract } from "./rollout/rollout.contract.ts";
import { sessionContract } from "./session/session.contract.ts";
import { smsContract } from "./sms/sms.contract.ts";
import { smsChannelContract } from "./sms/sms-channel.contract.ts";
import { smsCreditContract } from "./sms/sms-credit.contract.ts";
import { smsStatisticsContract } from "./sms/sms-statistics.contract.ts";
import { statisticsContract } from "./statistics/statistics.contract.ts";
import { storeContract } from "./store/store.contract.ts";
import { appSubscriptionContract, templateContract } from "./template/template.contract.ts";
import { tenancyContract } from "./tenancy/tenancy.contract.ts";
import { tenantContract } from "./tenant/tenant.contract.ts";
import { tenantSettingContract } from "./tenant-setting/tenant-setting.contract.ts";
import { walletContract } from "./wallet/wallet.contract.ts";
import { webhookContract } from "./webhook/webhook.contract.ts";

export const contracts = {
  access: accessContract,
  account: accountContract,
  activation: activationContract,
  advert: advertContract,
  announcement: announcementContract,
  app: appContract,
  "app-notice": appNoticeContract,
  "app-order": appOrderContract,
  "app-subscription": appSubscriptionContract,
  "app-wallet": appWalletContract,
  audit: auditContract,
  auth: authContract,
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
  "login-log": loginLogContract,
  "maintenance-message": maintenanceMessageContract,
  malfunction: malfunctionContract,
  map: mapContract,
  "mini-program": miniProgramContract,
  "business-order": businessOrderContract,
  "open-api": openApiContract,
  "open-app": openAppContract,
  "open-call": openCallContract,
  operator: operatorContract,
  package: packageContract,
  order: orderContract,
  "order-deed": orderActionContract,
  payment: paymentContract,
  pricing: pricingContract,
  reconciliation: reconciliationContract,
  role: roleContract,
  "rich-text": richTextContract,
  rollout: rolloutContract,
  session: sessionContract,
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
} satisfies Record<string, Contract>;

/** Schemas referenced by `$ref`. */
export const sharedSchemas = [MenuEntry];
