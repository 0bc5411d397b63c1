// Public exports of the order feature.
export { StateStatus as OrderStateStatus } from "./order-status.tsx";
