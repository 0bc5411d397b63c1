// Public exports of the cabinet feature.
export { editWithPricing } from "./cabinet-edit.rules.ts";
