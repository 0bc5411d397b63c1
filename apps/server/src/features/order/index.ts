// What neighbours may use of orders.
export { findLiveOrders, type OrderKey } from "./live-order.sql.ts";
export { orderJobs } from "./order.jobs.ts";
export { orderDeedRoutes, orderRoutes } from "./order.routes.ts";
export {
  type OpeningOrder,
  type OpenWish,
  type OrderQuote,
  type OrderWish,
  openByCode,
  openOrder,
  quoteByCode,
  quoteOrder,
  type StartedOrder,
  startOrder,
} from "./order.service.ts";
export {
  cancelOrder,
  clearOrder,
  decideOpening,
  extendOrder,
  forceComplete,
  markException,
  payOrder,
  refundOrder,
  reportMissing,
  resendCode,
} from "./order-deed.service.ts";
export { orderReports } from "./order-reports.ts";
