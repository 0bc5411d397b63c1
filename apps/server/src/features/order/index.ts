// Public interface of the order feature for other features.
export { findLiveOrders } from "./live-order.sql.ts";
export { orderJobs } from "./order.jobs.ts";
export { orderActionRoutes, orderRoutes } from "./order.routes.ts";
export {
  type OpeningOrder,
  openByCode,
  openOrder,
  quoteOrder,
  startOrder,
} from "./order.service.ts";
export {
  cancelOrder,
  clearOrder,
  decideOpening,
  extendOrder,
  forceComplete,
  payOrder,
  refundOrder,
  reportMissing,
  resendCode,
} from "./order-action.service.ts";
export { stayMinutesSql } from "./order-list.sql.ts";
export { orderReports } from "./order-reports.ts";
export { hashCode, makeCode } from "./pickup-code.ts";
