// What neighbours may use of payments.
export { TopUpRefunds } from "./top-up-payment.tsx";
export { TopUpRefundDialog } from "./top-up-refund-dialog.tsx";
