// Public interface of the order feature for other features.

export { affectedOrderRoutes, orderActionRoutes, orderRoutes } from "./order.routes.ts";
export {
  isVisibleOrderSql,
  runningMinutesSql,
  unreachableSecondsSql,
} from "./read/order-list.sql.ts";
export { getOrderOrRefuse } from "./read/order-read.service.ts";
export { findLiveOrders, findOrderIdsOf, forgetOnOrders } from "./transitions/live-order.sql.ts";
export { orderJobs } from "./transitions/order.jobs.ts";
export {
  type OpeningOrder,
  openByCode,
  openOrder,
  quoteOrder,
  startOrder,
} from "./transitions/order.service.ts";
export {
  cancelOrder,
  changeRecipient,
  clearOrder,
  decideOpening,
  extendOrder,
  forceComplete,
  payOrder,
  refundOrder,
  reportMissing,
  resendCode,
} from "./transitions/order-action.service.ts";
export { noteOrder } from "./transitions/order-console.service.ts";
export { orderReports } from "./transitions/order-reports.flow.ts";
export { hashCode, makeCode } from "./transitions/pickup-code.crypto.ts";
