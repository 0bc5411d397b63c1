// Public exports of the cabinet feature.
export { useCabinetActions } from "./cabinet-actions.tsx";
export { editWithPricing } from "./cabinet-edit.rules.ts";
