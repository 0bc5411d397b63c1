// Public exports of the pricing feature.
export { PricingDialog, type PricingTarget } from "./pricing-dialog.tsx";
export { PricingExample } from "./pricing-example.tsx";
export { pricingFields } from "./pricing-fields.tsx";
export { simulatorPath } from "./simulator-path.ts";
