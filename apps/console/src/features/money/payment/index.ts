// Public exports of the payment feature.
export { TopUpRefunds } from "./top-up-payment.tsx";
export { TopUpRefundDialog } from "./top-up-refund-dialog.tsx";
