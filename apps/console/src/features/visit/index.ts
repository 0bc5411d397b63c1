// What neighbours may use of visits.
export { enterQuestion } from "./enter-tenant.ts";
