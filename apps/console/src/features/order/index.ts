// What neighbours may use of orders.
export { StateStatus as OrderStateStatus } from "./order-status.tsx";
