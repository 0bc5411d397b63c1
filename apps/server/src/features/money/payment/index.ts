// Public API of the payment feature for other features.
export { sealedFor as paymentSealedFor, sealPaymentKeys } from "./merchant.cache.ts";
export { paymentJobs } from "./payment.jobs.ts";
export { paymentRoutes } from "./payment.routes.ts";
export { addPaymentNoticeRoute } from "./payment-notice.gate.ts";
export { topUpAppId } from "./payment-setting.service.ts";
export { PlatformCertificates } from "./platform-certificates.cache.ts";
export { startNight } from "./reconciliation.service.ts";
export { creditPaid, startOnlineTopUp, topUpProgress } from "./top-up.service.ts";
export { forgetPayer, insertCashTopUp } from "./top-up.sql.ts";
