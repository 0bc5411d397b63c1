// Public exports of the visit feature (impersonation).
export { enterQuestion } from "./enter-tenant.ts";
