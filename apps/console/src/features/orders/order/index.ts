// Public exports of the order feature.
export { LiveOrders } from "./live-orders.tsx";
export { OpenOrderDialog } from "./open-order-dialog.tsx";
export { StateStatus as OrderStateStatus } from "./order-status.tsx";
