// What neighbours may use of visits.
export { visitRoutes } from "./visit.routes.ts";
